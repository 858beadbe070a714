import { beforeAll, describe, expect, test } from 'vitest'

import { type Caller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { connectDirectory, PATCH_SCHEMA, type TestDirectory, toDirectory } from '../../../../test/support/scim.ts'
import { signInAt } from '../../../../test/support/sessions.ts'
import { readOwnAccount } from '../accounts/contract.ts'
import { readPersonAccess } from '../levels/contract.ts'
import { listGroupAdministrators } from '../permissions/contract.ts'
import { readUser } from '../session/contract.ts'
import { createScimToken, deleteScimToken, listDirectoryGroups, listLevelMappings, listScimTokens, saveLevelMappings } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

describe('tokens of the directory', () => {
  test('are shown once, at most two exist at a time, and they stop working when removed', async () => {
    const me = app.as(1)
    const first = await me.send(createScimToken, { body: { name: 'Entra ID' } })
    expect(first.token).toMatch(/^scim_[\w-]{43}$/)
    const second = await me.send(createScimToken, { body: { name: 'Entra ID, new' } })
    const third = await me.trySend(createScimToken, { body: { name: 'One more' } })
    expect(third.statusCode).toBe(409)
    const status = async (token: string) => (await toDirectory(app, token).send('GET', '/Users')).status
    expect(await status(first.token)).toBe(200)
    const listed = await me.send(listScimTokens)
    expect(listed.map(({ _id, name, usedAt }) => [_id, name, usedAt === null])).toEqual([
      [first._id, 'Entra ID', false],
      [second._id, 'Entra ID, new', true],
    ])
    expect(JSON.stringify(listed)).not.toContain(first.token)
    const { rows } = await app.context.pool.query('select to_jsonb(scim_token)::text as row from scim_token')
    expect(JSON.stringify(rows)).not.toContain(first.token.slice(5))

    await me.send(deleteScimToken, { params: { id: first._id } })
    expect(await status(first.token)).toBe(401)
    expect(await status(second.token)).toBe(200)
    expect((await me.trySend(deleteScimToken, { params: { id: first._id } })).statusCode).toBe(404)
    await me.send(deleteScimToken, { params: { id: second._id } })
  })
})

describe('groups and levels', () => {
  const levelOf = async (caller: Caller): Promise<number> => (await caller.send(readUser)).accessLevel
  let directory: TestDirectory
  beforeAll(async () => {
    app = await startApp()
    directory = await connectDirectory(app)
  })
  const map = (...body: { group: string; level: number }[]) => app.as(1).send(saveLevelMappings, { body })

  /** Someone who has signed in, is provisioned, and is in a group with this name. */
  const joinGroup = async (level: number, displayName: string) => {
    const who = app.as(level)
    const { azureID } = await who.who()
    const user = (await directory.send('POST', '/Users', { userName: azureID, displayName: 'Someone' })).json()
    const group = (
      await directory.send('POST', '/Groups', { displayName, externalId: `ext-${displayName}`, members: [{ value: user.id }] })
    ).json()
    return { who, user, group }
  }

  test('a mapped group gives its level immediately, found by its name in any case, its id or its external id', async () => {
    const { who, group } = await joinGroup(10, 'Network Admins')
    expect(await levelOf(who)).toBe(10)
    for (const name of ['NETWORK admins', group.id, 'ext-network admins']) {
      expect(await map({ group: name, level: 5 })).toEqual([{ group: name, level: 5 }])
      expect(await levelOf(who)).toBe(5)
      await map()
      expect(await levelOf(who)).toBe(10)
    }
  })

  test('the higher access of permission record and group applies', async () => {
    const { who } = await joinGroup(5, 'Helpers')
    await map({ group: 'Helpers', level: 6 })
    expect(await levelOf(who)).toBe(5)
    await map({ group: 'Helpers', level: 1 })
    expect(await levelOf(who)).toBe(1)
    await map()
    expect(await levelOf(who)).toBe(5)
  })

  test('leaving or deleting the group ends the level at the next request, on every server', async () => {
    const { who, user, group } = await joinGroup(10, 'Leavers')
    const second = await app.startSecond()
    const elsewhere = async () =>
      (await second.app.inject({ method: 'GET', url: '/auth', authority: '127.0.0.1:3000', headers: await who.headers() })).json()
        .accessLevel
    await map({ group: 'Leavers', level: 6 })
    await expect.poll(elsewhere).toBe(6)
    await directory.send('PATCH', `/Groups/${group.id}`, {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'remove', path: `members[value eq "${user.id}"]` }],
    })
    expect(await levelOf(who)).toBe(10)
    await expect.poll(elsewhere).toBe(10)
    await directory.send('PUT', `/Groups/${group.id}`, { displayName: 'Leavers', members: [{ value: user.id }] })
    expect(await levelOf(who)).toBe(6)
    await directory.send('DELETE', `/Groups/${group.id}`)
    expect(await levelOf(who)).toBe(10)
    await map()
  })

  test('groups in the ID token count, except those that the directory provisions', async () => {
    const someone = await signInAt(app.context, 10)
    const level = async () =>
      (await app.app.inject({ method: 'GET', url: '/auth', authority: '127.0.0.1:3000', headers: someone.headers })).json().accessLevel
    await app.context.db
      .updateTable('account')
      .set({ claimedGroups: ['Directory.Admin', 'Provisioned'], claimedAt: new Date() })
      .where('_id', '=', someone.account)
      .execute()
    await map({ group: 'directory.admin', level: 6 }, { group: 'Provisioned', level: 5 })
    expect(await level()).toBe(5)
    const provisioned = (await directory.send('POST', '/Groups', { displayName: 'Provisioned' })).json()
    expect(await level()).toBe(6)
    const groups = await app.as(1).send(listDirectoryGroups)
    expect(groups).toContainEqual({ name: 'Directory.Admin', provisioned: false, people: 1 })
    expect(groups).toContainEqual({ name: 'Provisioned', provisioned: true, people: 0 })
    // An old ID token does not restore its level.
    await directory.send('DELETE', `/Groups/${provisioned.id}`)
    expect(await level()).toBe(6)
    await map()
  })

  test('a group is listed once, with a level from 1 to 10', async () => {
    const me = app.as(1)
    const twice = await me.trySend(saveLevelMappings, {
      body: [
        { group: 'One', level: 5 },
        { group: 'ONE', level: 6 },
      ],
    })
    expect([twice.statusCode, twice.json().errors[0].path]).toEqual([422, '1.group'])
    for (const level of [0, 11, 5.5])
      expect((await me.trySend(saveLevelMappings, { body: [{ group: 'One', level }] })).statusCode).toBe(422)
    expect(await me.send(listLevelMappings)).toEqual([])
    expect((await app.as(5).trySend(saveLevelMappings, { body: [] })).statusCode).toBe(403)
  })
})

test('the pages of accounts, people and permissions show which group gives a level, also before the first sign-in', async () => {
  const other = await startApp()
  const { as } = other
  const own = await connectDirectory(other)
  const who = as(10)
  const { azureID, account } = await who.who()
  const user = (await own.send('POST', '/Users', { userName: azureID })).json()
  await own.send('POST', '/Groups', { displayName: 'Network Admins', externalId: 'the-group', members: [{ value: user.id }] })
  await as(1).send(saveLevelMappings, { body: [{ group: 'the-group', level: 6 }] })
  expect(await who.send(readOwnAccount)).toMatchObject({ accessLevel: 6, grantedAt: null, groups: [{ group: 'Network Admins', level: 6 }] })
  const person = await other.make.person({ email: azureID.toUpperCase() })
  const access = await as(6).send(readPersonAccess, { params: { id: person._id } })
  expect(access).toEqual({
    account,
    accessLevel: 6,
    grantedAt: null,
    grantedBy: null,
    groups: [{ group: 'Network Admins', level: 6 }],
    isSuperAdmin: false,
  })
  const newcomer = await other.make.person({ email: 'newcomer@network.test' })
  const first = { account: null, accessLevel: 6, grantedAt: null, grantedBy: null, isSuperAdmin: false }
  const groups = [{ group: 'Newcomers', level: 6 }]
  const readFirst = async () => as(6).send(readPersonAccess, { params: { id: newcomer._id } })
  // Someone else's user name, with the same work address.
  const coming = (
    await own.send('POST', '/Users', { userName: 'employee-7', emails: [{ value: 'Newcomer@network.test', type: 'work' }] })
  ).json()
  await own.send('POST', '/Groups', { displayName: 'Newcomers', members: [{ value: coming.id }] })
  await as(1).send(saveLevelMappings, {
    body: [
      { group: 'the-group', level: 6 },
      { group: 'newcomers', level: 6 },
    ],
  })
  expect(await readFirst()).toEqual({ ...first, groups })
  await own.patch(`/Users/${coming.id}`, { op: 'replace', value: { userName: 'newcomer@network.test', emails: [] } })
  expect(await readFirst()).toEqual({ ...first, groups })
  await own.patch(`/Users/${coming.id}`, { op: 'replace', path: 'active', value: 'False' })
  expect(await readFirst()).toEqual({ ...first, accessLevel: 10, groups: [] })
  const listed = await as(6).send(listGroupAdministrators)
  expect(listed).toMatchObject([{ _id: account, azureID, group: 'Network Admins', accessLevel: 6 }])
})
