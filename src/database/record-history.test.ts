import { expect, test } from 'vitest'

import { network } from '../../test/support/app.ts'
import { setActor } from './connection.server.ts'

test('every change is recorded with who, when, the old value and the new value', async () => {
  const { context, make, site } = await network()
  const account = await make.account({ name: 'Dana Whitlock' })
  await context.db.transaction().execute(async (tx) => {
    await setActor(tx, { account: account._id, name: 'Dana Whitlock', request: 'request-7', basedOn: 1 })
    await tx.updateTable('site').set({ phone: '209-555-0142' }).where('_id', '=', site._id).execute()
  })
  const changes = await context.db
    .selectFrom('change')
    .selectAll()
    .where('record', '=', site._id)
    .where('table', '=', 'site')
    .orderBy('_id')
    .execute()
  expect(changes.map(({ action }) => action)).toEqual(['insert', 'update'])
  expect(changes[1]).toMatchObject({
    actor: account._id,
    actorName: 'Dana Whitlock',
    request: 'request-7',
    basedOn: 1,
    before: { phone: null, version: 1 },
    after: { phone: '209-555-0142', version: 2 },
  })
  expect(await context.db.selectFrom('site').select(['version', 'updatedBy']).where('_id', '=', site._id).executeTakeFirst()).toEqual({
    version: 2,
    updatedBy: 'Dana Whitlock',
  })
})

test('an update that changes nothing records no change', async () => {
  const { context, site } = await network()
  const count = () =>
    context.db
      .selectFrom('change')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  const before = await count()
  await context.db.updateTable('site').set({ displayName: site.displayName }).where('_id', '=', site._id).execute()
  expect(await count()).toEqual(before)
  expect((await context.db.selectFrom('site').select('version').where('_id', '=', site._id).executeTakeFirst())?.version).toBe(1)
})

test('an insert that conflicts with an existing row records nothing and leaves its parent unchanged', async () => {
  const { context, make, site } = await network()
  const { person, role } = await make.sitePerson(site._id)
  const seen = async () => [
    await context.db.selectFrom('change').select('_id').where('parent', '=', site._id).execute(),
    await context.db.selectFrom('site').select('updatedAt').where('_id', '=', site._id).executeTakeFirst(),
  ]
  const before = await seen()
  const again = context.db.insertInto('site_person').values({ site: site._id, person, role })
  await again.onConflict((conflict) => conflict.doNothing()).execute()
  expect(await seen()).toEqual(before)
})

test.each([
  ['its facility', (make: Net['make'], site: string) => make.facility(site, { county: 'Yolo' })],
  ['its enrollment', (make: Net['make'], site: string) => make.enrollment(site, { about: 'New' })],
  ['its staff', (make: Net['make'], site: string) => make.sitePerson(site)],
  ['its SIS sites', (make: Net['make'], site: string) => make.sisSite({ site })],
])('a change of %s updates the last change of the site, and an open form of the site stays current', async (_what, change) => {
  const { context, make, site } = await network()
  const read = () => context.db.selectFrom('site').select(['version', 'updatedAt']).where('_id', '=', site._id).executeTakeFirstOrThrow()
  const before = await read()
  await change(make, site._id)
  const after = await read()
  expect(after.version).toBe(before.version)
  expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime())
})

test('removing someone from a site marks it as changed, and the removed row is recorded', async () => {
  const { context, make, site } = await network()
  const { _id } = await make.sitePerson(site._id, 'Counselor')
  await make.write((tx) => tx.deleteFrom('site_person').where('_id', '=', _id).execute())
  const gone = await context.db.selectFrom('change').selectAll().where('record', '=', _id).where('action', '=', 'delete').executeTakeFirst()
  expect(gone).toMatchObject({ parent: site._id, before: { _id, site: site._id }, after: null })
})

test('the date of a student count is when the count last changed, not when the charter did', async () => {
  const { context, make } = await network()
  const charter = await make.charter({ studentCount: 10 })
  const read = async () =>
    (await context.db.selectFrom('charter').select('studentCountUpdatedAt').where('_id', '=', charter._id).executeTakeFirstOrThrow())
      .studentCountUpdatedAt
  const first = await read()
  await make.write((tx) => tx.updateTable('charter').set({ abbreviation: 'AB' }).where('_id', '=', charter._id).execute())
  expect(await read()).toEqual(first)
  await make.write((tx) => tx.updateTable('charter').set({ studentCount: 11 }).where('_id', '=', charter._id).execute())
  expect((await read())?.getTime()).toBeGreaterThan(first?.getTime() ?? 0)
})

test('an open-ended lease has no end date, even if it is written with one', async () => {
  const { make, site } = await network()
  await expect(make.facility(site._id, { lease_end_open: true, lease_end: '2027-01-01' })).rejects.toThrow('open_ended_lease_has_no_end')
})

type Net = Awaited<ReturnType<typeof network>>
