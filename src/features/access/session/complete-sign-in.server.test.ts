import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { CLIENT, startOidcProvider, createProviderUser, type OidcProvider } from '../../../../test/support/oidc-provider.ts'
import { getAuthHeaders, getAccessLevel, type ProviderSession, signIn as signInWith } from '../../../../test/support/provider-sign-in.ts'
import { buildApp } from '../../../app/app.server.ts'

let provider: OidcProvider
let server: Awaited<ReturnType<typeof startListeningApp>>
beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startListeningApp({ ...provider.environment, SUPER_ADMINS: 'chief@network.test, Deputy@Network.test' })
})
afterAll(async () => {
  await provider.close()
})
beforeEach(() => {
  provider.currentUser = createProviderUser()
})
const signIn = (): Promise<ProviderSession> => signInWith(server.visit())

describe('the level', () => {
  const grant = (account: string, accessLevel: number, more: object = {}) => server.make.permission({ account, accessLevel, ...more })

  test('is 10 at first, follows permission records from the next request on, and of several is the one with the most access', async () => {
    const mine = await signIn()
    expect(await getAccessLevel(mine)).toBe(10)
    const six = await grant(mine.user._id, 6)
    expect(await getAccessLevel(mine)).toBe(6)
    const five = await grant(mine.user._id, 5)
    expect(await getAccessLevel(mine)).toBe(5)
    // Bypasses the server, which is notified a moment later.
    await server.context.db.deleteFrom('permission').where('_id', 'in', [five._id]).execute()
    await expect.poll(() => getAccessLevel(mine)).toBe(6)
    await server.context.db.deleteFrom('permission').where('_id', '=', six._id).execute()
    await expect.poll(() => getAccessLevel(mine)).toBe(10)
  })

  test('is read only from the permission records of this application', async () => {
    const mine = await signIn()
    await grant(mine.user._id, 2, { applicationID: 'another' })
    expect(await getAccessLevel(mine)).toBe(10)
  })

  test('of a permission record for an email address belongs to the first account that signs in with it', async () => {
    const address = 'granted.once@network.test'
    await server.make.permission({ azureID: 'Granted.Once@network.test', accessLevel: 5 })
    provider.currentUser = createProviderUser({ address })
    const first = await signIn()
    provider.currentUser = createProviderUser({ address })
    const second = await signIn()
    expect(second.user._id).not.toBe(first.user._id)
    expect([await getAccessLevel(first), await getAccessLevel(second)]).toEqual([5, 10])
  })

  test('stays with the account when its address changes; the account updates its name and address', async () => {
    const someone = createProviderUser()
    await server.make.permission({ azureID: someone.address, accessLevel: 4 })
    provider.currentUser = someone
    const before = await signIn()
    provider.currentUser = { ...someone, name: 'Dana Reyes', address: `reyes.${someone.address}` }
    const after = await signIn()
    expect(after.user).toEqual({ _id: before.user._id, name: 'Dana Reyes', azureID: `reyes.${someone.address}`, accessLevel: 4 })
  })

  test('of an address in SUPER_ADMINS is 1, belongs to one account, and ends when the address is removed from the list', async () => {
    provider.currentUser = createProviderUser({ address: 'Chief@network.test' })
    const chief = await signIn()
    provider.currentUser = createProviderUser({ address: 'chief@network.test' })
    const namesake = await signIn()
    expect([await getAccessLevel(chief), await getAccessLevel(namesake)]).toEqual([1, 10])

    const app = await buildApp({
      ...server.context,
      configuration: { ...server.context.configuration, superAdmins: ['deputy@network.test'] },
    })
    const authority = new URL(server.context.configuration.publicUrl).host
    const response = await app.inject({
      url: '/auth',
      authority,
      headers: getAuthHeaders(chief),
    })
    expect(response.json()).toMatchObject({ accessLevel: 10 })
    await app.close()
  })

  test('bound under another tenant passes to the first account of this tenant', async () => {
    const address = 'moved@network.test'
    const local = await server.make.account({ tenant: 'local', azureID: address })
    await server.make.permission({ azureID: address, account: local._id, accessLevel: 6 })
    provider.currentUser = createProviderUser({ address })
    expect(await getAccessLevel(await signIn())).toBe(6)
  })

  test('is recorded as bound by the person who signed in', async () => {
    const someone = createProviderUser({ name: 'Robin Okafor' })
    const granted = await server.make.permission({ azureID: someone.address })
    provider.currentUser = someone
    const { user } = await signIn()
    const changes = await server.context.db
      .selectFrom('change')
      .select(['action', 'actor', 'actorName'])
      .where('table', '=', 'permission')
      .where('record', '=', granted._id)
      .orderBy('_id')
      .execute()
    expect(changes.at(-1)).toEqual({ action: 'update', actor: user._id, actorName: 'Robin Okafor' })
  })
})

test('two concurrent first sign-ins of one person create one account', async () => {
  const opened = await Promise.all([signIn(), signIn(), signIn()])
  expect(new Set(opened.map(({ user }) => user._id)).size).toBe(1)
  const accounts = await server.context.db.selectFrom('account').select('tenant').where('objectId', '=', provider.currentUser.oid).execute()
  expect(accounts).toEqual([{ tenant: CLIENT.tenant }])
})
