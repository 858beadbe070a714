import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, type startApp } from '../../../../test/support/app.ts'
import { SEEN_HEADER } from '../../../contract/seen-form.ts'
import { addMember, readCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { addSiteStaff } from '../../../records/site-staff/contract.ts'
import { readSite as readSiteCall, updateSite } from '../../../records/sites/contract.ts'
import { readHistory } from '../history/contract.ts'
import { applyBulkChange, planChange, previewBulkChange, readChangeset, undoChangeset, undoSaves } from './contract.ts'

type App = Awaited<ReturnType<typeof startApp>>

const makeSites = async (app: App, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => app.make.site({ city: 'Lodi', displayName: `Site ${at} ${Math.random()}` })))
const readSite = (app: App, _id: string) => app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()

describe('a save just made', () => {
  const save = async (caller: ReturnType<App['as']>, call: Parameters<typeof caller.trySend>[0], sent: object) => {
    const response = await caller.trySend(call, sent as never)
    expect(response.statusCode).toBeLessThan(300)
    return String(response.headers['x-request-id'])
  }
  const undo = (caller: ReturnType<App['as']>, ...saves: string[]) => caller.trySend(undoSaves, { body: { saves } })

  test('of a site, of its parts and of its staff is undone, except what was changed since', async () => {
    const app = await network()
    const { make } = app
    const [site] = await makeSites(app, 1)
    const params = { id: site!._id }
    const manager = app.as(6)
    const person = await make.person()
    const role = await make.role()
    const saves = [
      await save(manager, updateSite, { params, body: { finance_id: '04127', address: { city: 'Acampo' } } }),
      await save(manager, updateFacility, { params, body: { county: 'Kern' } }),
      await save(manager, addSiteStaff, { params, body: { person: person._id, role_match: role._id } }),
    ]
    await save(app.as(6), updateSite, { params, body: { address: { city: 'Galt' } } })
    const response = await undo(manager, ...saves)
    expect(response.json()).toMatchObject({ changed: 1, left: [{ field: 'city', present: 'Galt' }] })
    expect(await readSite(app, site!._id)).toMatchObject({ city: 'Galt', finance_id: site!.finance_id })
    const { people, facility_info } = await manager.send(readSiteCall, { params: { slug: site!._id } })
    expect([people, facility_info.county]).toEqual([[], null])
  })

  test('is undone with the check that it was', async () => {
    const app = await network()
    const [site] = await makeSites(app, 1)
    const manager = app.as(6)
    const request = await save(manager, updateSite, {
      params: { id: site!._id },
      body: { finance_id: '04127' },
      headers: { [SEEN_HEADER]: 'yes' },
    })
    expect((await readSite(app, site!._id)).checkedAt).not.toBeNull()
    expect((await undo(manager, request)).statusCode).toBe(200)
    expect(await readSite(app, site!._id)).toMatchObject({ finance_id: site!.finance_id, checkedAt: null, checkedBy: null })
  })

  test('of a member of a charter affair is undone only by level 5, and by the person who saved it', async () => {
    const app = await network()
    const charter = await app.make.charter()
    const officer = app.as(5)
    const added = await save(officer, addMember, { params: { id: charter._id }, body: { board_member_name: 'Ada' } })
    for (const caller of [app.as(5), app.as(6)]) expect((await undo(caller, added)).statusCode).toBe(409)
    expect((await undo(officer, added)).json()).toMatchObject({ changed: 1, left: [] })
    expect(
      (await officer.send(readCharterAffair, { params: { id: charter._id } })).charter_affair_info[0]?.authorizer_board_member,
    ).toEqual([])
  })

  test('is undone within an hour, and not by a name that saved nothing', async () => {
    const app = await network()
    const [site] = await makeSites(app, 1)
    const manager = app.as(6)
    const request = await save(manager, updateSite, { params: { id: site!._id }, body: { finance_id: '04127' } })
    await sql`update change set at = at - interval '61 minutes' where request = ${request}`.execute(app.context.db)
    expect((await undo(manager, request)).statusCode).toBe(409)
    expect((await undo(manager, 'nothing')).statusCode).toBe(409)
  })
})

describe('a bulk change', () => {
  test('is previewed record by record, with unchanged and refused records', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const other = await app.make.site({ city: 'Acampo', start_time: '9:00AM', end_time: '10:00AM' })
    const body = {
      kind: 'site' as const,
      ids: [first!._id, second!.slug, other._id],
      changes: { 'address.city': 'Acampo', 'address.start_time': '11:00AM' },
    }
    const preview = await app.as(6).send(previewBulkChange, { body })
    expect(preview.rows.map(({ state, cells }) => [state, cells.map(({ path, before, after }) => [path, before, after])])).toMatchObject([
      [
        'change',
        [
          ['address.city', 'Lodi', 'Acampo'],
          ['address.start_time', first!.start_time, '11:00AM'],
        ],
      ],
      [
        'change',
        [
          ['address.city', 'Lodi', 'Acampo'],
          ['address.start_time', first!.start_time, '11:00AM'],
        ],
      ],
      ['error', [['address.start_time', '9:00AM', '11:00AM']]],
    ])
    expect(preview.rows[2]?.errors[0]).toMatchObject({ path: 'address.end_time' })
    expect((await readSite(app, first!._id)).city).toBe('Lodi')
  })

  test('of a field that does not exist is refused, even to clear it', async () => {
    const app = await network()
    const [site] = await makeSites(app, 1)
    const body = { kind: 'site' as const, ids: [site!._id], changes: { planet: null } }
    const plan = { kind: 'site' as const, _id: site!._id, day: '2999-07-01', changes: { 'address.planet': null } }
    const answers = [
      await app.as(6).trySend(previewBulkChange, { body }),
      await app.as(6).trySend(applyBulkChange, { body }),
      await app.as(6).trySend(planChange, { body: plan }),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json().errors])).toEqual([
      [422, [{ path: 'planet', message: 'Unknown field' }]],
      [422, [{ path: 'planet', message: 'Unknown field' }]],
      [422, [{ path: 'address.planet', message: 'Unknown field' }]],
    ])
  })

  test('is saved as one change, is in each history, and is undone as one', async () => {
    const app = await network()
    const sites = await makeSites(app, 3)
    const ids = sites.map(({ _id }) => _id)
    const saved = await app.as(6).send(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.city': 'Acampo' } } })
    expect(saved.changed).toBe(3)
    const params = { id: saved.changeset!._id }
    const changeset = await app.as(6).send(readChangeset, { params })
    expect(changeset).toMatchObject({ kind: 'bulk', title: 'City', undoneBy: null })
    const field = { field: 'city', before: 'Lodi', beforeName: null, after: 'Acampo', afterName: null }
    expect(changeset.changes.map(({ record, fields }) => [record, fields])).toEqual(expect.arrayContaining(ids.map((id) => [id, [field]])))
    expect(new Set(changeset.records.map(({ _id }) => _id))).toEqual(new Set(ids))
    expect(changeset.records[0]).toMatchObject({ kind: 'site', name: expect.any(String), slug: expect.any(String) })
    const history = await app.as(6).send(readHistory, { params: { kind: 'site', id: ids[0]! } })
    expect(history.changes[0]?.changeset).toEqual({ _id: params.id, kind: 'bulk', title: 'City' })
    await app.as(6).send(updateSite, { params: { id: ids[0]! }, body: { address: { city: 'Galt' } } })
    const later = await app.as(6).send(readChangeset, { params })
    const moved = later.changes.flatMap(({ record, fields }) => (fields.some(({ since }) => since) ? [[record, fields[0]?.since]] : []))
    expect(moved).toEqual([[ids[0], { value: 'Galt' }]])
    const undone = await app.as(6).send(undoChangeset, { params, body: {} })
    expect(undone).toMatchObject({ changed: 2, left: [{ record: ids[0], field: 'city', present: 'Galt' }] })
    expect(await Promise.all(ids.map(async (id) => (await readSite(app, id)).city))).toEqual(['Galt', 'Lodi', 'Lodi'])
    expect((await app.as(6).trySend(undoChangeset, { params, body: {} })).statusCode).toBe(409)
    const { changes } = await app.as(6).send(readHistory, { params: { kind: 'site', id: ids[1]! } })
    expect(changes.filter(({ action }) => action === 'update')).toHaveLength(2)
  })

  test('overwrites what others changed on request', async () => {
    const app = await network()
    const [site] = await makeSites(app, 1)
    const { changeset } = await app
      .as(6)
      .send(applyBulkChange, { body: { kind: 'site', ids: [site!._id], changes: { 'address.city': 'Acampo' } } })
    await app.as(6).send(updateSite, { params: { id: site!._id }, body: { address: { city: 'Galt' } } })
    expect(await app.as(6).send(undoChangeset, { params: { id: changeset!._id }, body: { overwrite: true } })).toMatchObject({
      changed: 1,
      left: [],
    })
    expect((await readSite(app, site!._id)).city).toBe('Lodi')
  })

  test('saves nothing if one record is refused, or has changed since the preview', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const ids = [first!._id, second!._id]
    const refused = await app.as(6).trySend(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.zip': 'none' } } })
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([422, expect.stringMatching(/\.address\.zip$/)])
    const seen = { [second!._id]: { 'address.city': 'Galt' } }
    const moved = await app.as(6).trySend(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.city': 'Acampo' }, seen } })
    expect(moved.statusCode).toBe(409)
    expect((await readSite(app, first!._id)).version).toBe(1)
  })

  test('adds and removes program types, whatever other types a site has', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const programs = await app.context.db.selectFrom('program_type').selectAll().orderBy('name').limit(3).execute()
    const [a, b, c] = programs.map(({ _id }) => _id)
    const change = (ids: string[], value: unknown) =>
      app.as(6).send(applyBulkChange, { body: { kind: 'site', ids, changes: { 'enrollment_info.programTypes': value } } })
    await change([first!._id], [a, b])
    await change([first!._id, second!._id], { add: [c], remove: [a] })
    const held = async (site: string) =>
      (await app.context.db.selectFrom('site_program_type').select('program_type').where('site', '=', site).execute())
        .map((row) => row.program_type)
        .toSorted()
    expect(await held(first!._id)).toEqual([b!, c!].toSorted())
    expect(await held(second!._id)).toEqual([c])
    const wrong = { kind: 'site' as const, ids: [first!._id], changes: { 'enrollment_info.programTypes': { add: c } } }
    const response = await app.as(6).trySend(applyBulkChange, { body: wrong })
    expect([response.statusCode, response.json().errors[0].message]).toEqual([422, 'Send a list'])
  })

  test('is refused in its preview if it gives several records a unique value', async () => {
    const app = await network()
    const charters = [await app.make.charter(), await app.make.charter()]
    const ids = charters.map(({ _id }) => _id)
    const preview = await app.as(6).send(previewBulkChange, { body: { kind: 'charter', ids, changes: { slug: 'same' } } })
    const duplicateSlug = { path: 'slug', message: 'This slug is already in use' }
    expect(preview.rows.map(({ errors }) => errors)).toEqual([[duplicateSlug], [duplicateSlug]])
  })

  test('gives each site its own people in a role, as one change that is undone as one', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const [leaver, one, other, role] = [await app.make.person(), await app.make.person(), await app.make.person(), await app.make.role()]
    for (const site of [first, second]) await app.make.sitePerson(site!._id, 'Principal', leaver._id)
    const path = `roles.${role._id}`
    const body = {
      kind: 'site' as const,
      ids: [first!._id, second!._id],
      changes: {},
      own: { [first!._id]: { [path]: [one._id] }, [second!._id]: { [path]: { add: [other._id], remove: [leaver._id] } } },
    }
    const preview = await app.as(6).send(previewBulkChange, { body })
    expect(preview.rows.map(({ cells }) => cells.map(({ label, beforeName, afterName }) => [label, beforeName, afterName]))).toEqual([
      [[role.name, leaver.name, one.name]],
      [[role.name, leaver.name, other.name]],
    ])
    const { changeset } = await app.as(6).send(applyBulkChange, { body })
    const held = async () =>
      (await app.context.db.selectFrom('site_person').select(['site', 'person']).where('site', 'in', body.ids).execute())
        .map(({ site, person }) => `${site} ${person}`)
        .toSorted()
    expect(await held()).toEqual([`${first!._id} ${one._id}`, `${second!._id} ${other._id}`].toSorted())
    await app.as(6).send(undoChangeset, { params: { id: changeset!._id }, body: {} })
    expect(await held()).toEqual([first, second].map((site) => `${site!._id} ${leaver._id}`).toSorted())
  })

  test('recognizes an equal value in another form, and an equal planned change', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const ids = [first!._id, second!._id]
    const changes = { 'address.city': ' Galt ' }
    await app.as(6).send(applyBulkChange, { body: { kind: 'site', ids: [first!._id], changes } })
    await app.as(6).send(planChange, { body: { kind: 'site', _id: second!._id, day: '2099-07-01', changes } })
    const preview = await app.as(6).send(previewBulkChange, { body: { kind: 'site', ids, changes } })
    expect(preview.rows.map(({ state, plannedFor }) => [state, plannedFor])).toEqual([
      ['unchanged', null],
      ['change', '2099-07-01'],
    ])
  })

  test('of charter affairs needs level 5', async () => {
    const app = await network()
    const charter = await app.make.charter()
    const body = { kind: 'charter_affair' as const, ids: [charter._id], changes: { 'overview.fein': '12-3456789' } }
    expect((await app.as(6).trySend(previewBulkChange, { body })).statusCode).toBe(403)
    const { changeset } = await app.as(5).send(applyBulkChange, { body })
    expect((await app.as(6).trySend(undoChangeset, { params: { id: changeset!._id }, body: {} })).statusCode).toBe(403)
  })
})
