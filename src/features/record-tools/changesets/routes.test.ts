import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { updateSite } from '../../records/sites/contract.ts'
import { readHistory } from '../history/contract.ts'
import {
  applyBulkChange,
  cancelPlannedChange,
  listPlannedChanges,
  planChange,
  previewBulkChange,
  readChangeset,
  undoChangeset,
} from './contract.ts'
import { savePlannedChanges } from './planned.server.ts'

type App = Awaited<ReturnType<typeof startApp>>

const makeSites = async (app: App, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => app.make.site({ city: 'Lodi', displayName: `Site ${at} ${Math.random()}` })))
const readSite = (app: App, _id: string) => app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()

describe('a bulk change', () => {
  test('is previewed record by record, with what has the value already and what is refused', async () => {
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

  test('is saved as one, stands in each history, and is undone as one', async () => {
    const app = await network()
    const sites = await makeSites(app, 3)
    const ids = sites.map(({ _id }) => _id)
    const saved = await app.as(6).send(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.city': 'Acampo' } } })
    expect(saved.changed).toBe(3)
    const params = { id: saved.changeset!._id }
    const changeset = await app.as(6).send(readChangeset, { params })
    expect(changeset).toMatchObject({ kind: 'bulk', title: 'City', undoneBy: null })
    expect(changeset.changes.map(({ record, fields }) => [record, fields])).toEqual(
      expect.arrayContaining(ids.map((id) => [id, [{ field: 'city', before: 'Lodi', after: 'Acampo' }]])),
    )
    await app.as(6).send(updateSite, { params: { id: ids[0]! }, body: { address: { city: 'Galt' } } })
    const undone = await app.as(6).send(undoChangeset, { params, body: {} })
    expect(undone).toMatchObject({ changed: 2, left: [{ record: ids[0], field: 'city', present: 'Galt' }] })
    expect(await Promise.all(ids.map(async (id) => (await readSite(app, id)).city))).toEqual(['Galt', 'Lodi', 'Lodi'])
    expect((await app.as(6).ask(undoChangeset, { params, body: {} })).statusCode).toBe(409)
    const { changes } = await app.as(6).send(readHistory, { params: { kind: 'site', id: ids[1]! } })
    expect(changes.filter(({ action }) => action === 'update')).toHaveLength(2)
  })

  test('overwrites what others changed where it is told to', async () => {
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

  test('saves nothing where one record is refused, or has changed since it was seen', async () => {
    const app = await network()
    const [first, second] = await makeSites(app, 2)
    const ids = [first!._id, second!._id]
    const refused = await app.as(6).ask(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.zip': 'none' } } })
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([422, expect.stringMatching(/\.address\.zip$/)])
    const seen = { [second!._id]: { 'address.city': 'Galt' } }
    const moved = await app.as(6).ask(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.city': 'Acampo' }, seen } })
    expect(moved.statusCode).toBe(409)
    expect((await readSite(app, first!._id)).version).toBe(1)
  })

  test('adds program types and removes them, whatever else a site has', async () => {
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
  })

  test('of charter affairs is for level 5', async () => {
    const app = await network()
    const charter = await app.make.charter()
    const body = { kind: 'charter_affair' as const, ids: [charter._id], changes: { 'overview.fein': '12-3456789' } }
    expect((await app.as(6).ask(previewBulkChange, { body })).statusCode).toBe(403)
    const { changeset } = await app.as(5).send(applyBulkChange, { body })
    expect((await app.as(6).ask(undoChangeset, { params: { id: changeset!._id }, body: {} })).statusCode).toBe(403)
  })
})

describe('a planned change', () => {
  const start = async () => {
    let now = new Date('2027-06-01T15:00:00Z')
    const app = await startApp(undefined, undefined, undefined, () => now)
    const site = await app.make.site({ city: 'Lodi' })
    return { app, site, moveTo: (at: string) => (now = new Date(at)) }
  }
  const toPlan = (_id: string, changes: Record<string, unknown> = { 'address.city': 'Acampo' }) => ({
    kind: 'site' as const,
    _id,
    day: '2027-07-01',
    changes,
  })

  test('waits for its day, and is then saved once under the name of its planner', async () => {
    const { app, site, moveTo } = await start()
    const plan = await app.as(6).send(planChange, { body: toPlan(site._id) })
    expect(plan).toMatchObject({
      day: '2027-07-01',
      state: 'waiting',
      fields: [{ path: 'address.city', label: 'City', before: 'Lodi', planned: 'Acampo', present: 'Lodi' }],
    })
    moveTo('2027-07-01T06:30:00Z') // the evening before, in California
    expect(await savePlannedChanges(app.context)).toBe(0)
    moveTo('2027-07-03T15:00:00Z')
    expect((await Promise.all([savePlannedChanges(app.context), savePlannedChanges(app.context)])).toSorted()).toEqual([0, 1])
    expect((await readSite(app, site._id)).city).toBe('Acampo')
    const [saved] = await app.as(6).send(listPlannedChanges, { query: { state: 'saved', kind: 'site', record: site._id } })
    const { changes } = await app.as(6).send(readHistory, { params: { kind: 'site', id: site._id } })
    expect(changes[0]?.by).toBe(saved?.by)
    expect((await app.as(6).send(readChangeset, { params: { id: saved!.changeset! } })).kind).toBe('planned')
  })

  test('that no longer fits on its day changes nothing, and its planner is told', async () => {
    const { app, site, moveTo } = await start()
    const person = await app.make.person()
    const [plan] = [
      await app
        .as(6)
        .send(planChange, { body: { ...toPlan(person._id, { email: 'new@school.example', phone: '209-555-0142' }), kind: 'person' } }),
    ]
    await app.make.person({ email: 'new@school.example' })
    moveTo('2027-07-01T15:00:00Z')
    await savePlannedChanges(app.context)
    const [failed] = await app.as(6).send(listPlannedChanges, { query: { state: 'failed' } })
    expect(failed).toMatchObject({ _id: plan._id, problem: expect.stringContaining('already has this email address') })
    expect(await app.context.db.selectFrom('person').selectAll().where('_id', '=', person._id).executeTakeFirst()).toMatchObject({
      version: 1,
    })
    expect(
      await app.context.db.selectFrom('mail').selectAll().where('subject', 'like', 'Planned change not saved%').execute(),
    ).toHaveLength(1)
    expect((await readSite(app, site._id)).city).toBe('Lodi')
  })

  test('can be canceled while it waits, and is refused for today or a wrong value', async () => {
    const { app, site } = await start()
    const plan = await app.as(6).send(planChange, { body: toPlan(site._id) })
    await app.as(6).send(cancelPlannedChange, { params: { id: plan._id } })
    expect((await app.as(6).ask(cancelPlannedChange, { params: { id: plan._id } })).statusCode).toBe(409)
    const refused: [object, string][] = [
      [{ ...toPlan(site._id), day: '2027-06-01' }, 'day'],
      [toPlan(site._id, { 'address.zip': '1' }), 'address.zip'],
      [toPlan(site._id, { 'address.city': 'Lodi' }), 'address.city'],
      [toPlan(site._id, {}), 'changes'],
    ]
    for (const [body, path] of refused) {
      const response = await app.as(6).ask(planChange, { body: body as ReturnType<typeof toPlan> })
      expect([response.statusCode, response.json().errors[0].path]).toEqual([422, path])
    }
  })
})
