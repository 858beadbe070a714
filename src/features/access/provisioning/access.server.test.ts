import { randomUUID } from 'node:crypto'

import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { connectDirectory, type TestDirectory } from '../../../../test/support/scim.ts'
import { createDeparture, listDisabledPeople } from '../../../app/departures/contract.ts'
import { listTokens } from '../accounts/contract.ts'
import { listGroupLevels } from '../levels/queries.server.ts'
import { completeSignIn } from '../session/complete-sign-in.server.ts'
import { readUser } from '../session/contract.ts'
import { getTenant } from '../session/provider-settings.server.ts'
import { saveLevelMappings } from './contract.ts'

// Effects of provisioning on sign-ins, sessions and levels.

const CHIEF = 'chief@network.test'
let app: TestApp
let directory: TestDirectory
beforeAll(async () => {
  app = await startApp({ SUPER_ADMINS: CHIEF })
  directory = await connectDirectory(app)
})

const signIn = (address: string, objectId: string = randomUUID(), groups?: string[]) =>
  completeSignIn(app.context, {
    identity: { tenant: getTenant(app.context.configuration), objectId, address, name: 'Ana Ruiz', groups },
    idToken: 'i',
    tokens: { accessToken: 'a', expiresAt: Date.now() },
    browser: 'b',
    request: 'r',
  })
const accountOf = (objectId: string) => app.context.db.selectFrom('account').selectAll().where('objectId', '=', objectId).executeTakeFirst()
const provision = async (userName: string, more: object = {}) => (await directory.send('POST', '/Users', { userName, ...more })).json()
const setActive = (id: string, active: boolean) =>
  directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: active ? 'True' : 'False' })
const newAddress = () => `${randomUUID()}@network.test`

describe('someone who has signed in', () => {
  /** Someone with a session, an API token and a calendar feed, provisioned afterward. */
  const arrive = async () => {
    const caller = app.as(10)
    const { azureID, account } = await caller.who()
    const program = await caller.program()
    await caller.request('POST', '/api/calendars', { payload: { name: 'Mine' } })
    const user = await provision(azureID)
    return { caller, program, account, azureID, user }
  }
  const statuses = async ({ caller, program }: Awaited<ReturnType<typeof arrive>>) =>
    Promise.all([caller.trySend(readUser), program.trySend(readUser)]).then((answers) => answers.map(({ statusCode }) => statusCode))

  test.each([
    ['disabled', (id: string) => setActive(id, false)],
    ['deleted', (id: string) => directory.send('DELETE', `/Users/${id}`)],
  ])('loses access immediately when %s, on every server, including calendar feeds', async (_how, end) => {
    const someone = await arrive()
    const second = await app.startSecond()
    const headers = await someone.caller.headers()
    const signInElsewhere = async () =>
      (await second.app.inject({ method: 'GET', url: '/auth', authority: '127.0.0.1:3000', headers })).statusCode
    expect([await statuses(someone), await signInElsewhere()]).toEqual([[200, 200], 200])
    expect((await end(someone.user.id)).status).toBeLessThan(300)
    expect((await app.as(1).send(listTokens, { params: { id: someone.account } })).map((token) => token.end)).toEqual([
      'disabled in the directory',
    ])
    expect(await statuses(someone)).toEqual([401, 401])
    await expect.poll(signInElsewhere).toBe(401)
    const left = await app.context.db.selectFrom('calendar').select('_id').where('account', '=', someone.account).execute()
    expect(left).toEqual([])
  })

  test('may sign in again once enabled; ended sessions and tokens stay ended', async () => {
    const someone = await arrive()
    const { objectId } = await app.context.db
      .selectFrom('account')
      .select('objectId')
      .where('_id', '=', someone.account)
      .executeTakeFirstOrThrow()
    await setActive(someone.user.id, false)
    await expect(signIn(someone.azureID, objectId)).rejects.toMatchObject({ kind: 'disabled', account: someone.account })
    await setActive(someone.user.id, true)
    expect(await signIn(someone.azureID, objectId)).toMatch(/^[0-9a-f]{64}$/)
    expect(await statuses(someone)).toEqual([401, 401])
  })

  test('cannot sign in after leaving, even if the directory enables them', async () => {
    const someone = await arrive()
    await app.context.db.updateTable('account').set({ closedAt: new Date() }).where('_id', '=', someone.account).execute()
    await setActive(someone.user.id, false)
    await setActive(someone.user.id, true)
    expect(await statuses(someone)).toEqual([401, 401])
  })
})

describe('people in the directory of schools', () => {
  test('who are disabled are listed with their roles and access until they are marked as no longer employed', async () => {
    const admin = app.as(5)
    const email = newAddress()
    const person = await app.make.person({ email })
    const site = await app.make.site()
    await app.make.sitePerson(site._id, 'Principal', person._id)
    const listed = async () => (await admin.send(listDisabledPeople)).filter(({ _id }) => _id === person._id)
    const user = await provision(newAddress(), { emails: [{ type: 'work', value: email.toUpperCase() }] })
    expect(await listed()).toEqual([])
    await setActive(user.id, false)
    expect(await listed()).toMatchObject([
      { slug: person.slug, name: person.name, roles: 1, accessLevel: null, disabledAt: expect.any(String) },
    ])
    await setActive(user.id, true)
    expect(await listed()).toEqual([])
    await setActive(user.id, false)
    await admin.send(createDeparture, { params: { id: person._id }, body: {} })
    expect(await listed()).toEqual([])
  })
})

describe('someone without an earlier sign-in', () => {
  test('may sign in once provisioned, except while disabled or after being deleted', async () => {
    const address = newAddress()
    const user = await provision(address)
    await setActive(user.id, false)
    const objectId = randomUUID()
    await expect(signIn(address.toUpperCase(), objectId)).rejects.toMatchObject({ kind: 'disabled', account: null })
    expect(await accountOf(objectId)).toBe(undefined)
    await setActive(user.id, true)
    await signIn(address, objectId)
    expect((await accountOf(objectId))?.disabledAt).toBe(null)
    await directory.send('DELETE', `/Users/${user.id}`)
    await expect(signIn(address, objectId)).rejects.toMatchObject({ kind: 'disabled' })
    // Added to the directory again under the same name.
    await provision(address)
    await signIn(address, objectId)
  })

  test('is identified by the object id if the directory sends it, whatever the email address', async () => {
    const [objectId, address] = [randomUUID(), newAddress()]
    const user = await provision(address, { externalId: objectId })
    await setActive(user.id, false)
    await expect(signIn(newAddress(), objectId)).rejects.toMatchObject({ kind: 'disabled' })
  })

  test('is identified by an email address if the user name is not one', async () => {
    const address = newAddress()
    const user = await provision(`employee-${randomUUID()}`, { emails: [{ type: 'work', value: address }] })
    await setActive(user.id, false)
    await expect(signIn(address)).rejects.toMatchObject({ kind: 'disabled' })
  })

  test('a reassigned email address signs in its new owner without the levels of the previous owner', async () => {
    const [address, first] = [newAddress(), randomUUID()]
    await signIn(address, first)
    const user = await provision(address)
    await directory.send('POST', '/Groups', { displayName: `Of ${address}`, members: [{ value: user.id }] })
    await app.as(1).send(saveLevelMappings, { body: [{ group: `Of ${address}`, level: 5 }] })
    const second = randomUUID()
    await signIn(address, second)
    const bound = await app.context.db.selectFrom('directory_user').select('account').where('_id', '=', user.id).executeTakeFirst()
    expect(bound?.account).toBe((await accountOf(first))?._id)
    await app.as(1).send(saveLevelMappings, { body: [] })
  })
})

describe('a level', () => {
  test('comes only from a mapping: neither the name nor an attribute of a user gives one', async () => {
    const granted = await app.make.permission({ accessLevel: 5 })
    const caller = app.as(10)
    const { azureID } = await caller.who()
    const user = await provision(azureID, {
      roles: [{ value: 'Super administrator', primary: true }],
      userType: 'admin',
      entitlements: [{ value: '1' }],
    })
    // Someone else's user name is the address of an administrator, or is in SUPER_ADMINS.
    for (const userName of [granted.azureID, CHIEF])
      expect((await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'userName', value: userName })).status).toBe(200)
    await directory.send('POST', '/Groups', { displayName: 'Administrators', members: [{ value: user.id }] })
    expect((await caller.send(readUser)).accessLevel).toBe(10)
    const { rows } = await app.context.pool.query('select count(*)::int as bound from super_admin_binding')
    expect(rows).toEqual([{ bound: 0 }])
    await directory.send('DELETE', `/Users/${user.id}`)
  })

  test('of a SUPER_ADMINS account stays bound, whatever the directory sends about it', async () => {
    const objectId = randomUUID()
    await signIn(CHIEF, objectId)
    const before = await app.context.pool.query('select * from super_admin_binding')
    const user = await provision(CHIEF)
    await setActive(user.id, false)
    await expect(signIn(CHIEF, objectId)).rejects.toMatchObject({ kind: 'disabled' })
    await setActive(user.id, true)
    await signIn(CHIEF, objectId)
    expect((await app.context.pool.query('select * from super_admin_binding')).rows).toEqual(before.rows)
  })

  test('follows the groups and roles in the ID token of the last sign-in', async () => {
    const [address, objectId] = [newAddress(), randomUUID()]
    await signIn(address, objectId, ['Admins', 'Staff'])
    expect((await accountOf(objectId))?.claimedGroups).toEqual(['Admins', 'Staff'])
    await signIn(address, objectId)
    expect((await accountOf(objectId))?.claimedGroups).toEqual([])
  })

  test('from an ID token ends 30 days after the last sign-in, so that an API token does not keep it', async () => {
    const caller = app.as(10)
    const { account } = await caller.who()
    const program = await caller.program()
    await app.context.db.updateTable('api_token').set({ accessLevel: 6 }).where('account', '=', account).execute()
    await app.as(1).send(saveLevelMappings, { body: [{ group: 'Admins', level: 6 }] })
    const claimed = async (days: number) => {
      const claimedAt = new Date(Date.now() - days * 24 * 3_600_000)
      await app.context.db
        .updateTable('account')
        .set({ claimedGroups: ['Admins'], claimedAt })
        .where('_id', '=', account)
        .execute()
      await app.context.lists.invalidate(['account'])
      return (await program.send(readUser)).accessLevel
    }
    expect([await claimed(29.9), await claimed(30.1)]).toEqual([6, 10])
    await app.as(1).send(saveLevelMappings, { body: [] })
  })
})

describe('an email address of someone else, added in the directory', () => {
  const WORK = (value: string) => ({ emails: [{ value, type: 'other' }] })

  test('does not bind a user to another account once their own account has signed in', async () => {
    const [own, other] = [newAddress(), newAddress()]
    const [ownId, otherId] = [randomUUID(), randomUUID()]
    await signIn(own, ownId)
    await signIn(other, otherId)
    const user = await provision(own, WORK(other))
    await setActive(user.id, false)
    expect((await accountOf(ownId))?.disabledAt).not.toBeNull()
    expect((await accountOf(otherId))?.disabledAt).toBeNull()
  })

  test.each(['before', 'after'])('does not prevent disabling, and disables no one else, if the other person signed in %s', async (when) => {
    const [own, other] = [newAddress(), newAddress()]
    const [ownId, otherId] = [randomUUID(), randomUUID()]
    if (when === 'before') await signIn(other, otherId)
    const user = await provision(own, WORK(other))
    if (when === 'after') await signIn(other, otherId)
    await signIn(own, ownId)
    await setActive(user.id, false)
    expect((await accountOf(ownId))?.disabledAt).not.toBeNull()
    expect((await accountOf(otherId))?.disabledAt).toBeNull()
    await expect(signIn(own, ownId)).rejects.toMatchObject({ kind: 'disabled' })
    await signIn(other, otherId)
  })

  test('gives the level only to the account with the user name', async () => {
    const [own, other] = [newAddress(), newAddress()]
    const [ownId, otherId] = [randomUUID(), randomUUID()]
    await signIn(other, otherId)
    const user = await provision(own, WORK(other))
    await signIn(own, ownId)
    const group = `Mapped ${randomUUID()}`
    await directory.send('POST', '/Groups', { displayName: group, members: [{ value: user.id }] })
    await app.as(1).send(saveLevelMappings, { body: [{ group, level: 6 }] })
    const levels = await Promise.all(
      [ownId, otherId].map(async (one) => listGroupLevels(app.context.db, (await accountOf(one))?._id ?? '')),
    )
    expect(levels).toEqual([[{ group, level: 6 }], []])
  })
})

describe('a work email address that two users share', () => {
  const GIVEN = (value: string) => ({ emails: [{ value, type: 'work' }] })
  /** Someone who has signed in, and another user with the same work address who has not. */
  const share = async (active = true) => {
    const [address, objectId] = [newAddress(), randomUUID()]
    await signIn(address, objectId)
    const other = await provision(newAddress(), { ...GIVEN(address), active })
    return { address, objectId, other }
  }
  const isOut = async (objectId: string) => (await accountOf(objectId))?.disabledAt !== null

  test('the account belongs to the user with that name once provisioned, and only disabling that user disables it', async () => {
    const { address, objectId, other } = await share(false)
    expect(await isOut(objectId)).toBe(true)
    const own = await provision(address)
    expect(await isOut(objectId)).toBe(false)
    await setActive(other.id, true)
    await setActive(other.id, false)
    expect(await isOut(objectId)).toBe(false)
    await setActive(own.id, false)
    expect(await isOut(objectId)).toBe(true)
    await expect(signIn(address, objectId)).rejects.toMatchObject({ kind: 'disabled' })
  })

  test('the account belongs to the user with its object id, even if the other user was linked at sign-in', async () => {
    const { address, objectId, other } = await share()
    const own = await provision(newAddress(), { externalId: objectId })
    await signIn(address, objectId)
    await setActive(other.id, false)
    expect(await isOut(objectId)).toBe(false)
    await setActive(own.id, false)
    expect(await isOut(objectId)).toBe(true)
  })

  test('a user linked by email who is renamed to their own account moves to that account', async () => {
    const { objectId, other } = await share()
    const [own, ownId] = [newAddress(), randomUUID()]
    await signIn(own, ownId)
    await directory.patch(`/Users/${other.id}`, { op: 'replace', path: 'userName', value: own })
    await setActive(other.id, false)
    expect([await isOut(objectId), await isOut(ownId)]).toEqual([false, true])
  })

  test('a user linked only by email stays linked when the directory changes the address', async () => {
    const [address, objectId] = [newAddress(), randomUUID()]
    await signIn(address, objectId)
    const user = await provision(`employee-${randomUUID()}`, GIVEN(address))
    await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'emails', value: GIVEN(newAddress()).emails })
    await setActive(user.id, false)
    expect(await isOut(objectId)).toBe(true)
  })

  test('a reassigned user name does not take the account from the user who had it before', async () => {
    const [old, objectId] = [newAddress(), randomUUID()]
    await signIn(old, objectId)
    const user = await provision(old)
    await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'userName', value: newAddress() })
    await provision(old)
    await setActive(user.id, false)
    expect(await isOut(objectId)).toBe(true)
  })
})

describe('an address that is neither primary nor of type work', () => {
  test.each([
    ['home', [{ value: 'x', type: 'home' }], false],
    [
      'of another type, along with a work address',
      [
        { value: 'x', type: 'other' },
        { value: newAddress(), type: 'work' },
      ],
      false,
    ],
    ['without a type', [{ value: 'x' }], true],
    ['work', [{ value: 'x', type: 'Work' }], true],
    ['home, and primary', [{ value: 'x', type: 'home', primary: true }], true],
  ])('%s', async (_what, emails, isKnown) => {
    const [address, objectId] = [newAddress(), randomUUID()]
    await signIn(address, objectId)
    await provision(`employee-${randomUUID()}`, {
      emails: emails.map((one) => (one.value === 'x' ? { ...one, value: address } : one)),
      active: false,
    })
    expect((await accountOf(objectId))?.disabledAt !== null).toBe(isKnown)
    const another = newAddress()
    await provision(`employee-${randomUUID()}`, {
      emails: emails.map((one) => (one.value === 'x' ? { ...one, value: another } : one)),
      active: false,
    })
    const refusal = await signIn(another).then(
      () => null,
      (error: { kind: string }) => error.kind,
    )
    expect(refusal).toBe(isKnown ? 'disabled' : null)
  })
})

describe('attributes that try to raise a level', () => {
  test.each([
    ['roles and entitlements', { roles: [{ value: 'Admins' }], entitlements: [{ value: 'Admins' }] }],
    ['a list of groups', { groups: [{ value: 'Admins', display: 'Admins' }] }],
    ['column names of the database', { account: randomUUID(), accessLevel: 1, claimedGroups: ['Admins'], tenant: 'x', deletedAt: null }],
    ['an id', { id: randomUUID(), meta: { resourceType: 'Admins' }, schemas: ['x'] }],
  ])('%s give no level, in a user or in a PATCH', async (_what, more) => {
    const [address, objectId] = [newAddress(), randomUUID()]
    await signIn(address, objectId)
    await app.as(1).send(saveLevelMappings, { body: [{ group: 'Admins', level: 1 }] })
    const user = await provision(address, { ...more, schemas: undefined })
    if (user.id !== undefined) await directory.patch(`/Users/${user.id}`, { op: 'add', value: more })
    const account = await accountOf(objectId)
    expect([account?.claimedGroups, await listGroupLevels(app.context.db, account?._id ?? '')]).toEqual([[], []])
  })

  test('the user name and id of an administrator give nothing to a user who signs in as someone else', async () => {
    const [chief, other] = [newAddress(), newAddress()]
    const [chiefId, otherId] = [randomUUID(), randomUUID()]
    await signIn(chief, chiefId)
    await app.make.permission({ azureID: chief, name: 'Chief', accessLevel: 5, account: (await accountOf(chiefId))?._id ?? null })
    await provision(other, { externalId: chiefId, emails: [{ value: chief }] })
    await provision(chief)
    await signIn(other, otherId)
    const [mine] = (
      await app.context.pool.query<{ count: number }>('select count(*)::int as count from permission where account = $1', [
        (await accountOf(otherId))?._id,
      ])
    ).rows
    expect(mine?.count).toBe(0)
  })
})
