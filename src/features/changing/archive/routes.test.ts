import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../../test/support/app.ts'
import { toNewCharter, toNewSite } from '../../../../test/support/new-records.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import type { Call } from '../../../contract/call.ts'
import type { RecordKind } from '../../../contract/records.ts'
import { listBrands, readBrand } from '../../../records/brands/contract.ts'
import { addMember, saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { createCharter, listCharters, readCharter, updateCharter } from '../../../records/charters/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { listPeople, readPerson, updatePerson } from '../../../records/people/contract.ts'
import { listRegions, readRegion } from '../../../records/regions/contract.ts'
import { createSisSite } from '../../../records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../records/site-staff/contract.ts'
import { createSite, listSites, readSite, updateSite } from '../../../records/sites/contract.ts'
import { createDeadline } from '../../deadlines/deadlines/contract.ts'
import { applyBulkChange, planChange, previewBulkChange, undoSaves } from '../changesets/contract.ts'
import { createCheck } from '../checks/contract.ts'
import { readHistory } from '../history/contract.ts'
import { createProposal, sendChangeRequest } from '../requests/contract.ts'
import { archiveRecord, type ArchiveState, readArchiveState, restoreRecord } from './contract.ts'

type Caller = ReturnType<TestApp['as']>
type Kind = ArchiveState['kind']
const archive = (caller: Caller, kind: Kind, _id: string, headers: Record<string, string> = {}) =>
  caller.trySend(archiveRecord, { body: { kind, _id, reason: 'Made by mistake' }, headers })
const restore = (caller: Caller, kind: Kind, id: string) => caller.trySend(restoreRecord, { params: { kind, id } })
const NEEDED = { as: (kind: string) => `This ${kind} is still needed` }

/** A record of each kind that nothing needs, with where it is read and listed. */
const RECORDS: readonly {
  readonly kind: RecordKind
  readonly make: (app: Pick<TestApp, 'make'>) => Promise<{ readonly _id: string; readonly slug: string }>
  readonly read: Call
  readonly parameter: string
  readonly list: Call
}[] = [
  { kind: 'person', make: ({ make }) => make.person(), read: readPerson, parameter: 'slug', list: listPeople },
  { kind: 'site', make: ({ make }) => make.site(), read: readSite, parameter: 'slug', list: listSites },
  { kind: 'charter', make: ({ make }) => make.charter(), read: readCharter, parameter: 'slug', list: listCharters },
  { kind: 'brand', make: ({ make }) => make.brand(), read: readBrand, parameter: 'id', list: listBrands },
  { kind: 'region', make: ({ make }) => make.region('Ohio'), read: readRegion, parameter: 'slug', list: listRegions },
]

const listIds = async (caller: Caller, list: Call, query = ''): Promise<string[]> =>
  (await caller.request('GET', `${list.path}${query}`)).json<{ _id: string }[]>().map(({ _id }) => _id)

describe('a record of any kind', () => {
  test.each(RECORDS)('$kind: archived by level 6 with a reason, in no list, under Archived, and restored', async (of) => {
    const app = await network()
    const { kind, read, parameter, list } = of
    const { _id, slug } = await of.make(app)
    const manager = app.as(6)
    const everyone = app.as(10)
    const readIt = async () => (await everyone.trySend(read, { params: { [parameter]: _id } } as never)).json()
    expect(await listIds(everyone, list)).toContain(_id)
    expect((await archive(app.as(7), kind, _id)).statusCode).toBe(403)

    const archived = await archive(manager, kind, slug)
    const { name } = await manager.who()
    const state = { kind, _id, archived: { at: expect.stringMatching(/Z$/), by: name, reason: 'Made by mistake' }, needs: [] }
    expect([archived.statusCode, archived.json()]).toEqual([200, state])
    expect(await listIds(everyone, list)).not.toContain(_id)
    expect(await listIds(everyone, list, '?archived=1')).toEqual([_id])
    expect(await readIt()).toMatchObject({ _id, archived: state.archived })
    expect(await manager.send(readArchiveState, { params: { kind, id: _id } })).toEqual(state)
    expect((await archive(manager, kind, _id)).json()).toMatchObject({ status: 409, title: `This ${kind} is archived already` })

    expect((await restore(app.as(7), kind, _id)).statusCode).toBe(403)
    const restored = await restore(manager, kind, _id)
    expect([restored.statusCode, restored.json()]).toEqual([200, { ...state, archived: null }])
    expect(await listIds(everyone, list)).toContain(_id)
    expect(await listIds(everyone, list, '?archived=1')).toEqual([])
    expect(await readIt()).not.toHaveProperty('archived')
    expect((await restore(manager, kind, _id)).json()).toMatchObject({ status: 409, title: `This ${kind} is not archived` })
    const { changes } = await manager.send(readHistory, { params: { kind, id: _id } })
    expect(changes.slice(0, 2).map(({ fields }) => fields.map(({ field }) => field).toSorted())).toEqual([
      ['archivedAt', 'archivedReason'],
      ['archivedAt', 'archivedReason'],
    ])
  })

  test('needs a reason, a known kind and a record that exists', async () => {
    const { as, site } = await network()
    const manager = as(6)
    const send = (body: object) => manager.request('POST', '/api/archive', { payload: body })
    const first = async (body: object) => {
      const { status, errors } = (await send(body)).json<{ status: number; errors: { path: string; message: string }[] }>()
      return [status, errors[0]?.path, errors[0]?.message]
    }
    expect(await first({ kind: 'site', _id: site._id, reason: '  ' })).toEqual([422, 'reason', 'This field is required'])
    expect(await first({ kind: 'site', _id: site._id, reason: 'x'.repeat(301) })).toEqual([422, 'reason', 'Use at most 300 characters'])
    expect(await first({ kind: 'building', _id: site._id, reason: 'A mistake' })).toMatchObject([422, 'kind', expect.any(String)])
    expect((await send({ kind: 'site', _id: 'nowhere', reason: 'A mistake' })).json()).toMatchObject({
      status: 404,
      title: 'Site could not be found',
    })
  })

  test('is not archived if it was saved after it was opened', async () => {
    const { as, make } = await network()
    const { _id } = await make.site()
    const saved = await as(6).send(updateSite, { params: { id: _id }, body: { finance_id: '04127' } })
    expect((await archive(as(6), 'site', _id, { 'if-match': '"1"' })).statusCode).toBe(412)
    expect((await archive(as(6), 'site', _id, { 'if-match': `"${saved.version}"` })).statusCode).toBe(200)
  })
})

describe('what in use needs a record', () => {
  test('keeps it from being archived, with the reasons, until it is given away', async () => {
    const { as, make } = await network()
    const manager = as(6)
    const brand = await make.brand({ brandName: 'Cedar' })
    const charter = await make.charter({ brand: brand._id, name: 'Cedar High' })
    const region = await make.region('Michigan')
    const site = await make.site({ charter: charter._id, region: region._id, displayName: 'Cedar Lodi' })
    const person = await make.person({ name: 'Hannah Ashworth' })
    await make.sitePerson(site._id, 'Principal', person._id)
    await make.sitePerson(site._id, 'Registrar', person._id)
    const refused = async (kind: Kind, _id: string) => {
      const answer = (await archive(manager, kind, _id)).json<{ status: number; title: string; detail: string; errors: object[] }>()
      const { needs, archived } = await manager.send(readArchiveState, { params: { kind, id: _id } })
      expect([answer.status, answer.title, archived]).toEqual([409, NEEDED.as(kind), null])
      expect(answer.detail).toBe(`Give these away first: ${needs.map(({ text }) => text).join('; ')}.`)
      return { errors: answer.errors, needs }
    }
    const toRecord = (kind: RecordKind, { _id, slug }: { _id: string; slug: string }, name: string) => ({ kind, _id, slug, name })

    expect(await refused('brand', brand._id)).toEqual({
      errors: [{ path: 'charter', message: '1 charter that is not closed: Cedar High' }],
      needs: [{ text: '1 charter that is not closed', records: [toRecord('charter', charter, 'Cedar High')], path: null }],
    })
    expect((await refused('charter', charter._id)).needs).toMatchObject([{ text: '1 site that is not closed' }])
    expect((await refused('region', region._id)).needs).toMatchObject([{ text: '1 site that is not closed' }])
    expect((await refused('site', site._id)).needs).toEqual([
      { text: '1 person on its staff', records: [toRecord('person', person, 'Hannah Ashworth')], path: null },
    ])
    expect((await refused('person', person._id)).needs).toEqual([
      { text: 'On the staff of 1 site', records: [toRecord('site', site, 'Cedar Lodi')], path: null },
    ])

    for (const { role_match } of (await manager.send(readSite, { params: { slug: site._id } })).people)
      await manager.send(removeSiteStaff, { params: { id: site._id }, body: { person_id: person._id, role_id: role_match._id } })
    for (const [kind, { _id }] of [
      ['person', person],
      ['site', site],
      ['charter', charter],
      ['brand', brand],
      ['region', region],
    ] as const)
      expect((await archive(manager, kind, _id)).statusCode, kind).toBe(200)
    for (const [kind, { _id }] of [
      ['region', region],
      ['brand', brand],
      ['charter', charter],
      ['site', site],
    ] as const)
      expect((await restore(manager, kind, _id)).statusCode, kind).toBe(200)
  })

  test('is a deadline or a permission record of a person', async () => {
    const { as, make, context } = await network()
    const site = await make.site()
    const [owner, administrator] = [await make.person(), await make.person()]
    await as(5).send(createDeadline, {
      body: { site: site._id, kind: 'lease', title: 'Fire drill', date: '2031-05-05', responsible: owner._id },
    } as never)
    await make.permission({ person: administrator._id, applicationID: context.configuration.appId })
    const needs = async (id: string) =>
      (await as(6).send(readArchiveState, { params: { kind: 'person', id } })).needs.map(({ text, path }) => [text, path])
    expect(await needs(owner._id)).toEqual([['Responsible for 1 deadline', `/deadlines?responsible=${owner._id}`]])
    expect(await needs(administrator._id)).toEqual([['Access at level 5', '/permissions']])
    expect((await archive(as(6), 'person', owner._id)).statusCode).toBe(409)
    expect((await archive(as(6), 'person', administrator._id)).statusCode).toBe(409)
  })

  test('is no closed record; one is opened, or restored, only after what it refers to', async () => {
    const { as, make } = await network()
    const manager = as(6)
    const charter = await make.charter()
    const [closed, mistake] = [
      await make.site({ charter: charter._id, status: 'CLOSED - PERMANENTLY' }),
      await make.site({ charter: charter._id }),
    ]
    expect((await archive(manager, 'site', mistake._id)).statusCode).toBe(200)
    expect((await archive(manager, 'charter', charter._id)).statusCode).toBe(200)
    const title = 'This charter is archived'
    const opened = () => manager.trySend(updateSite, { params: { id: closed._id }, body: { status: 'ACTIVE' } })
    expect((await opened()).json()).toMatchObject({ status: 409, title, detail: 'Restore it first.' })
    expect((await restore(manager, 'site', mistake._id)).json()).toMatchObject({ status: 409, title })
    expect((await manager.send(updateSite, { params: { id: closed._id }, body: { finance_id: '04127' } })).finance_id).toBe('04127')
    expect((await restore(manager, 'charter', charter._id)).statusCode).toBe(200)
    expect((await opened()).statusCode).toBe(200)
    expect((await restore(manager, 'site', mistake._id)).statusCode).toBe(200)
  })

  test.each([false, true])(
    'someone who gets a role while they are archived: one of the two is refused (role first: %s)',
    async (isRoleFirst) => {
      const { as, make, context } = await startApp()
      const [site, person] = [await make.site(), await make.person()]
      const { _id: role } = await make.role()
      const holder = await context.pool.connect()
      await holder.query('begin')
      await holder.query('select from person where _id = $1 for update', [person._id])
      const waiting = (count: number) =>
        waitUntil(`${count} saves wait`, async () => {
          const { rows } = await context.pool.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return (rows[0]?.count ?? 0) >= count
        })
      const sends = [
        () => archive(as(6), 'person', person._id),
        () => as(6).trySend(addSiteStaff, { params: { id: site._id }, body: { person: person._id, role_match: role } }),
      ]
      const order = isRoleFirst ? sends.toReversed() : sends
      const answers = []
      for (const [at, send] of order.entries()) {
        answers.push(send())
        await waiting(at + 1)
      }
      await holder.query('commit')
      holder.release()
      const codes = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
      expect(codes[0]).toBe(200)
      expect(codes[1]).toBeGreaterThanOrEqual(400)
      const { rows } = await sql<{ isBoth: boolean }>`
      select "archivedAt" is not null and exists (select from site_person where person = person._id) as "isBoth" from person where _id = ${person._id}`.execute(
        context.db,
      )
      expect(rows[0]?.isBoth).toBe(false)
    },
  )
})

describe('an archived record', () => {
  const setUp = async () => {
    const app = await network()
    const charter = await app.make.charter()
    const site = await app.make.site({ charter: charter._id, phone: '(209) 555-0142' })
    const person = await app.make.person()
    await app.make.affair({ charter: charter._id })
    const manager = app.as(1)
    for (const [kind, { _id }] of [
      ['site', site],
      ['charter', charter],
      ['person', person],
    ] as const)
      expect((await archive(manager, kind, _id)).statusCode).toBe(200)
    return { ...app, charter, site, person, manager }
  }

  test('is not edited in any way, and says so', async () => {
    const { manager, charter, site, person, make } = await setUp()
    const { _id: role } = await make.role()
    const other = await make.site()
    const plan = { kind: 'site', _id: site._id, day: '2099-01-01', changes: { finance_id: '04127' } } as const
    const bulk = { kind: 'site' as const, ids: [site._id], changes: { finance_id: '04127' } }
    const refusals: readonly (readonly [what: string, kind: string, answer: Awaited<ReturnType<typeof archive>>])[] = [
      ['edit', 'site', await manager.trySend(updateSite, { params: { id: site._id }, body: { finance_id: '04127' } })],
      ['part', 'site', await manager.trySend(updateFacility, { params: { id: site._id }, body: { county: 'Lodi' } })],
      ['SIS site', 'site', await manager.trySend(createSisSite, { body: { name: 'Lodi IS', site: site._id } })],
      [
        'staff',
        'site',
        await manager.trySend(addSiteStaff, { params: { id: site._id }, body: { person: (await make.person())._id, role_match: role } }),
      ],
      ['check', 'site', await manager.trySend(createCheck, { body: { kind: 'site', _id: site._id } })],
      ['plan', 'site', await manager.trySend(planChange, { body: plan })],
      ['many', 'site', await manager.trySend(applyBulkChange, { body: bulk })],
      [
        'suggestion',
        'site',
        await manager.trySend(createProposal, { body: { record: { kind: 'site', _id: site._id }, changes: { finance_id: '04127' } } }),
      ],
      ['request', 'site', await manager.trySend(sendChangeRequest, { body: { site: site._id, correctText: 'Wrong number' } })],
      ['person', 'person', await manager.trySend(updatePerson, { params: { id: person._id }, body: { phone: '(209) 555-0100' } })],
      [
        'role',
        'person',
        await manager.trySend(addSiteStaff, { params: { id: other._id }, body: { person: person._id, role_match: role } }),
      ],
      ['leaving', 'person', await manager.request('POST', `/api/people/${person._id}/leaving`, { payload: {} })],
      ['charter', 'charter', await manager.trySend(updateCharter, { params: { id: charter._id }, body: { name: 'Another' } })],
      [
        'affair',
        'charter',
        await manager.trySend(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-3456789' } } }),
      ],
      ['member', 'charter', await manager.trySend(addMember, { params: { id: charter._id }, body: { board_member_name: 'Ruth' } })],
      ['reference', 'charter', await manager.trySend(updateSite, { params: { id: other._id }, body: { charter: charter._id } })],
    ]
    for (const [what, kind, answer] of refusals) {
      expect(answer.statusCode, `${what}: ${answer.body}`).toBeOneOf([409, 422])
      expect(answer.body, what).toContain(`This ${kind} is archived`)
    }
    const preview = await manager.send(previewBulkChange, { body: bulk })
    expect(preview.rows[0]).toMatchObject({
      state: 'error',
      errors: [{ path: 'finance_id', message: 'This site is archived. Restore it first.' }],
    })
  })

  test('is referred to by no new record', async () => {
    const { manager, charter, make } = await setUp()
    const brand = await make.brand()
    expect((await archive(manager, 'brand', brand._id)).statusCode).toBe(200)
    const site = await manager.trySend(createSite, { body: toNewSite('Lodi', charter._id, (await make.region())._id) })
    expect(site.json()).toMatchObject({ status: 422, errors: [{ path: 'charter', message: 'This charter is archived' }] })
    const made = await manager.trySend(createCharter, { body: toNewCharter('Lodi High', brand._id) })
    expect(made.json()).toMatchObject({
      status: 422,
      errors: expect.arrayContaining([{ path: 'brand', message: 'This brand is archived' }]),
    })
  })

  test('leaves its address and HR number to another person; it is restored once they are free again', async () => {
    const { as, make } = await network()
    const manager = as(6)
    const { _id, email } = await make.person()
    expect((await archive(manager, 'person', _id)).statusCode).toBe(200)
    const other = await make.person({ email })
    const refused = await restore(manager, 'person', _id)
    expect(refused.json()).toMatchObject({
      status: 409,
      errors: [{ path: 'email', message: `${other.name} already has this email address` }],
    })
    expect((await archive(manager, 'person', other._id)).statusCode).toBe(200)
    expect((await restore(manager, 'person', _id)).statusCode).toBe(200)
  })

  test('is undone with its save, and archived again only while nothing needs it', async () => {
    const { as, make } = await network()
    const manager = as(6)
    const { _id } = await make.charter()
    const isArchived = async () => (await manager.send(readArchiveState, { params: { kind: 'charter', id: _id } })).archived !== null
    const undo = (answer: Awaited<ReturnType<typeof archive>>) =>
      manager.trySend(undoSaves, { body: { saves: [String(answer.headers['x-request-id'])] } })
    const archived = await archive(manager, 'charter', _id)
    expect((await undo(archived)).json()).toMatchObject({ changed: 1, left: [] })
    expect(await isArchived()).toBe(false)
    await archive(manager, 'charter', _id)
    const restored = await restore(manager, 'charter', _id)
    await make.site({ charter: _id })
    expect((await undo(restored)).json()).toMatchObject({ status: 409, title: NEEDED.as('charter') })
    expect(await isArchived()).toBe(false)
  })

  test('keeps what was saved before, which is undone once it is restored', async () => {
    const { as, make } = await network()
    const manager = as(6)
    const { _id } = await make.site({ finance_id: '04127' })
    const saved = await manager.trySend(updateSite, { params: { id: _id }, body: { finance_id: '04128' } })
    await archive(manager, 'site', _id)
    const undo = () => manager.trySend(undoSaves, { body: { saves: [String(saved.headers['x-request-id'])] } })
    expect((await undo()).json()).toMatchObject({ changed: 0, left: [{ message: 'This site is archived. Restore it first.' }] })
    await restore(manager, 'site', _id)
    expect((await undo()).json()).toMatchObject({ changed: 1, left: [] })
  })
})

describe('a row of a record', () => {
  test.each(['sis_site', 'authorizer_board_member', 'center_district'] as const)(
    '%s: it is deleted and restored, by who may edit it',
    async (kind) => {
      const { as, make, context } = await network()
      const made = { sis_site: make.sisSite, authorizer_board_member: make.member, center_district: make.district }[kind]
      const { _id } = await made()
      const isThere = async () => (await sql`select from ${sql.table(kind)} where _id = ${_id}`.execute(context.db)).rows.length === 1
      expect((await archive(as(kind === 'sis_site' ? 7 : 6), kind, _id)).statusCode).toBe(403)
      const manager = as(kind === 'sis_site' ? 6 : 5)
      expect((await archive(manager, kind, _id)).json()).toMatchObject({ kind, _id, archived: { by: (await manager.who()).name } })
      expect(await isThere()).toBe(false)
      expect((await restore(manager, kind, _id)).json()).toEqual({ kind, _id, archived: null, needs: [] })
      expect(await isThere()).toBe(true)
      expect((await restore(manager, kind, _id)).statusCode).toBe(409)
      expect((await archive(manager, kind, 'nothing')).statusCode).toBe(404)
    },
  )

  test('a charter affair is archived with its charter', async () => {
    const { as, make } = await network()
    const affair = await make.affair()
    expect((await archive(as(5), 'charter_affair', affair.charter)).json()).toMatchObject({
      status: 422,
      errors: [{ path: 'kind', message: 'Charter affair: archived and restored with the record that it belongs to' }],
    })
  })
})
