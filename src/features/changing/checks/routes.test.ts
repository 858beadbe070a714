import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../../test/support/app.ts'
import { DAY_MS } from '../../../contract/dates.ts'
import { SEEN_HEADER } from '../../../contract/seen-form.ts'
import { updateCharter, viewCharter } from '../../../records/charters/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { readPerson, updatePerson } from '../../../records/people/contract.ts'
import { addSiteStaff } from '../../../records/site-staff/contract.ts'
import { createSite, listSites, listSiteSummaries, readSite, updateSite } from '../../../records/sites/contract.ts'
import { applyBulkChange } from '../changesets/contract.ts'
import { readHistory, restoreFromHistory } from '../history/contract.ts'
import { createCheck, createChecks, deleteCheck, listChecks, readCheckSettings, saveCheckSettings } from './contract.ts'

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)

const ROLES = { LEADERSHIP: 'Principal', STUDENT_SUPPORT: 'Registrar' } as const

const setUp = async (net?: TestApp) => {
  const all = net ?? (await network())
  const { make, as } = all
  const charter = await make.charter()
  const site = await make.site({ charter: charter._id })
  const manager = as(6)
  const read = () => manager.send(readSite, { params: { slug: site._id } })
  const readChanges = async () => (await manager.send(readHistory, { params: { kind: 'site', id: site._id } })).changes
  /** A signed-in person in the directory, with a role of the group at the site. */
  const someoneWith = async (group: 'LEADERSHIP' | 'STUDENT_SUPPORT' | null) => {
    const caller = as(10)
    const { azureID } = await caller.who()
    const person = await make.person({ email: azureID.toUpperCase() })
    if (group !== null) await make.sitePerson(site._id, ROLES[group], person._id)
    return { caller, person }
  }
  return { ...all, charter, site, manager, read, readChanges, someoneWith }
}

const check = (kind: 'site' | 'person' | 'charter', _id: string) => ({ body: { kind, _id } })

/** The header of a save from a form that was seen as a whole. */
const seen = { headers: { [SEEN_HEADER]: 'yes' } }

describe('a saved change', () => {
  test('of a form that was seen as a whole is a check by the person who saved it, in the same version and the same entry of the history', async () => {
    const { site, manager, read, readChanges } = await setUp()
    expect(await read()).toMatchObject({ checkedAt: null, checkedBy: null, version: 1 })
    const saved = await manager.send(updateSite, { params: { id: site._id }, body: { finance_id: '04127' }, ...seen })
    const { name } = await manager.who()
    expect(saved).toMatchObject({ version: 2, checkedAt: saved.updatedAt, checkedBy: name })
    expect(await read()).toMatchObject({ version: 2, checkedAt: saved.updatedAt })
    const changes = await readChanges()
    expect(changes.map(({ action, fields }) => [action, fields.map(({ field }) => field)])).toEqual([
      ['update', ['finance_id']],
      ['insert', expect.not.arrayContaining(['checkedAt', 'checkedBy', 'checkVersion'])],
    ])
  })

  test.each(['on the direct path', 'on the locked path'])('without that is not a check, %s', async (path) => {
    const { site, manager, read, make } = await setUp()
    await manager.send(createCheck, check('site', site._id))
    const { checkedAt } = await read()
    const body = path === 'on the direct path' ? { address: { fax: '6615550142' } } : { charter: (await make.charter())._id }
    const other = (await network()).as(6)
    await other.send(updateSite, { params: { id: site._id }, body })
    expect(await read()).toMatchObject({ version: 2, checkedAt, checkedBy: (await manager.who()).name })
  })

  test.each<Record<string, string>>([{ [SEEN_HEADER]: 'yes' }, {}])(
    'of a part of a site is not a check of the site, with %j',
    async (headers) => {
      const { site, manager, read, make } = await setUp()
      await manager.send(updateFacility, { params: { id: site._id }, body: { county: 'Kern' }, headers })
      const person = await make.person()
      const staff = { person: person._id, role_match: (await make.role())._id }
      await manager.send(addSiteStaff, { params: { id: site._id }, body: staff, headers })
      expect(await read()).toMatchObject({ version: 1, checkedAt: null, checkedBy: null })
    },
  )

  test('of many records is not a check', async () => {
    const { site, manager, read } = await setUp()
    await manager.send(applyBulkChange, { body: { kind: 'site', ids: [site._id], changes: { 'address.fax': '6615550142' } } })
    expect(await read()).toMatchObject({ version: 2, checkedAt: null })
  })

  test('by a program is not a check, whatever it sends', async () => {
    const { site, manager, read } = await setUp()
    const program = await manager.program()
    await program.send(updateSite, { params: { id: site._id }, body: { finance_id: '04127' }, ...seen })
    expect(await read()).toMatchObject({ version: 2, finance_id: '04127', checkedAt: null })
  })

  test('of a person or a charter is a check too, and so is a new site', async () => {
    const { charter, make, manager } = await setUp()
    const { name } = await manager.who()
    const person = await make.person()
    const saved = await manager.send(updatePerson, { params: { id: person._id }, body: { phone: '661-555-0142' }, ...seen })
    expect(saved).toMatchObject({ checkedAt: saved.updatedAt, checkedBy: name })
    const renamed = await manager.send(updateCharter, { params: { id: charter._id }, body: { abbreviation: 'MVC' }, ...seen })
    expect(renamed).toMatchObject({ checkedAt: renamed.updatedAt, checkedBy: name })
    const created = await manager.send(createSite, { body: newSite(charter._id, (await make.region())._id) })
    expect(created).toMatchObject({ checkedAt: created.updatedAt, checkedBy: name })
  })

  test('by an import is not a check', async () => {
    const { site, read, context, catchUp } = await setUp()
    await sql`update site set finance_id = '1' where _id = ${site._id}`.execute(context.db)
    await sql`update facility set county = 'Kern' where site = ${site._id}`.execute(context.db)
    await catchUp()
    expect(await read()).toMatchObject({ version: 2, finance_id: '1', checkedAt: null, checkedBy: null })
  })

  test('without an effect is not a check', async () => {
    const { site, manager, read } = await setUp()
    await manager.send(updateSite, { params: { id: site._id }, body: { displayName: site.displayName }, ...seen })
    expect(await read()).toMatchObject({ version: 1, checkedAt: null })
  })
})

const newSite = (charter: string, region: string) =>
  ({
    displayName: 'A New Site',
    name: 'A New Site',
    region,
    category: 'Resource Center',
    charter,
    address: { address_1: '1 Fifth Avenue', city: 'Bakersfield', state: 'CA', zip: '93309', phone: '661-555-0142' },
    enrollment_info: { registrationEmail: ['a@b.test'], interestEmail: ['a@b.test'] },
  }) as never

describe('"Everything is right"', () => {
  test('changes neither the version nor the time of the record, so that an open form can still be saved', async () => {
    const { site, manager, read, readChanges } = await setUp()
    const before = await read()
    const done = await manager.send(createCheck, check('site', site._id))
    const { name } = await manager.who()
    expect(done).toMatchObject({ kind: 'site', _id: site._id, checkedBy: name })
    expect(Math.abs(Date.parse(done.checkedAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await read()).toEqual({ ...before, checkedAt: done.checkedAt, checkedBy: name })
    const [summary] = (await manager.send(listSiteSummaries)).filter(({ _id }) => _id === site._id)
    expect(summary?.checkedAt).toBe(done.checkedAt)
    const [row] = (await manager.send(listSites)).filter(({ _id }) => _id === site._id)
    expect(row).toMatchObject({ checkedAt: done.checkedAt, checkedBy: name, version: 1 })
    const saved = await manager.send(updateSite, {
      params: { id: site._id },
      body: { finance_id: '2' },
      headers: { 'if-match': `"${before.version}"` },
    })
    expect(saved.version).toBe(2)
    expect((await readChanges()).map(({ action, by, part, version }) => [action, by, part, version])).toEqual([
      ['update', name, 'site', 2],
      ['check', name, 'site', 2],
      ['insert', 'Test Factory', 'site', 2],
    ])
  })

  test('is allowed with a leadership role at the site, or the permission to edit it', async () => {
    const { site, someoneWith, manager } = await setUp()
    for (const group of ['STUDENT_SUPPORT', null] as const) {
      const { caller } = await someoneWith(group)
      expect((await caller.trySend(createCheck, check('site', site._id))).statusCode).toBe(403)
    }
    const { caller } = await someoneWith('LEADERSHIP')
    expect((await caller.trySend(createCheck, check('site', site.slug))).statusCode).toBe(200)
    expect((await caller.trySend(createCheck, check('site', 'nothing'))).statusCode).toBe(404)
    expect((await manager.trySend(createCheck, check('person', 'nobody'))).statusCode).toBe(404)
    expect((await manager.trySend(createCheck, { body: { kind: 'brand', _id: 'x' } as never })).statusCode).toBe(422)
  })

  test('is allowed to a person for their own record, and for a charter with the permission to edit it', async () => {
    const { charter, someoneWith, manager } = await setUp()
    const { caller, person } = await someoneWith('LEADERSHIP')
    const { person: other } = await someoneWith(null)
    expect(await caller.send(createCheck, check('person', person._id))).toMatchObject({ checkedBy: (await caller.who()).name })
    expect((await caller.trySend(createCheck, check('person', other._id))).statusCode).toBe(403)
    expect((await caller.trySend(createCheck, check('charter', charter._id))).statusCode).toBe(403)
    const { name } = await manager.who()
    await manager.send(createCheck, check('person', other._id))
    expect(await manager.send(readPerson, { params: { slug: other._id } })).toMatchObject({ checkedBy: name, version: 1 })
    await manager.send(createCheck, check('charter', charter._id))
    expect(await manager.send(viewCharter, { params: { id: charter._id } })).toMatchObject({ checkedBy: name, version: 1 })
  })

  test('can be undone by the same person, and the check before it counts again', async () => {
    const { site, manager, as, read, readChanges } = await setUp()
    const first = await as(6).send(createCheck, check('site', site._id))
    await manager.send(createCheck, check('site', site._id))
    const params = { kind: 'site', id: site._id } as const
    expect((await as(6).trySend(deleteCheck, { params })).statusCode).toBe(409)
    expect(await manager.send(deleteCheck, { params })).toEqual(first)
    expect(await read()).toMatchObject({ checkedAt: first.checkedAt, checkedBy: first.checkedBy, version: 1 })
    // A check can be undone only once.
    expect((await manager.trySend(deleteCheck, { params })).statusCode).toBe(409)
    expect((await readChanges()).map(({ action }) => action)).toEqual(['uncheck', 'check', 'check', 'insert'])
  })

  test('cannot be undone once the record was changed', async () => {
    const { site, manager } = await setUp()
    await manager.send(createCheck, check('site', site._id))
    await manager.send(updateFacility, { params: { id: site._id }, body: { county: 'Kern' } })
    expect((await manager.trySend(deleteCheck, { params: { kind: 'site', id: site._id } })).statusCode).toBe(409)
  })

  test('has nothing to restore in the history', async () => {
    const { site, manager, readChanges } = await setUp()
    await manager.send(createCheck, check('site', site._id))
    const [change] = await readChanges()
    expect(change).toMatchObject({ action: 'check', canRestore: false, fields: [] })
    const params = { kind: 'site', id: site._id, change: change?._id ?? '' } as const
    expect((await manager.trySend(restoreFromHistory, { params, body: {} })).statusCode).toBe(409)
  })

  test('is reported to the lists of other servers, and so is undoing it', async () => {
    const app = await startApp()
    const site = await app.make.site()
    const second = await app.startSecond()
    const [manager, reader] = [app.as(6), second.as(10)]
    const readThere = async () => (await reader.send(readSite, { params: { slug: site._id } })).checkedBy
    expect(await readThere()).toBeNull()
    await manager.send(createCheck, check('site', site._id))
    await expect.poll(readThere).toBe((await manager.who()).name)
    await manager.send(deleteCheck, { params: { kind: 'site', id: site._id } })
    await expect.poll(readThere).toBeNull()
    await app.stop()
  })
})

describe('the records to check', () => {
  test('are all that are due for level 6, and for others those they are responsible for', async () => {
    const net = await startApp()
    const { site, someoneWith, manager, make, charter } = await setUp(net)
    const { caller, person } = await someoneWith('LEADERSHIP')
    const [never, fresh, closed] = [
      await make.site({ charter: charter._id, displayName: 'Never Checked' }),
      await make.site({ checkedAt: daysAgo(179), checkedBy: 'Ana Ruiz' }),
      await make.site({ status: 'CLOSED - PERMANENTLY' }),
    ]
    const old = await make.site({
      checkedAt: daysAgo(181),
      checkedBy: 'Ana Ruiz',
      displayName: 'Old',
      region: (await make.region('Ohio'))._id,
    })
    const list = async (query: object, as = manager) => await as.send(listChecks, { query })
    const due = await list({ due: 'true' })
    expect(due.map(({ _id }) => _id)).toEqual([never._id, site._id, old._id])
    expect(due[0]).toMatchObject({ kind: 'site', slug: never.slug, name: 'Never Checked', isDue: true, checkedAt: null, dueSince: null })
    expect(due[2]).toEqual({
      kind: 'site',
      _id: old._id,
      slug: old.slug,
      name: 'Old',
      region: { _id: old.region, slug: 'ohio', name: 'Ohio' },
      checkedAt: daysAgoOf(old),
      checkedBy: 'Ana Ruiz',
      isDue: true,
      dueSince: new Date(Date.parse(daysAgoOf(old)) + 180 * DAY_MS).toISOString(),
    })
    expect((await list({})).map(({ _id }) => _id)).toEqual([never._id, site._id, old._id, fresh._id])
    expect((await list({ due: 'true', region: 'ohio' })).map(({ _id }) => _id)).toEqual([old._id])
    expect((await list({ due: 'true', limit: 1 })).length).toBe(1)
    expect((await manager.trySend(listChecks, { query: { region: 'atlantis' } })).statusCode).toBe(404)
    expect((await list({ due: 'true' }, caller)).map(({ _id }) => _id)).toEqual([site._id])
    expect(await list({ due: 'true' }, net.as(10))).toEqual([])

    await caller.send(createCheck, check('site', site._id))
    expect(await list({ due: 'true' }, caller)).toEqual([])
    expect((await list({ due: 'true' })).map(({ _id }) => _id)).toEqual([never._id, old._id])
    await manager.send(updateSite, { params: { id: closed._id }, body: { status: 'PENDING' } })
    await manager.send(updateSite, { params: { id: never._id }, body: { status: 'CLOSED - TEMPORARILY' } })
    expect((await list({})).map(({ _id }) => _id)).toEqual([closed._id, old._id, fresh._id, site._id])

    // A check does not make an open settings form stale, nor vice versa.
    await net.as(5).send(saveCheckSettings, { body: { intervals: { site: null, person: 30 } } })
    expect((await list({ due: 'true' }, caller)).map(({ kind, _id }) => [kind, _id])).toEqual([['person', person._id]])
    expect(new Set((await list({ due: 'true' })).map(({ kind }) => kind))).toEqual(new Set(['person']))
    await net.stop()
  })
})

const daysAgoOf = ({ checkedAt }: { checkedAt: Date | null }): string => checkedAt?.toISOString() ?? ''

describe('the settings', () => {
  test('define after how many days a check is due, and are validated', async () => {
    const net = await startApp()
    const officer = net.as(5)
    expect(await net.as(10).send(readCheckSettings)).toMatchObject({ intervals: { site: 180, person: null, charter: null }, version: 0 })
    const save = (intervals: object, headers = {}) => officer.trySend(saveCheckSettings, { body: { intervals }, headers })
    expect((await save({ site: 90, charter: 365 })).json()).toMatchObject({
      intervals: { site: 90, person: null, charter: 365 },
      version: 1,
    })
    expect((await save({ site: null }, { 'if-match': '"1"' })).json()).toMatchObject({
      intervals: { site: null, person: null, charter: 365 },
    })
    expect((await save({ site: 30 }, { 'if-match': '"1"' })).statusCode).toBe(412)
    for (const wrong of [0, -1, 1.5, '90', 4000]) {
      const response = await save({ site: wrong })
      expect([response.statusCode, response.json().errors?.[0]?.path]).toEqual([422, 'intervals.site'])
    }
    expect((await save({ brand: 10 })).statusCode).toBe(422)
    expect((await net.as(6).trySend(saveCheckSettings, { body: { intervals: {} } })).statusCode).toBe(403)
    await net.stop()
  })
})

describe('a check of many records', () => {
  test('is all or nothing: one record that the caller may not check refuses the others', async () => {
    const { site, someoneWith, manager, make, context } = await setUp()
    const other = await make.site()
    const { caller } = await someoneWith('LEADERSHIP')
    const body = { kind: 'site' as const, ids: [site._id, other.slug] }
    const readChecked = async () =>
      (await context.db.selectFrom('site').select('checkedBy').where('_id', 'in', [site._id, other._id]).execute()).map(
        ({ checkedBy }) => checkedBy,
      )
    const before = await readChecked()
    expect((await caller.trySend(createChecks, { body })).statusCode).toBe(403)
    expect(await readChecked()).toEqual(before)
    expect(await manager.send(createChecks, { body })).toEqual({ checked: 2 })
    const { name } = await manager.who()
    expect(await readChecked()).toEqual([name, name])
  })
})
