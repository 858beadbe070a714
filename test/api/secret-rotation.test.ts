import { expect, test } from 'vitest'

import { createCookieClient } from '../support/cookie-client.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { CLIENT, createProviderUser, startOidcProvider } from '../support/oidc-provider.ts'
import { getSessionStatus, getTicket, signIn } from '../support/provider-sign-in.ts'

// The recipe of docs/operators/deploying.md for OIDC_CLIENT_SECRET: one server after the other gets the new secret while the provider takes both.

const NEW_SECRET = 'the-second-client-secret'

test('a rotation of OIDC_CLIENT_SECRET fails no sign-in; afterwards the old secret is worth nothing', async () => {
  const provider = await startOidcProvider()
  const first = await startAppWithDatabase(provider.environment)
  const second = await startAppWithDatabase({ ...provider.environment, OIDC_CLIENT_SECRET: NEW_SECRET }, first)
  try {
    const signInAt = async ({ url }: typeof first) => {
      provider.currentUser = createProviderUser()
      return signIn(createCookieClient(url))
    }
    provider.clientSecrets = [CLIENT.secret, NEW_SECRET]
    for (const server of [first, second]) expect(await getSessionStatus(await signInAt(server))).toBe(200)
    provider.clientSecrets = [NEW_SECRET]
    expect(await getSessionStatus(await signInAt(second))).toBe(200)
    provider.currentUser = createProviderUser()
    expect(await getTicket(createCookieClient(first.url))).not.toMatch(/^[\w-]{20,}$/)
  } finally {
    await second.stop()
    await first.stop()
    await provider.close()
  }
})
