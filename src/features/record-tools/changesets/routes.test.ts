import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import type { QueryOf } from '../../../contract/call.ts'
import { updateSite } from '../../records/sites/contract.ts'
import { readHistory } from '../history/contract.ts'
import {
  applyBulkChange,
  cancelPlannedChange,
  keepPlannedChange,
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

  test('is saved as one, is in each history, and is undone as one', async () => {
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
    const wrong = { kind: 'site' as const, ids: [first!._id], changes: { 'enrollment_info.programTypes': { add: c } } }
    const response = await app.as(6).ask(applyBulkChange, { body: wrong })
    expect([response.statusCode, response.json().errors[0].message]).toEqual([422, 'Send a list'])
  })

  test('is refused in its preview where it gives several records what no two share', async () => {
    const app = await network()
    const charters = [await app.make.charter(), await app.make.charter()]
    const ids = charters.map(({ _id }) => _id)
    const preview = await app.as(6).send(previewBulkChange, { body: { kind: 'charter', ids, changes: { slug: 'same' } } })
    const taken = { path: 'slug', message: 'This slug is already in use' }
    expect(preview.rows.map(({ errors }) => errors)).toEqual([[taken], [taken]])
  })

  test('gives each site people of its own in a role, as one that is undone as one', async () => {
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

  test('knows a value that is the same in another form, and what is planned already', async () => {
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

  test('is found by the person whose role it gives or takes, and by their own record', async () => {
    const { app, site } = await start()
    const [before, after, other, role] = [await app.make.person(), await app.make.person(), await app.make.person(), await app.make.role()]
    for (const { _id } of [before, other]) await app.make.sitePerson(site._id, 'Principal', _id)
    const path = `roles.${role._id}`
    const plan = await app.as(6).send(planChange, { body: toPlan(site._id, { [path]: [other._id, after._id] }) })
    const own = { kind: 'person' as const, _id: other._id, day: '2027-07-01', changes: { name: 'Another Name' } }
    const ownPlan = await app.as(6).send(planChange, { body: own })
    const find = async (person: string) => (await app.as(6).send(listPlannedChanges, { query: { person } })).map(({ _id }) => _id)
    expect([await find(before._id), await find(after._id), await find(other.slug)]).toEqual([[plan._id], [plan._id], [ownPlan._id]])
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
    const audited = await app.context.db.selectFrom('audit_event').selectAll().where('kind', '=', 'planned_change.failed').execute()
    expect(audited).toMatchObject([
      { record: plan.batch, after: { of: 'person', day: '2027-07-01', records: 1, problem: failed!.problem } },
    ])
  })

  test('of someone who may no longer make it changes nothing', async () => {
    const { app, site, moveTo } = await start()
    const planner = app.as(6)
    await planner.send(planChange, { body: toPlan(site._id) })
    await app.context.db
      .deleteFrom('permission')
      .where('account', '=', (await planner.who()).account)
      .execute()
    moveTo('2027-07-01T15:00:00Z')
    expect(await savePlannedChanges(app.context)).toBe(1)
    const [failed] = await app.as(6).send(listPlannedChanges, { query: { state: 'failed' } })
    expect(failed?.problem).toMatch(/ may no longer make this change$/)
    expect((await readSite(app, site._id)).city).toBe('Lodi')
  })

  test('of many records is saved as one, and those whose roles it changes are told', async () => {
    const { app, site, moveTo } = await start()
    const second = await app.make.site()
    const [before, after] = [
      await app.make.person({ email: 'before@school.example' }),
      await app.make.person({ email: 'after@school.example' }),
    ]
    const role = await app.make.role()
    const path = `roles.${role._id}`
    for (const one of [site, second]) await app.make.sitePerson(one._id, 'Principal', before._id)
    const body = { kind: 'site' as const, ids: [site._id, second._id], changes: { [path]: [after._id] }, day: '2027-07-01' }
    expect(await app.as(6).send(applyBulkChange, { body })).toEqual({ changeset: null, changed: 2 })
    const plans = await app.as(6).send(listPlannedChanges, { query: {} })
    expect(plans.map(({ others, fields }) => [others, fields[0]?.beforeName, fields[0]?.plannedName])).toEqual([
      [1, before.name, after.name],
      [1, before.name, after.name],
    ])
    expect(plans[0]?.batch).toBe(plans[1]?.batch)
    moveTo('2027-07-01T07:00:30Z') // half a minute after midnight in California
    expect(await savePlannedChanges(app.context)).toBe(0)
    moveTo('2027-07-01T07:01:00Z')
    expect((await Promise.all([savePlannedChanges(app.context), savePlannedChanges(app.context)])).toSorted()).toEqual([0, 2])
    const holders = await app.context.db.selectFrom('site_person').select('person').where('role', '=', role._id).execute()
    expect(holders.map(({ person }) => person)).toEqual([after._id, after._id])
    const saved = await app.as(6).send(listPlannedChanges, { query: { state: 'saved' } })
    expect(new Set(saved.map(({ changeset }) => changeset)).size).toBe(1)
    const mails = await app.context.db.selectFrom('mail').select(['recipients', 'body']).where('kind', '=', 'reminder').execute()
    const told = (address: string) => mails.filter(({ recipients }) => recipients.includes(address)).map(({ body: text }) => text)
    expect(told('after@school.example')).toEqual([expect.stringContaining(`You are now ${role.name} of`)])
    expect(told('before@school.example')).toEqual([expect.stringContaining(`You are no longer ${role.name} of`)])
  })

  test('of very many is listed in parts, the next day first, and saved for none of them where it no longer fits one', async () => {
    const { app, site, moveTo } = await start()
    const me = app.as(6)
    const plan = await me.send(planChange, { body: toPlan(site._id) })
    await sql`
      insert into planned_change (kind, record, day, batch, changes, before, account, name, "createdAt")
      select kind, case nth when 1100 then 'gone' else record end, day, batch, changes, before, account, name, "createdAt" + nth * interval '1 s'
      from planned_change, generate_series(1, 1100) as nth`.execute(app.context.db)
    const list = async (query: QueryOf<typeof listPlannedChanges>) => {
      const first = await me.send(listPlannedChanges, { query })
      return { first, rest: await me.send(listPlannedChanges, { query: { ...query, after: first.at(-1)!._id } }) }
    }
    const { first, rest } = await list({})
    expect([first.length, rest.length, first[0]!._id, rest.at(-1)!.record.name]).toEqual([1000, 101, plan._id, 'A record that is gone'])
    expect([new Set([...first, ...rest].map(({ _id }) => _id)).size, first[0]!.others]).toEqual([1101, 1100])
    moveTo('2027-07-01T15:00:00Z')
    expect(await savePlannedChanges(app.context)).toBe(1101)
    expect((await readSite(app, site._id)).city).toBe('Lodi')
    const failed = await list({ state: 'failed' })
    expect([failed.first[0]!.record.name, failed.rest.at(-1)!._id, failed.first[0]!.others]).toEqual(['A record that is gone', plan._id, 0])
    const audited = await app.context.db.selectFrom('audit_event').select('after').where('kind', '=', 'planned_change.failed').execute()
    expect(audited).toMatchObject([{ after: { records: 1101 } }])
  })

  test('of many records is saved for none of them where it no longer fits one', async () => {
    const { app, site, moveTo } = await start()
    const second = await app.make.site({ city: 'Lodi' })
    const [person, role] = [await app.make.person(), await app.make.role()]
    const own = { [site._id]: { 'address.city': 'Acampo' }, [second._id]: { [`roles.${role._id}`]: [person._id] } }
    await app.as(6).send(applyBulkChange, { body: { kind: 'site', ids: [site._id, second._id], changes: {}, own, day: '2027-07-01' } })
    await app.context.db
      .updateTable('person')
      .set({ leftAt: new Date('2027-06-10') })
      .where('_id', '=', person._id)
      .execute()
    moveTo('2027-07-02T15:00:00Z')
    await savePlannedChanges(app.context)
    const failed = await app.as(6).send(listPlannedChanges, { query: { state: 'failed' } })
    expect(failed.map(({ problem }) => problem)).toEqual(Array(2).fill(`${second.displayName}: This person is no longer employed`))
    expect((await readSite(app, site._id)).city).toBe('Lodi')
  })

  test('of many records may swap what no two share, and may not give it to several', async () => {
    const { app, moveTo } = await start()
    const [a, b] = [await app.make.person({ email: 'a@school.example' }), await app.make.person({ email: 'b@school.example' })]
    const body = { kind: 'person' as const, ids: [a._id, b._id], day: '2027-07-01' }
    const response = await app.as(6).ask(applyBulkChange, { body: { ...body, changes: { email: 'new@school.example' } } })
    expect([response.statusCode, response.json().errors]).toEqual([
      422,
      expect.arrayContaining([{ path: `${a._id}.email`, message: `${b.name} already has this email address` }]),
    ])
    const own = { [a._id]: { email: 'b@school.example' }, [b._id]: { email: 'a@school.example' } }
    expect(await app.as(6).send(applyBulkChange, { body: { ...body, changes: {}, own } })).toEqual({ changeset: null, changed: 2 })
    moveTo('2027-07-01T15:00:00Z')
    await savePlannedChanges(app.context)
    const stored = await app.context.db.selectFrom('person').select(['_id', 'email']).where('_id', 'in', body.ids).execute()
    expect(new Map(stored.map(({ _id, email }) => [_id, email]))).toEqual(
      new Map([
        [a._id, 'b@school.example'],
        [b._id, 'a@school.example'],
      ]),
    )
  })

  test('is kept where the record has another value by now, and one of many is canceled alone or with the others', async () => {
    const { app, site } = await start()
    const second = await app.make.site({ city: 'Lodi' })
    const body = { kind: 'site' as const, ids: [site._id, second._id], changes: { 'address.city': 'Acampo' }, day: '2027-07-01' }
    await app.as(6).send(applyBulkChange, { body })
    const [plan] = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { address: { city: 'Galt' } } })
    const moved = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    expect(moved[0]?.fields).toMatchObject([{ before: 'Lodi', present: 'Galt' }])
    const kept = await app.as(6).send(keepPlannedChange, { params: { id: plan!._id } })
    expect(kept.fields).toMatchObject([{ before: 'Galt', present: 'Galt' }])
    await app.as(6).send(cancelPlannedChange, { params: { id: plan!._id } })
    expect(await app.as(6).send(listPlannedChanges, { query: {} })).toHaveLength(1)
    await app.as(6).send(applyBulkChange, { body: { ...body, day: '2027-08-01' } })
    const [again] = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    await app.as(6).send(cancelPlannedChange, { params: { id: again!._id }, query: { all: 'true' } })
    expect((await app.as(6).send(listPlannedChanges, { query: {} })).map(({ day }) => day)).toEqual(['2027-07-01'])
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
