import { describe, expect, test } from 'vitest'

import { startApp } from '../../../test/support/app.ts'
import type { QueryOf } from '../../contract/call.ts'
import { readUser } from '../../features/access/session/contract.ts'
import {
  applyBulkChange,
  cancelPlannedChange,
  keepPlannedChange,
  listPlannedChanges,
  planChange,
  readChangeset,
  undoChangeset,
} from '../../features/changing/changesets/contract.ts'
import { savePlannedChanges } from '../../features/changing/changesets/planned.server.ts'
import { createDeadline, readDeadline } from '../../features/deadlines/deadlines/contract.ts'
import { readPerson } from '../../records/people/contract.ts'
import { removeSiteStaff } from '../../records/site-staff/contract.ts'
import { readSite } from '../../records/sites/contract.ts'
import { createDeparture, deleteDeparture, readDeparture } from './contract.ts'

const DAY = '2027-07-01'
const ON_THE_DAY = new Date('2027-07-01T15:00:00Z')

/** A principal at one site and one of two registrars at another, who has an account, level 6 and a deadline, and whose leaving is planned. */
const start = async () => {
  let now = new Date('2027-06-01T15:00:00Z')
  const app = await startApp(undefined, undefined, undefined, () => now)
  const [lodi, tracy] = [await app.make.site({ displayName: 'Lodi' }), await app.make.site({ displayName: 'Tracy' })]
  const colleague = app.as(6)
  const { azureID: email } = await colleague.who()
  const [leaver, successor, other] = [await app.make.person({ email }), await app.make.person(), await app.make.person()]
  const principal = await app.make.sitePerson(lodi._id, 'Principal', leaver._id)
  await app.make.sitePerson(tracy._id, 'Registrar', leaver._id)
  await app.make.sitePerson(tracy._id, 'Registrar', other._id)
  const body = { title: 'Lease', date: '2027-12-01', kind: 'lease', site: lodi._id, responsible: leaver._id } as const
  const { _id: deadline } = await app.as(5).send(createDeadline, { body })
  const changes = {
    leaving: { left: true, handOver: { [`${lodi._id} ${principal.role}`]: successor._id }, deadlinesTo: successor._id },
  }
  const toPlan = { kind: 'person' as const, _id: leaver._id, day: DAY, changes }
  const staffOf = async (site: { _id: string }) =>
    (await app.as(10).send(readSite, { params: { slug: site._id } })).people.map(({ person }) => person._id)
  const responsible = async () => (await app.as(5).send(readDeadline, { params: { id: deadline } })).responsible?._id
  const save = async () => {
    now = ON_THE_DAY
    return savePlannedChanges(app.context)
  }
  return { ...app, lodi, tracy, colleague, leaver, successor, other, principal, toPlan, staffOf, responsible, save }
}
type Started = Awaited<ReturnType<typeof start>>
const listPlans = ({ as }: Started, query: QueryOf<typeof listPlannedChanges>) => as(6).send(listPlannedChanges, { query })
const readLeaver = ({ as, leaver }: Started) => as(10).send(readPerson, { params: { slug: leaver._id } })

describe('a departure that is planned', () => {
  test('is shown for the person, for those who take over, and at each site with what concerns it', async () => {
    const app = await start()
    const { as, lodi, tracy, leaver, successor, toPlan } = app
    const plan = await as(6).send(planChange, { body: toPlan })
    expect(plan.fields.map(({ label, beforeName, planned, plannedName }) => [label, beforeName, plannedName ?? planned])).toEqual([
      ['No longer employed', null, true],
      ['Responsible for their deadlines', leaver.name, successor.name],
      ['Principal of Lodi', leaver.name, successor.name],
    ])
    const find = async (query: QueryOf<typeof listPlannedChanges>) =>
      (await listPlans(app, query)).map(({ _id, record, fields }) => [_id, record._id, fields.map(({ label }) => label)])
    const all = plan.fields.map(({ label }) => label)
    expect([
      await find({}),
      await find({ person: leaver._id }),
      await find({ person: successor._id }),
      await find({ kind: 'site', record: lodi.slug }),
      await find({ kind: 'site', record: tracy._id }),
      await find({ kind: 'site', record: (await app.make.site())._id }),
    ]).toEqual([
      [[plan._id, leaver._id, all]],
      [[plan._id, leaver._id, all]],
      [[plan._id, leaver._id, all]],
      [[plan._id, leaver._id, ['No longer employed', 'Principal of Lodi']]],
      [[plan._id, leaver._id, ['No longer employed']]],
      [],
    ])
    expect((await readLeaver(app)).leftAt).toBeNull()
    expect((await app.colleague.trySend(readUser)).statusCode).toBe(200)
  })

  test('does on its day what leaving does today: roles, deadlines, access and the audit trail', async () => {
    const app = await start()
    const { as, lodi, tracy, leaver, successor, other, toPlan, staffOf, responsible, colleague } = app
    await as(6).send(planChange, { body: toPlan })
    expect(await app.save()).toBe(1)
    expect((await readLeaver(app)).leftAt).not.toBeNull()
    expect([await staffOf(lodi), await staffOf(tracy), await responsible()]).toEqual([[successor._id], [other._id], successor._id])
    await app.context.lists.invalidate(['session', 'account'])
    expect((await colleague.trySend(readUser)).statusCode).toBe(401)
    const { left, accessLevel, places } = await as(5).send(readDeparture, { params: { id: leaver._id } })
    expect([left?.by, accessLevel, places.length]).toEqual([(await listPlans(app, { state: 'saved' }))[0]?.by, 6, 2])
    const events = await app.context.db.selectFrom('audit_event').select(['kind', 'account']).where('record', '=', leaver._id).execute()
    expect(events).toEqual([{ kind: 'departure.created', account: expect.any(String) }])
    // It can be undone on the page of the person, too.
    await as(5).send(deleteDeparture, { params: { id: leaver._id } })
    expect([await staffOf(lodi), await responsible()]).toEqual([[leaver._id], leaver._id])
  })

  test('is undone as one with everything it did', async () => {
    const app = await start()
    const { as, lodi, tracy, leaver, toPlan, staffOf, responsible } = app
    const before = (await staffOf(tracy)).toSorted()
    await as(6).send(planChange, { body: toPlan })
    await app.save()
    const [saved] = await listPlans(app, { state: 'saved' })
    const params = { id: saved?.changeset ?? '' }
    expect((await as(6).send(readChangeset, { params })).title).toBe(
      'No longer employed, Responsible for their deadlines, Principal of Lodi, planned for 07/01/2027',
    )
    expect(await as(6).send(undoChangeset, { params, body: {} })).toMatchObject({ changed: 1, left: [] })
    expect((await readLeaver(app)).leftAt).toBeNull()
    expect([await staffOf(lodi), (await staffOf(tracy)).toSorted(), await responsible()]).toEqual([[leaver._id], before, leaver._id])
    expect((await as(6).send(readDeparture, { params: { id: leaver._id } })).accessLevel).toBe(6)
    expect(await app.context.db.selectFrom('audit_event').select('kind').where('record', '=', leaver._id).execute()).toEqual([
      { kind: 'departure.created' },
      { kind: 'departure.undone' },
    ])
  })

  test('is canceled, and then nothing happens on its day', async () => {
    const app = await start()
    const { as, lodi, leaver, toPlan, staffOf } = app
    const { _id } = await as(6).send(planChange, { body: toPlan })
    await as(6).send(cancelPlannedChange, { params: { id: _id } })
    expect(await app.save()).toBe(0)
    expect([(await readLeaver(app)).leftAt, await staffOf(lodi)]).toEqual([null, [leaver._id]])
  })

  test('changes nothing if it cannot be done on its day, and says which position is the reason', async () => {
    const app = await start()
    const { as, lodi, tracy, leaver, principal, toPlan } = app
    const { _id } = await as(6).send(planChange, { body: toPlan })
    await as(6).send(removeSiteStaff, { params: { id: lodi._id }, body: { person_id: leaver._id, role_id: principal.role } })
    const [waiting] = await listPlans(app, { person: leaver._id })
    expect(waiting?.fields[2]).toMatchObject({ before: leaver._id, present: null })
    await as(6).send(keepPlannedChange, { params: { id: _id } })
    await app.save()
    expect(await listPlans(app, { state: 'failed' })).toMatchObject([
      { _id, problem: 'Principal of Lodi: This person no longer has this role' },
    ])
    expect([(await readLeaver(app)).leftAt, await app.staffOf(tracy)]).toEqual([null, expect.arrayContaining([leaver._id])])
  })

  test('is canceled when the person leaves before its day', async () => {
    const app = await start()
    const { _id } = await app.as(6).send(planChange, { body: app.toPlan })
    await app.as(6).send(createDeparture, { params: { id: app.leaver._id }, body: {} })
    expect(await listPlans(app, { state: 'canceled' })).toMatchObject([{ _id }])
    expect(await app.save()).toBe(0)
  })
})

describe('planning a departure', () => {
  test('follows the rules of leaving today', async () => {
    const { as, make, leaver, successor, lodi, tracy, principal, toPlan, colleague, context } = await start()
    const plan = async (level: number, leaving: object, _id = leaver._id) => {
      const response = await as(level).trySend(planChange, { body: { ...toPlan, _id, changes: { leaving } } })
      return [response.statusCode, (response.json().errors as { message: string }[] | undefined)?.map(({ message }) => message)]
    }
    expect((await plan(7, toPlan.changes.leaving))[0]).toBe(403)
    const above = await make.person({ email: (await as(5).who()).azureID })
    expect(await plan(6, { left: true }, above._id)).toEqual([422, ['You can’t remove someone with more access than you']])
    const own = await colleague.trySend(planChange, { body: toPlan })
    expect(own.json().errors).toContainEqual({ path: 'leaving.left', message: 'You can’t mark yourself as no longer employed' })
    expect(
      await plan(6, {
        left: true,
        handOver: { [`${tracy._id} ${principal.role}`]: successor._id, [`${lodi._id} ${principal.role}`]: 'nobody' },
      }),
    ).toEqual([422, ['Principal of Tracy: This person no longer has this role', 'Principal of Lodi: This person does not exist']])
    expect((await plan(6, { left: false }))[0]).toBe(422)
    expect((await plan(6, { deadlinesTo: successor._id }))[0]).toBe(422)
    expect(await context.db.selectFrom('planned_change').select('_id').execute()).toEqual([])
    expect(await context.db.selectFrom('departure').select('_id').execute()).toEqual([])
  })

  test('is the only way in which a change of records may hold it', async () => {
    const { as, leaver, toPlan } = await start()
    const body = { kind: 'person' as const, ids: [leaver._id], changes: toPlan.changes }
    expect((await as(6).trySend(applyBulkChange, { body })).statusCode).toBe(422)
    expect((await as(6).trySend(applyBulkChange, { body: { ...body, day: DAY } })).statusCode).toBe(422)
  })
})
