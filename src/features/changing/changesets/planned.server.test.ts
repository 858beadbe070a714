import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import type { QueryOf } from '../../../contract/call.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { readHistory } from '../history/contract.ts'
import { applyBulkChange, cancelPlannedChange, keepPlannedChange, listPlannedChanges, planChange, readChangeset } from './contract.ts'
import { savePlannedChanges } from './planned.server.ts'

type App = Awaited<ReturnType<typeof startApp>>

const readSite = (app: App, _id: string) => app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()

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

  test('is saved once on its day under the name of its planner', async () => {
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

  test('is found by the person who gets or loses the role, and in their own record', async () => {
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

  test('changes nothing if it is no longer valid on its day, and its planner is notified', async () => {
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

  test('changes nothing if its planner may no longer make it', async () => {
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

  test('of many records is saved as one change, and people whose roles change are notified', async () => {
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
    const mailsTo = (address: string) => mails.filter(({ recipients }) => recipients.includes(address)).map(({ body: text }) => text)
    expect(mailsTo('after@school.example')).toEqual([expect.stringContaining(`You are now ${role.name} of`)])
    expect(mailsTo('before@school.example')).toEqual([expect.stringContaining(`You are no longer ${role.name} of`)])
  })

  test('of very many records is listed in pages, the next day first, and saves nothing if one record is no longer valid', async () => {
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

  test('of many records saves nothing if one record is no longer valid', async () => {
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

  test('of many records may swap unique values, and may not give one to several', async () => {
    const { app, moveTo } = await start()
    const [a, b] = [await app.make.person({ email: 'a@school.example' }), await app.make.person({ email: 'b@school.example' })]
    const body = { kind: 'person' as const, ids: [a._id, b._id], day: '2027-07-01' }
    const response = await app.as(6).trySend(applyBulkChange, { body: { ...body, changes: { email: 'new@school.example' } } })
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

  test('is kept if the record has another value by then, and one of many is canceled alone or with the others', async () => {
    const { app, site } = await start()
    const second = await app.make.site({ city: 'Lodi' })
    const body = { kind: 'site' as const, ids: [site._id, second._id], changes: { 'address.city': 'Acampo' }, day: '2027-07-01' }
    await app.as(6).send(applyBulkChange, { body })
    const [plan] = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { address: { city: 'Galt' } } })
    const moved = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    expect(moved[0]?.fields).toMatchObject([{ before: 'Lodi', present: 'Galt' }])
    const keptChange = await app.as(6).send(keepPlannedChange, { params: { id: plan!._id } })
    expect(keptChange.fields).toMatchObject([{ before: 'Galt', present: 'Galt' }])
    await app.as(6).send(cancelPlannedChange, { params: { id: plan!._id } })
    expect(await app.as(6).send(listPlannedChanges, { query: {} })).toHaveLength(1)
    await app.as(6).send(applyBulkChange, { body: { ...body, day: '2027-08-01' } })
    const [again] = await app.as(6).send(listPlannedChanges, { query: { kind: 'site', record: site._id } })
    await app.as(6).send(cancelPlannedChange, { params: { id: again!._id }, query: { all: 'true' } })
    expect((await app.as(6).send(listPlannedChanges, { query: {} })).map(({ day }) => day)).toEqual(['2027-07-01'])
  })

  test('can be canceled before its day, and is refused for today or with an invalid value', async () => {
    const { app, site } = await start()
    const plan = await app.as(6).send(planChange, { body: toPlan(site._id) })
    await app.as(6).send(cancelPlannedChange, { params: { id: plan._id } })
    expect((await app.as(6).trySend(cancelPlannedChange, { params: { id: plan._id } })).statusCode).toBe(409)
    const refused: [object, string][] = [
      [{ ...toPlan(site._id), day: '2027-06-01' }, 'day'],
      [toPlan(site._id, { 'address.zip': '1' }), 'address.zip'],
      [toPlan(site._id, { 'address.city': 'Lodi' }), 'address.city'],
      [toPlan(site._id, {}), 'changes'],
    ]
    for (const [body, path] of refused) {
      const response = await app.as(6).trySend(planChange, { body: body as ReturnType<typeof toPlan> })
      expect([response.statusCode, response.json().errors[0].path]).toEqual([422, path])
    }
  })
})
