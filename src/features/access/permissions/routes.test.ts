import { describe, expect, test } from 'vitest'

import { network, type SignedInCaller, startApp } from '../../../../test/support/app.ts'
import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { exchangeTicket } from '../../../../test/support/provider-sign-in.ts'
import { createDeparture } from '../../../app/departures/contract.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { readUser } from '../session/contract.ts'
import { getTenant } from '../session/provider-settings.server.ts'
import { findCandidates, grantPermission, listPermissions, type Permission, removePermission } from './contract.ts'

const homeroom = { appId: 'homeroom' }
const bodyFor = (azureID: string, more: object = {}, name = 'Ana Ruiz') => ({
  applicationID: 'homeroom',
  userInfo: { azureID, name, personDbID: null, ...more },
})
let counter = 0
const freshAddress = (): string => `colleague${++counter}@network.test`

const grantTo = async (from: SignedInCaller, target: SignedInCaller): Promise<Permission> => {
  const { azureID, name } = await target.who()
  return from.send(grantPermission, { body: bodyFor(azureID, {}, name) })
}
const levelOf = async (who: SignedInCaller): Promise<number> => (await who.send(readUser)).accessLevel

describe('the list', () => {
  test('has the permission records of an application by name, with the person’s current name', async () => {
    const { as, make } = await network()
    const person = await make.person({ name: 'Zoe Adler' })
    const linked = await make.permission({ applicationID: 'reports', name: 'Old Name', person: person._id, azureID: 'zoe@network.test' })
    const waiting = await make.permission({ applicationID: 'reports', name: 'anton Bell', azureID: 'anton@network.test', accessLevel: 6 })
    expect(await as(6).send(listPermissions, { params: { appId: 'reports' } })).toEqual([
      {
        _id: waiting._id,
        applicationID: 'reports',
        personID: { _id: null, name: 'anton Bell', azureID: 'anton@network.test' },
        superAdmin: false,
        accessLevel: 6,
        accessName: 'Admin',
        grantedAt: waiting.updatedAt.toISOString(),
        grantedBy: 'Test Factory',
        version: 1,
        updatedAt: waiting.updatedAt.toISOString(),
        updatedBy: 'Test Factory',
      },
      expect.objectContaining({ _id: linked._id, personID: { _id: person._id, name: 'Zoe Adler', azureID: 'zoe@network.test' } }),
    ])
  })

  test('of an unknown application without records is 404; that of this application exists even if empty', async () => {
    const { as, context } = await startApp({ SUPER_ADMINS: 'head@network.test' })
    const head = as(10)
    const { account } = await head.who()
    const binding = { tenant: getTenant(context.configuration), address: 'head@network.test', account }
    await context.db.insertInto('super_admin_binding').values(binding).execute()
    expect(await head.send(listPermissions, { params: homeroom })).toEqual([])
    for (const appId of ['unheard-of', 'HOMEROOM', 'homeroom ', '%']) {
      const response = await head.trySend(listPermissions, { params: { appId } })
      expect([response.statusCode, response.json().title]).toEqual([404, 'Application could not be found'])
    }
  })

  test('needs level 6 or lower, like the search, the grant and the removal', async () => {
    const app = await network()
    const { as, make } = app
    const victim = await make.permission()
    for (const level of [7, 8, 10]) {
      const statuses = await Promise.all([
        as(level).trySend(listPermissions, { params: homeroom }),
        as(level).trySend(findCandidates, { query: { q: 'ana' } }),
        as(level).trySend(grantPermission, { body: bodyFor(freshAddress()) }),
        as(level).trySend(removePermission, { params: { id: victim._id } }),
      ])
      expect(statuses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
    }
    expect((await as(6).trySend(listPermissions, { params: homeroom })).statusCode).toBe(200)
  })
})

describe('a grant', () => {
  test.for([1, 2, 3, 4, 5])('of a caller at level %i gives level 5, Admin, and no super administrator', async (level) => {
    const { as } = await network()
    const azureID = freshAddress()
    const record = await as(level).send(grantPermission, { body: bodyFor(azureID) })
    expect(record).toMatchObject({
      applicationID: 'homeroom',
      personID: { _id: null, name: 'Ana Ruiz', azureID },
      accessLevel: 5,
      accessName: 'Admin',
      superAdmin: false,
    })
    expect(await as(6).send(listPermissions, { params: homeroom })).toContainEqual(record)
  })

  test('of a caller at level 6 gives level 6: no one grants more access than they have', async () => {
    const { as, charter } = await network()
    const colleague = as(10)
    expect(await grantTo(as(6), colleague)).toMatchObject({ accessLevel: 6, accessName: 'Admin', superAdmin: false })
    expect(await levelOf(colleague)).toBe(6)
    const edit = await colleague.trySend(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'x' } } })
    expect(edit.statusCode).toBe(403)
  })

  test('of level 5 includes charter affairs', async () => {
    const { as, charter } = await network()
    const colleague = as(10)
    await grantTo(as(5), colleague)
    const edit = await colleague.trySend(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'x' } } })
    expect(edit.statusCode).toBe(200)
  })

  test('accepts superAdmin and accessName, and ignores them', async () => {
    const { as } = await network()
    const body = { superAdmin: true, accessName: 'King' }
    for (const [level, accessLevel] of [
      [1, 5],
      [6, 6],
    ] as const)
      expect(await as(level).send(grantPermission, { body: bodyFor(freshAddress(), body) })).toMatchObject({
        superAdmin: false,
        accessLevel,
        accessName: 'Admin',
      })
  })

  test.for([
    [1, 5, 5],
    [1, 6, 6],
    [5, 5, 5],
    [5, 6, 6],
    [6, 6, 6],
    // No one can grant more than they have; a client may request level 5.
    [6, 5, 6],
  ] as const)('of a caller at level %i that requests level %i gives level %i', async ([mine, named, given]) => {
    const { as } = await network()
    const colleague = as(10)
    const { azureID } = await colleague.who()
    expect(await as(mine).send(grantPermission, { body: bodyFor(azureID, { accessLevel: named }) })).toMatchObject({ accessLevel: given })
    expect(await levelOf(colleague)).toBe(given)
  })

  test('that requests any other level is refused, and stores nothing', async () => {
    const { as } = await network()
    const me = as(1)
    const before = await me.send(listPermissions, { params: homeroom })
    for (const accessLevel of [-1, 0, 1, 2, 3, 4, 4.5, 5.5, 7, 8, 9, 10, 11, 1e9, '5', '6', null, true, [6]]) {
      const response = await me.trySend(grantPermission, { body: bodyFor(freshAddress(), { accessLevel }) })
      expect([response.statusCode, response.json().errors]).toEqual([
        422,
        [{ path: 'userInfo.accessLevel', message: 'The level of an administrator: 5 or 6' }],
      ])
    }
    expect(await me.send(listPermissions, { params: homeroom })).toEqual(before)
  })

  test('a record of level 6 can be removed immediately, even the first one', async () => {
    const { as, context } = await startApp({ SUPER_ADMINS: 'head@network.test' })
    const head = as(10)
    const { account } = await head.who()
    const binding = { tenant: getTenant(context.configuration), address: 'head@network.test', account }
    await context.db.insertInto('super_admin_binding').values(binding).execute()
    const six = await head.send(grantPermission, { body: bodyFor(freshAddress(), { accessLevel: 6 }) })
    await head.send(removePermission, { params: { id: six._id } })
    const five = await head.send(grantPermission, { body: bodyFor(freshAddress()) })
    const refused = await head.trySend(removePermission, { params: { id: five._id } })
    expect(refused.json()).toMatchObject({
      status: 409,
      detail: 'Make someone else a level 5 administrator first, then remove this one. People in SUPER_ADMINS do not count.',
    })
    await head.send(grantPermission, { body: bodyFor(freshAddress()) })
    await head.send(removePermission, { params: { id: five._id } })
  })

  test('applies from the next request of a signed-in person, whatever the case of their address', async () => {
    const { as } = await network()
    const colleague = as(10)
    const { azureID, name } = await colleague.who()
    expect(await levelOf(colleague)).toBe(10)
    await as(5).send(grantPermission, { body: bodyFor(azureID.toUpperCase(), {}, name) })
    expect(await levelOf(colleague)).toBe(5)
  })

  test('goes to the current account of the address if two had it', async () => {
    const { as, context } = await network()
    const [former, holder] = [as(10), as(10)]
    const { account } = await former.who()
    const { azureID } = await holder.who()
    await context.db.updateTable('account').set({ azureID, createdAt: '2020-01-01' }).where('_id', '=', account).execute()
    await as(5).send(grantPermission, { body: bodyFor(azureID) })
    expect([await levelOf(former), await levelOf(holder)]).toEqual([10, 5])
  })

  test('may be given to an address that has not signed in, and applies from its first sign-in', async () => {
    const server = await startListeningApp()
    const record = await server.as(6).send(grantPermission, { body: bodyFor('nell.ito@network.test', {}, 'nell.ito@network.test') })
    expect(record.personID).toEqual({ _id: null, name: 'nell.ito@network.test', azureID: 'nell.ito@network.test' })
    const browser = server.visit()
    const form = await browser.follow('/auth/azure')
    const action = /<form method="post" action="([^"]+)">/.exec(await form.response.text())?.[1] ?? ''
    const login = new URLSearchParams({ login: 'nell.ito@network.test' })
    const { url } = await browser.follow(new URL(action, form.url), { method: 'POST', body: login })
    expect((await exchangeTicket(browser, url.searchParams.get('auth') ?? '')).user).toMatchObject({ accessLevel: 6 })
    const now = (await server.as(6).send(listPermissions, { params: homeroom })).find(({ _id }) => _id === record._id)
    expect(now?.personID.name).toBe('Nell Ito')
    // A sign-in changes the record, but not who made them an administrator.
    expect(now).toMatchObject({ grantedAt: record.grantedAt, grantedBy: record.grantedBy, updatedBy: 'Nell Ito' })
  })

  test('links the person in the directory by _id, by HR number or by address', async () => {
    const { as, make } = await network()
    const one = await make.person({ name: 'Ruth Adeyemi', email: 'ruth@network.test' })
    const two = await make.person({ name: 'Sam Poe', sql_person_id: '004217', email: 'sam@network.test' })
    const three = await make.person({ name: 'Uma Reyes', email: 'Uma@Network.test' })
    const grant = async (azureID: string, personDbID?: string | null) =>
      (await as(5).send(grantPermission, { body: bodyFor(azureID, { personDbID }) })).personID
    expect(await grant('ruth@network.test', one._id)).toEqual({ _id: one._id, name: 'Ruth Adeyemi', azureID: 'ruth@network.test' })
    expect(await grant('Sam@network.test', '004217')).toMatchObject({ _id: two._id, name: 'Sam Poe' })
    expect(await grant('uma@network.test', '')).toMatchObject({ _id: three._id, name: 'Uma Reyes' })
    expect(await grant(freshAddress(), null)).toMatchObject({ _id: null, name: 'Ana Ruiz' })
    const unaddressed = await make.person({ name: 'Vic Lund', email: null })
    expect(await grant(freshAddress(), unaddressed._id)).toMatchObject({ _id: unaddressed._id, name: 'Vic Lund' })
  })

  test('to an unknown person, another person’s address or someone who left is refused at that field, and stores nothing', async () => {
    const { as, make } = await network()
    const me = as(5)
    const [one, other, unaddressed] = [
      await make.person(),
      await make.person({ sql_person_id: '004218' }),
      await make.person({ email: null }),
    ]
    const gone = await make.person()
    await me.send(createDeparture, { params: { id: gone._id }, body: {} })
    const before = await me.send(listPermissions, { params: homeroom })
    const [unknown, another] = [
      'No one in the directory has this ID or HR number',
      'This person has another email address in the directory',
    ]
    for (const [azureID, personDbID, path, message] of [
      [freshAddress(), 'nope', 'personDbID', unknown],
      [freshAddress(), ' ', 'personDbID', unknown],
      [freshAddress(), '999999', 'personDbID', unknown],
      [one.email, one._id.toUpperCase() + '0', 'personDbID', unknown],
      [freshAddress(), one._id, 'personDbID', another],
      [other.email, one._id, 'personDbID', another],
      [one.email, '004218', 'personDbID', another],
      [one.email, unaddressed._id, 'personDbID', 'This email address belongs to someone else in the directory'],
      [gone.email, gone._id, 'personDbID', 'This person is no longer employed'],
      [gone.email, null, 'azureID', 'This person is no longer employed'],
    ] as const) {
      const response = await me.trySend(grantPermission, { body: bodyFor(azureID ?? '', { personDbID }) })
      expect([response.statusCode, response.json().errors]).toEqual([422, [{ path: `userInfo.${path}`, message }]])
    }
    expect(await me.send(listPermissions, { params: homeroom })).toEqual(before)
  })

  test('to oneself is refused, whatever the case of the address and whichever person is named', async () => {
    const app = await network()
    const me = app.as(6)
    const { azureID } = await me.who()
    const self = await app.make.person({ email: azureID })
    for (const body of [bodyFor(azureID), bodyFor(azureID.toUpperCase()), bodyFor(freshAddress(), { personDbID: self._id })]) {
      const response = await me.trySend(grantPermission, { body })
      expect(response.statusCode).toBe(403)
      expect(response.json().title).toBe('You can’t make yourself an administrator')
    }
    expect(await levelOf(me)).toBe(6)
  })

  test('to someone who is already an administrator is 409, and changes nothing', async () => {
    const { as, make } = await network()
    const [azureID, newer] = [freshAddress(), freshAddress()]
    const person = await make.person({ email: azureID })
    await as(6).send(grantPermission, { body: bodyFor(azureID, { personDbID: person._id }) })
    await as(6).send(updatePerson, { params: { id: person._id }, body: { email: newer } })
    const before = await as(6).send(listPermissions, { params: homeroom })
    for (const body of [bodyFor(azureID), bodyFor(azureID.toUpperCase()), bodyFor(newer, { personDbID: person._id }), bodyFor(newer)]) {
      const response = await as(5).trySend(grantPermission, { body })
      expect(response.statusCode).toBe(409)
      expect(response.json().title).toBe('Ana Ruiz is already an administrator')
    }
    const after = await as(6).send(listPermissions, { params: homeroom })
    expect(after.filter(({ personID }) => personID.azureID === azureID)).toEqual(
      before.filter(({ personID }) => personID.azureID === azureID),
    )
  })

  test('replaces a record with less access than an administrator', async () => {
    const { as } = await network()
    const colleague = as(8)
    const { azureID } = await colleague.who()
    expect(await grantTo(as(6), colleague)).toMatchObject({ accessLevel: 6, version: 2, grantedBy: expect.stringMatching(/^Level 6/) })
    const records = await as(6).send(listPermissions, { params: homeroom })
    expect(records.filter(({ personID }) => personID.azureID === azureID)).toHaveLength(1)
    expect(await levelOf(colleague)).toBe(6)
  })

  test('is created once, even for twenty concurrent requests', async () => {
    const { as } = await network()
    const [me, body] = [as(6), bodyFor(freshAddress())]
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await me.trySend(grantPermission, { body })).statusCode))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('reports invalid and unknown fields', async () => {
    const { as } = await network()
    const userInfo = { azureID: 'nobody', name: ' ', personDbID: 7, planet: 1 }
    for (const [body, paths] of [
      [{}, ['applicationID', 'userInfo']],
      [{ applicationID: 'homeroom', userInfo }, ['userInfo.azureID', 'userInfo.name', 'userInfo.personDbID', 'userInfo.planet']],
      [{ ...bodyFor(freshAddress()), level: 1 }, ['level']],
      [{ ...bodyFor(freshAddress()), applicationID: 'payroll' }, ['applicationID']],
      [bodyFor(freshAddress(), { personDbID: '00000000-0000-4000-8000-000000000000' }), ['userInfo.personDbID']],
    ] as const) {
      const response = await as(6).trySend(grantPermission, { body: body as never })
      expect(response.statusCode).toBe(422)
      expect((response.json().errors as { path: string }[]).map(({ path }) => path)).toEqual(paths)
    }
  })
})

test('every grant and every removal is recorded with who, when and what', async () => {
  const app = await network()
  const me = app.as(6)
  const { account, name } = await me.who()
  const { _id } = await me.send(grantPermission, { body: bodyFor(freshAddress()) })
  await me.send(removePermission, { params: { id: _id } })
  const changes = await app.context.db.selectFrom('change').selectAll().where('record', '=', _id).orderBy('_id').execute()
  expect(changes).toMatchObject([
    { table: 'permission', action: 'insert', actor: account, actorName: name, before: null, after: { accessLevel: 6 } },
    { table: 'permission', action: 'delete', actor: account, actorName: name, before: { accessLevel: 6 }, after: null },
  ])
  expect(changes.every(({ at }) => Date.now() - at.getTime() < 60_000)).toBe(true)
})
