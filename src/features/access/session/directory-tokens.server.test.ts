import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { signIdToken, startOidcProvider, createProviderUser, type OidcProvider } from '../../../../test/support/oidc-provider.ts'
import { type ProviderSession, signIn as signInWith, getSessionStatus } from '../../../../test/support/provider-sign-in.ts'
import { renewDirectoryTokens } from './directory-tokens.server.ts'
import { insertApiToken } from './mutations.server.ts'
import { getDirectoryAccessToken } from './queries.server.ts'
import { encrypt, decrypt } from './secrets.server.ts'
import { maintainSessions } from './session.server.ts'

let provider: OidcProvider
let server: Awaited<ReturnType<typeof startListeningApp>>
beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startListeningApp(provider.environment)
})
afterAll(async () => {
  await provider.close()
})
beforeEach(() => {
  provider.reset()
})

const signIn = (): Promise<ProviderSession> => signInWith(server.visit())

const rowOf = ({ user }: ProviderSession) =>
  server.context.db
    .selectFrom('account')
    .select(['directoryTokens', 'directoryTokensDue'])
    .where('_id', '=', user._id)
    .executeTakeFirstOrThrow()
/** Makes the hourly renewal of this account due. */
const makeDue = ({ user }: ProviderSession) =>
  sql`update account set "directoryTokensDue" = now() - interval '1 second' where _id = ${user._id}`.execute(server.context.db)

test('directory tokens are stored encrypted with SECRET_KEY, for use only by the server', async () => {
  const mine = await signIn()
  const { directoryTokens, directoryTokensDue } = await rowOf(mine)
  expect(directoryTokens?.toString('latin1')).not.toContain('directory token')
  expect(await getDirectoryAccessToken(server.context, mine.user._id)).toBe(`directory token of ${provider.currentUser.oid}`)
  const minutes = ((directoryTokensDue?.getTime() ?? 0) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(59)
  expect(minutes).toBeLessThanOrEqual(60)
})

test('the ID token is stored encrypted as well', async () => {
  const mine = await signIn()
  const { idToken } = await server.context.db
    .selectFrom('session')
    .select('idToken')
    .where('account', '=', mine.user._id)
    .executeTakeFirstOrThrow()
  expect(idToken).not.toBeNull()
  expect(idToken?.toString('latin1')).not.toContain('eyJ')
})

test('an encrypted token can be decrypted only with its key, for its account, and unaltered', () => {
  const sealed = encrypt('a key of at least 32 characters!', 'mine', 'text')
  expect(decrypt('a key of at least 32 characters!', 'mine', sealed)).toBe('text')
  expect(decrypt('another key of 32 characters or so', 'mine', sealed)).toBeNull()
  expect(decrypt('a key of at least 32 characters!', 'yours', sealed)).toBeNull()
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(decrypt('a key of at least 32 characters!', 'mine', sealed)).toBeNull()
  expect(decrypt('a key of at least 32 characters!', 'mine', Buffer.alloc(3))).toBeNull()
})

test('nothing is renewed before an hour has passed', async () => {
  const mine = await signIn()
  await renewDirectoryTokens(server.context)
  expect(provider.renewalCount).toBe(0)
  expect(await getSessionStatus(mine)).toBe(200)
})

test('a granted renewal continues every hour with the new refresh token', async () => {
  const mine = await signIn()
  for (const hour of [1, 2, 3]) {
    await makeDue(mine)
    await renewDirectoryTokens(server.context)
    expect(provider.renewalCount).toBe(hour)
    expect(await getSessionStatus(mine)).toBe(200)
  }
  expect((await rowOf(mine)).directoryTokensDue?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
})

test('a refused renewal ends every session of the account, and no one else’s', async () => {
  const other = await signIn()
  provider.currentUser = createProviderUser()
  const [mine, phone] = [await signIn(), await signIn()]
  await makeDue(mine)
  provider.renewals = 'refused'
  await renewDirectoryTokens(server.context)
  expect([await getSessionStatus(mine), await getSessionStatus(phone), await getSessionStatus(other)]).toEqual([401, 401, 200])
  expect(await rowOf(mine)).toEqual({ directoryTokens: null, directoryTokensDue: null })
})

test('a renewal with a guest’s ID token is refused like a guest’s sign-in', async () => {
  const mine = await signIn()
  await makeDue(mine)
  provider.makeIdToken = (workshop) => signIdToken({ ...workshop, claims: { ...workshop.claims, acct: 1 } })
  await renewDirectoryTokens(server.context)
  expect(await getSessionStatus(mine)).toBe(401)
})

test.each(['broken', 'our secret is wrong'] as const)(
  'a renewal that fails because the provider’s answer is "%s" ends nothing and is retried',
  async (renewals) => {
    const mine = await signIn()
    await makeDue(mine)
    provider.renewals = renewals
    await renewDirectoryTokens(server.context)
    expect(provider.renewalCount).toBe(1)
    expect(await getSessionStatus(mine)).toBe(200)
    provider.renewals = 'granted'
    await makeDue(mine)
    await renewDirectoryTokens(server.context)
    expect(provider.renewalCount).toBe(2)
    expect((await rowOf(mine)).directoryTokens).not.toBeNull()
  },
)

test('a renewal updates the groups and roles from its ID token; without an ID token they stay', async () => {
  const mine = await signIn()
  const readClaims = () =>
    server.context.db
      .selectFrom('account')
      .select(['claimedGroups', 'claimedAt'])
      .where('_id', '=', mine.user._id)
      .executeTakeFirstOrThrow()
  const renewWith = async (makeIdToken: OidcProvider['makeIdToken']) => {
    provider.makeIdToken = makeIdToken
    await makeDue(mine)
    await sql`update account set "claimedAt" = now() - interval '1 day' where _id = ${mine.user._id}`.execute(server.context.db)
    await renewDirectoryTokens(server.context)
    const { claimedGroups, claimedAt } = await readClaims()
    return [claimedGroups, (claimedAt?.getTime() ?? 0) > Date.now() - 60_000]
  }
  const withGroups =
    (groups: string[]): OidcProvider['makeIdToken'] =>
    (workshop) =>
      signIdToken({ ...workshop, claims: { ...workshop.claims, groups } })
  expect(await renewWith(withGroups(['Admins', 'Staff']))).toEqual([['Admins', 'Staff'], true])
  expect(await renewWith(async () => undefined)).toEqual([['Admins', 'Staff'], false])
  expect(await renewWith(withGroups(['Staff']))).toEqual([['Staff'], true])
  expect(await renewWith(undefined)).toEqual([[], true])
  expect(await getSessionStatus(mine)).toBe(200)
})

test('the owner of an API token who has signed out is checked at the provider as long as groups are configured', async () => {
  const mine = await signIn()
  const { db } = server.context
  await insertApiToken(db, { account: mine.user._id, name: 'A program', accessLevel: 6, days: 30 })
  const setGroups = (claimedGroups: string[]) => db.updateTable('account').set({ claimedGroups }).where('_id', '=', mine.user._id).execute()
  await setGroups(['Admins'])
  await mine.browser.follow('/auth/logout')
  await makeDue(mine)
  await maintainSessions(server.context)
  expect(provider.renewalCount).toBe(1)
  const { claimedGroups } = await db
    .selectFrom('account')
    .select('claimedGroups')
    .where('_id', '=', mine.user._id)
    .executeTakeFirstOrThrow()
  expect(claimedGroups).toEqual([])
  expect(await rowOf(mine)).toEqual({ directoryTokens: null, directoryTokensDue: null })
})

test('a refused renewal ends the groups of the ID token, so that an API token does not keep their level', async () => {
  const mine = await signIn()
  const { db } = server.context
  await db
    .updateTable('account')
    .set({ claimedGroups: ['Admins'] })
    .where('_id', '=', mine.user._id)
    .execute()
  await makeDue(mine)
  provider.renewals = 'refused'
  await renewDirectoryTokens(server.context)
  const row = await db.selectFrom('account').select('claimedGroups').where('_id', '=', mine.user._id).executeTakeFirst()
  expect(row).toEqual({ claimedGroups: [] })
})

test('a renewal with the ID token of another account counts as refused', async () => {
  const mine = await signIn()
  await makeDue(mine)
  provider.makeIdToken = (workshop) => signIdToken({ ...workshop, claims: { ...workshop.claims, oid: 'somebody-else' } })
  await renewDirectoryTokens(server.context)
  expect(provider.renewalCount).toBe(1)
  expect(await getSessionStatus(mine)).toBe(401)
})

test('two servers renew an account only once', async () => {
  const mine = await signIn()
  await makeDue(mine)
  await Promise.all([renewDirectoryTokens(server.context), renewDirectoryTokens(server.context)])
  expect(provider.renewalCount).toBe(1)
  expect(await getSessionStatus(mine)).toBe(200)
})

test('the tokens of someone who signed out are deleted, not renewed', async () => {
  const mine = await signIn()
  await mine.browser.follow('/auth/logout')
  await makeDue(mine)
  await maintainSessions(server.context)
  expect(provider.renewalCount).toBe(0)
  expect(await rowOf(mine)).toEqual({ directoryTokens: null, directoryTokensDue: null })
})

test('tokens encrypted with a replaced SECRET_KEY are deleted, and the session continues', async () => {
  const mine = await signIn()
  await makeDue(mine)
  const context = {
    ...server.context,
    configuration: { ...server.context.configuration, secretKey: 'another secret key, just as long as that' },
  }
  expect(await getDirectoryAccessToken(context, mine.user._id)).toBeNull()
  await renewDirectoryTokens(context)
  expect(provider.renewalCount).toBe(0)
  expect(await getSessionStatus(mine)).toBe(200)
})

test('with SECRET_KEY_PREVIOUS no token is lost, and the renewal encrypts with the new key', async () => {
  const mine = await signIn()
  const { secretKey: old } = server.context.configuration
  const secretKey = 'another secret key, just as long as that'
  const withKeys = (secretKeyPrevious: string | undefined) => ({
    ...server.context,
    configuration: { ...server.context.configuration, secretKey, secretKeyPrevious },
  })
  expect(await getDirectoryAccessToken(withKeys(undefined), mine.user._id)).toBeNull()
  expect(await getDirectoryAccessToken(withKeys(old), mine.user._id)).not.toBeNull()
  await makeDue(mine)
  await renewDirectoryTokens(withKeys(old))
  expect(provider.renewalCount).toBe(1)
  expect(await getDirectoryAccessToken(withKeys(undefined), mine.user._id)).not.toBeNull()
})

test('an expired access token is not returned', async () => {
  const mine = await signIn()
  const sealed = encrypt(
    server.context.configuration.secretKey ?? '',
    mine.user._id,
    JSON.stringify({ accessToken: 'old', expiresAt: Date.now() - 1 }),
  )
  await server.context.db.updateTable('account').set({ directoryTokens: sealed }).where('_id', '=', mine.user._id).execute()
  expect(await getDirectoryAccessToken(server.context, mine.user._id)).toBeNull()
})
