import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { createProviderUser, type OidcProvider, signIdToken, startOidcProvider } from '../../../../test/support/oidc-provider.ts'
import { getAccessLevel, getSessionStatus, type ProviderSession, signIn } from '../../../../test/support/provider-sign-in.ts'
import { readSetup } from '../../../app/setup/contract.ts'

const ADMIN = 'first.admin@school.test'
const START = '/auth/azure/test'
let provider: OidcProvider
let server: Awaited<ReturnType<typeof startListeningApp>>
beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startListeningApp({ ...provider.environment, SUPER_ADMINS: ADMIN })
})
afterAll(() => provider.close())

let admin: ProviderSession
const administrator = { ...createProviderUser(), address: ADMIN }
beforeEach(async () => {
  provider.currentUser = administrator
  admin = await signIn(server.visit())
  provider.currentUser = createProviderUser()
})

const readTest = async () => {
  const response = await admin.browser.open(readSetup.path, { headers: { authorization: `Bearer ${admin.token}` } })
  return ((await response.json()) as { signIn: { test: { problem: string | null; claims: { name: string; value: string }[] } | null } })
    .signIn.test
}
const countRows = async (table: 'ticket' | 'account' | 'session') =>
  (
    await server.context.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

describe('a test of the sign-in', () => {
  test('says who reached us, and leaves the session of who tests as it was', async () => {
    const before = await Promise.all([countRows('account'), countRows('session')])
    const end = await admin.browser.follow(START)
    expect(`${end.url.pathname}${end.url.search}`).toBe('/setup?step=sign_in')
    const result = await readTest()
    expect(result?.problem).toBeNull()
    expect(result?.claims).toContainEqual({ name: 'oid', value: provider.currentUser.oid })
    expect(await getAccessLevel(admin)).toBe(1)
    expect(await Promise.all([countRows('account'), countRows('session')])).toEqual(before)
    expect(await countRows('ticket')).toBe(0)
  })

  test('ends in no session for anyone: its return is not accepted again, nor in another browser', async () => {
    const start = await admin.browser.open(START)
    const atProvider = await admin.browser.open(start.headers.get('location') ?? '')
    const back = atProvider.headers.get('location') ?? ''
    expect(back).toContain('/auth/azure/callback?')
    const stranger = server.visit()
    expect((await stranger.open(back)).headers.get('location')).toBe('/login?auth=fail')
    expect((await admin.browser.open(back)).headers.get('location')).toBe('/setup?step=sign_in')
    expect((await admin.browser.open(back)).headers.get('location')).toBe('/login?auth=fail')
    expect(await countRows('ticket')).toBe(0)
    expect(await getSessionStatus(admin)).toBe(200)
  })

  test('is not for anyone else: without a session, or with less access', async () => {
    const other = await signIn(server.visit())
    expect((await other.browser.open(START)).status).toBe(403)
    expect((await server.visit().open(START)).status).toBe(401)
  })

  test('says why a sign-in would be refused', async () => {
    provider.makeIdToken = (workshop) => signIdToken({ ...workshop, claims: { ...workshop.claims, tid: 'another' } })
    await admin.browser.follow(START)
    provider.makeIdToken = undefined
    expect(await readTest()).toMatchObject({ problem: expect.stringContaining('another tenant'), claims: [] })
  })
})
