import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp, type SignedInCaller } from '../../../../test/support/app.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { setActor } from '../../../database/connection.server.ts'
import { updateBrand } from '../../../records/brands/contract.ts'
import { addMember, saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { createCheck } from '../../changing/checks/contract.ts'
import { restoreFromHistory } from '../../changing/history/contract.ts'
import { createProposal, decideProposal, readProposal, sendChangeRequest } from '../../changing/requests/contract.ts'
import { createDeadline, updateDeadline } from '../../deadlines/deadlines/contract.ts'
import { addFavorite } from '../favorites/contract.ts'
import { type ActivityEntry, countActivity, countNewActivity, readActivity, readActivityEntry } from './contract.ts'

const setUp = async () => {
  const net = await network()
  const admin = net.as(5)
  const { name } = await admin.who()
  const params = { id: net.site._id }
  const savePhone = (phone: string, who: SignedInCaller = admin) => who.send(updateSite, { params, body: { address: { phone } } })
  const list = async (query: object = {}, who: SignedInCaller = admin) => (await who.send(readActivity, { query })).entries
  const ofSite = (query: object = {}, who: SignedInCaller = admin) => list({ record: net.site._id, ...query }, who)
  return { ...net, admin, name, params, savePhone, list, ofSite }
}

const toPaths = ({ changes }: ActivityEntry) => changes.flatMap(({ part, fields }) => fields.map(({ field }) => `${part}.${field}`))

/** Writes in one transaction as a given person at a given time. */
const write = ({ context }: Awaited<ReturnType<typeof network>>, name: string, at: Date, phones: Readonly<Record<string, string>>) =>
  context.db.transaction().execute(async (tx) => {
    await setActor(tx, { account: null, name, at })
    for (const [_id, phone] of Object.entries(phones)) await tx.updateTable('site').set({ phone }).where('_id', '=', _id).execute()
  })

describe('activity', () => {
  test('shows who changed what in which record, newest first', async () => {
    const { ofSite, savePhone, name, site, admin, make } = await setUp()
    await savePhone('209-555-0142')
    const person = await make.person({ email: (await admin.who()).azureID, name: 'Dana Whitlock' })
    const [entry, ...others] = await ofSite()
    expect(entry).toMatchObject({
      by: name,
      person: { _id: person._id, slug: person.slug, name: 'Dana Whitlock' },
      act: 'change',
      counts: [{ kind: 'site', action: 'update', records: 1 }],
      records: [{ kind: 'site', _id: site._id, slug: site.slug, name: site.displayName }],
      changes: [
        {
          part: 'site',
          action: 'update',
          fields: [{ field: 'phone', from: null, to: '209-555-0142' }],
          canRestore: true,
          record: site._id,
        },
      ],
      changeCount: 1,
    })
    expect(entry?.changes[0]?._id).toBe(entry?._id)
    expect(others.map(({ by }) => by)).toEqual(['Test Factory'])
    // A site's facility and enrollment are inserted with it and not listed separately.
    expect(others.flatMap(({ changes }) => changes.map(({ part }) => part))).toEqual(['site_person', 'site'])
  })

  test('has one entry for what one person does to one record within ten minutes', async () => {
    const net = await setUp()
    const { ofSite, site } = net
    const start = Date.parse('2031-01-05T10:00:00Z')
    const saves = [
      ['Corinne', 0],
      ['Corinne', 9],
      ['Dana', 10],
      ['Corinne', 18],
      ['Corinne', 29],
    ] as const
    for (const [index, [name, minutes]] of saves.entries())
      await write(net, name, new Date(start + minutes * 60_000), { [site._id]: `209555010${index}` })
    const entries = (await ofSite()).filter(({ by }) => by === 'Corinne' || by === 'Dana')
    expect(entries.map(({ by, changeCount, at }) => [by, changeCount, at.slice(11, 16)])).toEqual([
      ['Corinne', 1, '10:29'],
      ['Corinne', 3, '10:18'],
      ['Dana', 1, '10:10'],
    ])
    expect(entries[1]?.changes.map(({ fields }) => fields[0]?.to)).toEqual(['2095550103', '2095550101', '2095550100'])
  })

  test('has one entry for a decision: what was accepted and who suggested it, or that it was declined', async () => {
    const net = await setUp()
    const { as, admin, site, list, params, savePhone } = net
    await savePhone('209-555-0142')
    const sender = as(10)
    const suggest = async (changes: object) =>
      (await sender.send(createProposal, { body: { record: { kind: 'site', _id: params.id }, changes: { ...changes } } }))._id
    const first = await suggest({ 'address.phone': '555-555-0100', 'address.city': 'Galt' })
    const rival = await suggest({ 'address.phone': '555-555-0199' })
    const decider = as(4)
    const { name: decidedBy } = await decider.who()
    const start = (await list()).length
    await decider.send(decideProposal, {
      params: { id: first },
      body: { accept: { 'address.phone': true }, decline: { 'address.city': 'No' } },
    })
    const [entry, ...others] = await list()
    expect(others).toHaveLength(start)
    expect(entry).toMatchObject({ by: decidedBy, records: [{ _id: site._id }], suggestion: first, changeCount: 1 })
    expect(entry?.changes[0]).toMatchObject({ suggestedBy: (await sender.who()).name })
    // Decided suggestions are still listed as suggestions.
    expect((await list({ kind: 'suggestion' })).slice(0, 2).flatMap(({ records }) => records.map(({ _id }) => _id))).toEqual(
      expect.arrayContaining([first]),
    )
    const declined = await suggest({ 'address.city': 'Acampo' })
    await admin.send(decideProposal, { params: { id: declined }, body: { decline: { 'address.city': 'No' } } })
    expect((await list())[0]).toMatchObject({ act: 'suggestion', records: [{ _id: declined }], suggestion: null })
    expect((await admin.send(readProposal, { params: { id: rival } })).state).toBe('declined')
  })

  test('shows suggestions that a person may not decide on only to their sender', async () => {
    const { as, admin, make, list } = await setUp()
    const { _id: charter } = await make.charter()
    const body = { record: { kind: 'charter_affair' as const, _id: charter }, changes: { 'overview.fein': '12' }, note: 'From the letter' }
    const sender = as(6)
    const { _id } = await sender.send(createProposal, { body })
    const isListed = async (who: SignedInCaller) => (await list({}, who)).some(({ records }) => records.some((one) => one._id === _id))
    expect([await isListed(as(6)), await isListed(sender), await isListed(admin)]).toEqual([false, true, true])
  })

  test('counts the entries of the last 30 days, applying the filters', async () => {
    const net = await setUp()
    const { admin, site, make, list, savePhone } = net
    const [other, start] = [await make.site(), Date.now() - 3 * 86_400_000]
    await write(net, 'Nora Quill', new Date(start - 40 * 86_400_000), { [site._id]: '2095550104' })
    await write(net, 'Nora Quill', new Date(start), { [site._id]: '2095550101' })
    await write(net, 'Nora Quill', new Date(start + 60_000), { [site._id]: '2095550102' })
    await write(net, 'Nora Quill', new Date(start + 30 * 60_000), { [site._id]: '2095550103', [other._id]: '2095550103' })
    await savePhone('209-555-0142')
    const sum = async (query: object, who: SignedInCaller = admin) =>
      (await who.send(countActivity, { query })).reduce((total, { entries }) => total + entries, 0)
    expect(await sum({ actor: 'Nora Quill' })).toBe(2)
    expect(await list({ actor: 'Nora Quill' })).toHaveLength(3)
    expect(await sum({ actor: 'Nora Quill', kind: 'person' })).toBe(0)
    const days = await admin.send(countActivity, { query: { record: site._id } })
    const listed = Map.groupBy(await list({ record: site._id }), ({ at }) => toIsoDay(at, net.context.configuration.timeZone))
    for (const { day, entries } of days) expect(listed.get(day)).toHaveLength(entries)
    expect(await sum({}, net.as(10))).toBe(0)
  })

  test('has one entry for a change of many records', async () => {
    const net = await setUp()
    const { make, list, site } = net
    const sites = [site, await make.site(), await make.site()]
    const phones = Object.fromEntries(sites.map(({ _id }) => [_id, '2095550177']))
    await write(net, 'Teddy Feng', new Date('2031-02-01T10:00:00Z'), phones)
    await write(net, 'Teddy Feng', new Date('2031-02-01T10:01:00Z'), { [site._id]: '2095550178' })
    const entries = await list({ actor: 'Teddy Feng' })
    expect(entries.map(({ counts, changeCount }) => [counts, changeCount])).toEqual([
      [[{ kind: 'site', action: 'update', records: 1 }], 1],
      [[{ kind: 'site', action: 'update', records: 3 }], 3],
    ])
    expect(new Set(entries[1]?.records.map(({ _id }) => _id))).toEqual(new Set(sites.map(({ _id }) => _id)))
    expect(await list({ actor: 'Teddy Feng', record: sites[2]?.slug })).toMatchObject([
      { changeCount: 1, records: [{ _id: sites[2]?._id }] },
    ])
  })

  test('returns all changes of a single entry', async () => {
    const net = await setUp()
    const { make, list, admin, as } = net
    const sites = []
    for (let n = 0; n < 25; n++) sites.push(await make.site())
    await write(net, 'Priyanka Deol', new Date('2031-03-01T10:00:00Z'), Object.fromEntries(sites.map(({ _id }) => [_id, '2095550155'])))
    const [entry] = await list({ actor: 'Priyanka Deol' })
    expect([entry?.changes.length, entry?.records.length, entry?.changeCount]).toEqual([20, 10, 25])
    const whole = await admin.send(readActivityEntry, { params: { id: entry?._id ?? '' } })
    expect([whole.changes.length, whole._id]).toEqual([25, entry?._id])
    expect((await as(10).trySend(readActivityEntry, { params: { id: entry?._id ?? '' } })).statusCode).toBe(404)
    expect((await admin.trySend(readActivityEntry, { params: { id: '999999999' } })).statusCode).toBe(404)
  })

  test('filters by record, person, region, kind and day', async () => {
    const { list, savePhone, admin, name, region, charter, site, brand, principal, make } = await setUp()
    await savePhone('209-555-0142')
    await admin.send(updatePerson, { params: { id: principal._id }, body: { phone: '209-555-0111' } })
    await admin.send(updateBrand, { params: { id: brand._id }, body: { websiteUrl: 'https://brand.example' } })
    await admin.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-345' } } })
    const own = { actor: name }
    const names = async (query: object) => (await list({ ...own, ...query })).flatMap(({ records }) => records.map((one) => one.name))
    expect(await names({})).toEqual([charter.name, brand.brandName, principal.name, site.displayName])
    expect(await names({ region: region.slug })).toEqual([charter.name, principal.name, site.displayName])
    expect(await names({ record: charter.slug })).toEqual([charter.name])
    expect(await names({ kind: 'charter_affair' })).toEqual([charter.name])
    expect(await names({ kind: 'site' })).toEqual([site.displayName])
    expect(await names({ kind: 'change' })).toHaveLength(4)
    expect(await names({ kind: 'request' })).toEqual([])
    expect(await names({ day: '2020-01-01' })).toEqual([])
    const today = toIsoDay(new Date(), 'America/Los_Angeles')
    expect(await names({ day: today, region: region._id, kind: 'person' })).toEqual([principal.name])
    const me = await make.person({ email: (await admin.who()).azureID, name: 'Another name' })
    expect(await list({ actor: me.slug })).toHaveLength(4)
    expect((await admin.trySend(readActivity, { query: { region: 'atlantis' } })).statusCode).toBe(404)
    for (const query of [{ kind: 'anything' }, { before: 'x' }, { day: 'today' }])
      expect((await admin.trySend(readActivity, { query: query as object })).statusCode).toBe(422)
  })

  test('lists everyone who changed something', async () => {
    const { admin, name, savePhone } = await setUp()
    await savePhone('209-555-0142')
    expect((await admin.send(readActivity, { query: { record: 'nothing' } })).people).toEqual(
      expect.arrayContaining([name, 'Test Factory']),
    )
  })

  test('names deleted records, and does not offer to restore values in them', async () => {
    const net = await setUp()
    const { context, make, list } = net
    const brand = await make.brand()
    await context.db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Remover' })
      await tx.deleteFrom('brand').where('_id', '=', brand._id).execute()
    })
    expect(await list({ actor: 'Remover' })).toMatchObject([
      { counts: [{ kind: 'brand', action: 'delete' }], records: [{ name: brand.brandName, slug: null }], changes: [{ canRestore: false }] },
    ])
  })

  test('includes changes of deadlines by people, not those that follow a text', async () => {
    const { admin, name, charter, list } = await setUp()
    await admin.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { wasc_visit_date: '06/30/2031' } } })
    const deadline = await admin.send(createDeadline, {
      body: { title: 'Annual report', date: '2031-06-30', kind: 'oversight', charter: charter._id },
    })
    await admin.send(updateDeadline, { params: { id: deadline._id }, body: { note: 'Called' } })
    const entries = await list({ actor: name, record: charter._id })
    expect(entries.map(({ records }) => records.map((one) => one.name))).toEqual([[`Annual report, ${charter.name}`], [charter.name]])
    expect(entries[0]).toMatchObject({ counts: [{ kind: 'deadline', action: 'insert' }], changeCount: 2 })
  })

  test('can be restored with the calls of the history', async () => {
    const { ofSite, savePhone, admin, site } = await setUp()
    await savePhone('209-555-0142')
    await admin.send(updateFacility, { params: { id: site._id }, body: { county: 'Yolo' } })
    const [entry] = await ofSite()
    expect(entry && toPaths(entry)).toEqual(['facility.county', 'site.phone'])
    for (const { _id } of entry?.changes ?? [])
      await admin.send(restoreFromHistory, { params: { kind: 'site', id: site._id, change: _id }, body: {} })
    const [after] = await ofSite()
    expect(after?.changes.slice(0, 2).map(({ fields }) => fields[0]?.to)).toEqual([null, null])
  })
})

describe('activity is visible to', () => {
  test('level 6, with charter affairs, administrators and requests, but without settings', async () => {
    const { as, context, charter, admin, list, make } = await setUp()
    await admin.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-345' } } })
    await admin.send(addMember, { params: { id: charter._id }, body: { board_member_name: 'Wendell Obi' } })
    await make.permission()
    await sql`update setting set value = value || '{"n": 1}'`.execute(context.db)
    await sql`insert into setting (name, value) values ('of activity', '{}')`.execute(context.db)
    const kinds = async (level: number) => new Set((await list({}, as(level))).flatMap(({ counts }) => counts.map(({ kind }) => kind)))
    expect([...(await kinds(6))]).toEqual(expect.arrayContaining(['charter_affair', 'permission']))
    expect((await kinds(6)).has('setting')).toBe(false)
    expect((await kinds(5)).has('setting')).toBe(true)
    expect([...(await kinds(7))]).toEqual([])
  })

  test('everyone else for the sites of their roles, their regions and their favorites, without charter affairs', async () => {
    const { make, as, list, charter, admin, region, site } = await setUp()
    const other = await make.site({ region: region._id })
    const third = await make.site({ region: (await make.region('Ohio'))._id })
    await admin.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-345' } } })
    const reader = as(10)
    const seen = async () => new Set((await list({}, reader)).flatMap(({ records }) => records.map(({ _id }) => _id)))
    expect(await seen()).toEqual(new Set())
    const person = await make.person({ email: (await reader.who()).azureID })
    await make.sitePerson(site._id, 'Principal', person._id)
    expect(await seen()).toEqual(new Set([site._id]))
    expect(await list({ record: other._id }, reader)).toEqual([])
    await make.sitePerson(site._id, 'Regional SRM', person._id)
    expect(await seen()).toContain(other._id)
    expect(await seen()).not.toContain(third._id)
    await reader.send(addFavorite, { params: { kind: 'site', id: third.slug } })
    await reader.send(addFavorite, { params: { kind: 'charter', id: charter.slug } })
    expect(await seen()).toContain(third._id)
    expect(await list({ record: charter._id }, reader)).toMatchObject([{ records: [{ _id: charter._id }] }])
    expect((await list({}, reader)).flatMap(({ changes }) => changes.filter(({ canRestore }) => canRestore))).toEqual([])
    expect(await list({ kind: 'charter_affair' }, reader)).toEqual([])
  })
})

describe('pages of activity', () => {
  /** Sites that change one after the other, so that each change is a separate entry. */
  const prepare = async () => {
    const app = await startApp()
    const admin = app.as(5)
    const sites: { readonly _id: string }[] = []
    for (let n = 0; n < 130; n++) sites.push(await app.make.site())
    const page = (before?: string) => admin.send(readActivity, { query: { kind: 'site', ...(before === undefined ? {} : { before }) } })
    const save = (n: number, phone: string) => admin.send(updateSite, { params: { id: sites[n]?._id ?? '' }, body: { address: { phone } } })
    return { ...app, admin, sites, page, save }
  }
  const toIds = (entries: readonly ActivityEntry[]) => entries.flatMap(({ changes }) => changes.map(({ _id }) => _id))

  test('contain every change once while others save', async () => {
    const { page, save, context, stop } = await prepare()
    const all = await sql<{ _id: string }>`select _id::text from change where "table" = 'site' order by change._id desc`.execute(context.db)
    const ids: string[] = []
    let before: string | undefined
    let pages = 0
    do {
      const answer = await page(before)
      expect(answer.entries.length).toBeLessThanOrEqual(50)
      ids.push(...toIds(answer.entries))
      before = answer.before ?? undefined
      // Changes a record on an earlier page, and one on a later page.
      await save(129, `209555${1000 + pages}`)
      await save(3, `209555${2000 + pages}`)
      pages++
    } while (before !== undefined)
    expect(pages).toBe(3)
    expect(ids).toEqual(all.rows.map(({ _id }) => _id))
    await stop()
  })

  test('count new entries, and contain them after a reload', async () => {
    const { page, save, admin, stop } = await prepare()
    const { upTo } = await page()
    const countOf = async (since: string) => (await admin.send(countNewActivity, { query: { since, kind: 'site' } })).entries
    expect(await countOf(upTo)).toBe(0)
    await save(1, '2095550001')
    await save(1, '2095550002')
    await save(2, '2095550003')
    expect(await countOf(upTo)).toBe(2)
    expect((await page()).entries.slice(0, 2).map(({ changeCount }) => changeCount)).toEqual([1, 2])
    await stop()
  })

  test('hold back changes after one that is not committed yet', async () => {
    const { page, save, context, sites, stop } = await prepare()
    const first = await page()
    const held = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const late = context.db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Late' })
      await tx
        .updateTable('site')
        .set({ phone: '2095550009' })
        .where('_id', '=', sites[5]?._id ?? '')
        .execute()
      written.resolve()
      await held.promise
    })
    await written.promise
    await save(6, '2095550010')
    const second = await page()
    expect([second.upTo, second.entries[0]?._id]).toEqual([first.upTo, first.entries[0]?._id])
    held.resolve()
    await late
    const third = await page()
    expect(third.entries.slice(0, 2).map(({ by }) => by)).toContain('Late')
    expect(third.entries[2]?._id).toBe(first.entries[0]?._id)
    await stop()
  })
})

describe('activity contains', () => {
  test('checks, separate from changes', async () => {
    const { admin, name, site, list, savePhone } = await setUp()
    await admin.send(createCheck, { body: { kind: 'site', _id: site._id } })
    expect(await list({ actor: name })).toMatchObject([{ act: 'check', counts: [{ kind: 'site', action: 'check', records: 1 }] }])
    await savePhone('209-555-0142')
    expect(await list({ actor: name })).toMatchObject([{ act: 'change', counts: [{ action: 'update' }], changeCount: 2 }])
    expect(await list({ actor: name, kind: 'check' })).toMatchObject([{ act: 'check', changeCount: 1 }])
    expect(await list({ actor: name, kind: 'change' })).toMatchObject([{ act: 'change', changeCount: 1 }])
  })

  test('suggested changes, separate from requests in plain words', async () => {
    const { as, site, list } = await setUp()
    const sender = as(10)
    const { name } = await sender.who()
    await sender.send(createProposal, { body: { record: { kind: 'site', _id: site._id }, changes: { 'address.phone': '209-555-0199' } } })
    await sender.send(sendChangeRequest, { body: { site: site._id, location: null, correctText: 'The gate is blue' } })
    expect(await list({ actor: name, kind: 'suggestion' })).toMatchObject([
      { act: 'suggestion', records: [{ kind: 'request', name: site.displayName }] },
    ])
    expect(await list({ actor: name, kind: 'request' })).toMatchObject([{ act: 'request', records: [{ name: site.displayName }] }])
    expect(JSON.stringify(await list({ actor: name }))).not.toContain('claimed')
    expect(await list({ actor: name }, sender)).toEqual([])
  })
})
