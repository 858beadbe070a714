import { exportJWK, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'

import { type CookieClient } from '../../../../test/support/cookie-client.ts'
import { startListeningApp } from '../../../../test/support/listening-app.ts'
import {
  CLIENT,
  signIdToken,
  type MakeIdToken,
  startOidcProvider,
  type OidcProvider,
  type IdTokenInputs,
} from '../../../../test/support/oidc-provider.ts'

let provider: OidcProvider
let server: Awaited<ReturnType<typeof startListeningApp>>
/** The log lines of failed sign-ins. */
let warnings: MockInstance
beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startListeningApp(provider.environment)
  warnings = vi.spyOn(server.context.log, 'warn')
})
afterAll(async () => {
  await provider.close()
})
beforeEach(() => {
  provider.reset()
})

/** The numbers of accounts, tickets and sessions. */
const known = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of ['account', 'ticket', 'session'] as const) {
    const row = await server.context.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = row.count
  }
  return counts
}

const TICKET = /^[0-9a-f]{64}$/
const signIn = async (browser: CookieClient): Promise<string | null> => (await browser.follow('/auth/azure')).url.searchParams.get('auth')

/** Goes to the provider and returns the callback's URL without opening it. */
const signInUntilCallback = async (browser: CookieClient): Promise<URL> => {
  const redirect = await browser.open('/auth/azure')
  const back = await browser.open(redirect.headers.get('location') ?? '')
  return new URL(back.headers.get('location') ?? '')
}
/** The URL to which the callback redirects the browser. */
const arrive = async (browser: CookieClient, callback: URL): Promise<string | null> =>
  (await browser.open(callback)).headers.get('location')

const FAILED = '/login?auth=fail'

test('a valid ID token signs in, with PKCE, state and nonce', async () => {
  expect(await signIn(server.visit())).toMatch(TICKET)
  expect(Object.fromEntries(provider.authorizationParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    client_id: CLIENT.id,
    redirect_uri: `${server.context.configuration.publicUrl}/auth/azure/callback`,
    scope: 'openid profile email offline_access User.Read User.ReadBasic.All',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(provider.authorizationParams.get(name)).toMatch(/^[\w-]{43}$/)
})

const now = (): number => Math.floor(Date.now() / 1000)
/** A valid signature over other claims. */
const claiming =
  (change: (claims: IdTokenInputs['claims']) => object): MakeIdToken =>
  (workshop) =>
    signIdToken({ ...workshop, claims: { ...workshop.claims, ...change(workshop.claims) } })

/** What is wrong with a token, the expected log message, and how the token is made. */
const forgeries: [what: string, reason: string, makeIdToken: MakeIdToken][] = [
  ['no signature at all (alg none)', 'unexpected JWT "alg"', async ({ claims }) => new UnsecuredJWT(claims).encode()],
  [
    'HS256 with the provider’s public key as the secret',
    'unexpected JWT "alg"',
    ({ claims, publicKey }) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'signing-key' }).sign(new TextEncoder().encode(publicKey)),
  ],
  [
    'HS256 with our client secret',
    'unexpected JWT "alg"',
    ({ claims }) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.secret.padEnd(32, ' '))),
  ],
  [
    'a key that the token brings itself (jwk)',
    'signature verification failed',
    async ({ claims, otherKeys, header }) =>
      new SignJWT(claims).setProtectedHeader({ ...header, jwk: await exportJWK(otherKeys.publicKey) }).sign(otherKeys.privateKey),
  ],
  [
    'a key that the token points at (jku)',
    'signature verification failed',
    ({ claims, otherKeys, header }) =>
      new SignJWT(claims).setProtectedHeader({ ...header, jku: 'https://forger.test/keys' }).sign(otherKeys.privateKey),
  ],
  [
    'another’s key under the provider’s key id',
    'signature verification failed',
    ({ claims, otherKeys, header }) => new SignJWT(claims).setProtectedHeader(header).sign(otherKeys.privateKey),
  ],
  [
    'a key the provider does not name',
    'no applicable keys found',
    ({ claims, otherKeys }) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'unknown' }).sign(otherKeys.privateKey),
  ],
  [
    'the right key and another algorithm',
    'unexpected JWT "alg"',
    async ({ claims, keys }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'PS256', kid: 'signing-key' })
        .sign(await importJWK(await exportJWK(keys.privateKey), 'PS256')),
  ],
  [
    'claims altered after signing',
    'signature verification failed',
    async (workshop) => {
      const [header, , signature] = ((await signIdToken(workshop)) ?? '').split('.')
      const altered = Buffer.from(JSON.stringify({ ...workshop.claims, oid: 'somebody-else' })).toString('base64url')
      return [header, altered, signature].join('.')
    },
  ],
  ['another issuer', '"iss"', claiming(() => ({ iss: 'https://login.microsoftonline.com/elsewhere/v2.0' }))],
  ['another audience', '"aud"', claiming(() => ({ aud: 'another-client' }))],
  ['several audiences, issued to another', '"azp"', claiming(() => ({ aud: [CLIENT.id, 'another-client'], azp: 'another-client' }))],
  ['another tenant', 'another tenant', claiming(() => ({ tid: 'b2f6c3b4-0000-4000-8000-00000000bbbb' }))],
  ['no tenant', '(tid)', claiming(() => ({ tid: undefined }))],
  ['another nonce', '"nonce"', claiming(() => ({ nonce: 'another' }))],
  ['no nonce', '"nonce"', claiming(() => ({ nonce: undefined }))],
  ['an expiry that is over', '"exp"', claiming(() => ({ exp: now() - 120 }))],
  ['no expiry', '"exp"', claiming(() => ({ exp: undefined }))],
  ['a beginning that is to come', '"nbf"', claiming(() => ({ nbf: now() + 300 }))],
  ['a date of issue that is to come', 'in the future', claiming(() => ({ iat: now() + 300 }))],
  ['a date of issue long ago', 'long ago', claiming(() => ({ iat: now() - 7200 }))],
  ['no date of issue', '"iat"', claiming(() => ({ iat: undefined }))],
  ['no object id', '(oid)', claiming(() => ({ oid: undefined }))],
  ['an empty object id', '(oid)', claiming(() => ({ oid: '' }))],
  ['no subject', '"sub"', claiming(() => ({ sub: undefined }))],
  ['no address', 'no address', claiming(() => ({ preferred_username: 'dana' }))],
  [
    'an e-mail address that was never verified in place of a user name',
    'no address',
    claiming(() => ({
      preferred_username: undefined,
      email: 'dana@network.test',
      email_verified: false,
    })),
  ],
  ['no token where one is due', '"id_token"', async () => undefined],
  ['something that is no token', 'JWT', async () => 'not.a.token'],
]

describe('a sign-in is refused if the ID token has', () => {
  test.each(forgeries)('%s', async (_what, reason, makeIdToken) => {
    const before = await known()
    let counter = 0
    provider.makeIdToken = (workshop) => {
      counter++
      return makeIdToken(workshop)
    }
    warnings.mockClear()
    expect(await signIn(server.visit())).toBe('fail')
    expect(counter).toBe(1)
    expect(JSON.stringify(warnings.mock.calls)).toContain(JSON.stringify(reason).slice(1, -1))
    expect(await known()).toEqual(before)
  })
})

describe('a guest of the tenant', () => {
  test('is refused at sign-in, and the reason is logged', async () => {
    for (const guest of [{ acct: 1 }, { idp: 'https://sts.windows.net/another-tenant/' }]) {
      provider.makeIdToken = claiming(() => guest)
      const before = await known()
      expect(await signIn(server.visit())).toBe('fail')
      expect(await known()).toEqual(before)
      expect(warnings).toHaveBeenLastCalledWith(
        expect.objectContaining({ kind: 'guest', reason: expect.stringContaining('OIDC_ALLOW_GUESTS') }),
        expect.anything(),
      )
    }
    provider.makeIdToken = claiming(() => ({ acct: 0 }))
    expect(await signIn(server.visit())).toMatch(TICKET)
  })

  test('signs in if OIDC_ALLOW_GUESTS is true', async () => {
    const { visit } = await startListeningApp({ ...provider.environment, OIDC_ALLOW_GUESTS: 'true' })
    provider.makeIdToken = claiming(() => ({ acct: 1 }))
    expect(await signIn(visit())).toMatch(TICKET)
  })

  test('cannot be distinguished from a member if the token has neither claim, which is logged once', async () => {
    const { visit, context } = await startListeningApp(provider.environment)
    const warn = vi.spyOn(context.log, 'warn')
    for (const _ of [1, 2]) expect(await signIn(visit())).toMatch(TICKET)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('neither acct nor idp')]])
  })
})

describe('a sign-in fails', () => {
  const fails = async (work: (browser: CookieClient) => Promise<string | null>): Promise<void> => {
    const before = await known()
    expect(await work(server.visit())).toBe(FAILED)
    expect(await known()).toEqual(before)
  }

  test('if the state is not the one that was sent', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      callback.searchParams.set('state', 'another')
      return arrive(browser, callback)
    }))

  test('if there is no state', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      callback.searchParams.delete('state')
      return arrive(browser, callback)
    }))

  test('if the browser has lost its cookie', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      browser.cookies.clear()
      return arrive(browser, callback)
    }))

  test('if another browser returns, which started a sign-in of its own', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      const other = server.visit()
      await signInUntilCallback(other)
      return arrive(other, callback)
    }))

  test('if it took more than ten minutes', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      await server.context.db
        .updateTable('sign_in')
        .set({ createdAt: new Date(Date.now() - 601_000) })
        .execute()
      return arrive(browser, callback)
    }))

  test('if the code belongs to another sign-in', () =>
    fails(async (browser) => {
      const [first, second] = [await signInUntilCallback(browser), await signInUntilCallback(browser)]
      second.searchParams.set('code', first.searchParams.get('code') ?? '')
      return arrive(browser, second)
    }))

  test('if the provider answers with an error', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      callback.search = new URLSearchParams({ error: 'access_denied', state: callback.searchParams.get('state') ?? '' }).toString()
      return arrive(browser, callback)
    }))

  test('if the provider ended the sign-in before it was completed', () =>
    fails(async (browser) => {
      const callback = await signInUntilCallback(browser)
      provider.isUp = false
      return arrive(browser, callback)
    }))
})

test('a callback that is used again does nothing', async () => {
  const browser = server.visit()
  const callback = await signInUntilCallback(browser)
  expect(await arrive(browser, callback)).toMatch(/auth=[0-9a-f]{64}$/)
  const before = await known()
  expect(await arrive(browser, callback)).toBe(FAILED)
  expect(await known()).toEqual(before)
})

test('a used code is refused in another sign-in', async () => {
  const browser = server.visit()
  const used = await signInUntilCallback(browser)
  await arrive(browser, used)
  const before = await known()
  const callback = await signInUntilCallback(browser)
  callback.searchParams.set('code', used.searchParams.get('code') ?? '')
  expect(await arrive(browser, callback)).toBe(FAILED)
  expect(await known()).toEqual(before)
})

test('an attempt of another browser does not affect the sign-in', async () => {
  const browser = server.visit()
  const callback = await signInUntilCallback(browser)
  expect(await arrive(server.visit(), callback)).toBe(FAILED)
  expect(await arrive(browser, callback)).toMatch(/auth=[0-9a-f]{64}$/)
})

test('two tabs of one browser may sign in concurrently', async () => {
  const browser = server.visit()
  const [first, second] = [await signInUntilCallback(browser), await signInUntilCallback(browser)]
  expect(await arrive(browser, first)).toMatch(/auth=[0-9a-f]{64}$/)
  expect(await arrive(browser, second)).toMatch(/auth=[0-9a-f]{64}$/)
})

test('if the provider is down, the sign-in fails, and the next attempt contacts it again', async () => {
  const { visit } = await startListeningApp(provider.environment)
  provider.isUp = false
  expect(await signIn(visit())).toBe('fail')
  provider.isUp = true
  expect(await signIn(visit())).toMatch(TICKET)
})

test('a provider with another issuer than the configured one is refused', async () => {
  const { visit, context } = await startListeningApp({
    ...provider.environment,
    OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost'),
  })
  const warn = vi.spyOn(context.log, 'warn')
  expect(await signIn(visit())).toBe('fail')
  expect(JSON.stringify(warn.mock.calls)).toContain('issuer')
})

test('the log of a failed sign-in has the reason, but no code, token or claim', async () => {
  const browser = server.visit()
  let idToken = ''
  provider.makeIdToken = async (workshop) => (idToken = (await claiming(() => ({ tid: 'another' }))(workshop)) ?? '')
  const callback = await signInUntilCallback(browser)
  warnings.mockClear()
  expect(await arrive(browser, callback)).toBe(FAILED)
  const log = JSON.stringify(warnings.mock.calls)
  expect(log).toContain('another tenant')
  expect(idToken).not.toBe('')
  for (const secret of [
    idToken,
    callback.searchParams.get('code'),
    callback.searchParams.get('state'),
    provider.currentUser.address,
    CLIENT.secret,
  ]) {
    expect(log).not.toContain(secret)
  }
})
