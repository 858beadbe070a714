import { expect } from 'vitest'

import { createCookieClient } from '../support/cookie-client.ts'
import { createProviderUser, type OidcProvider } from '../support/oidc-provider.ts'
import { getAuthHeaders, getSessionStatus, type ProviderSession, signIn } from '../support/provider-sign-in.ts'

/** Provisions like Microsoft Entra ID: looks for a user, creates it, and later disables it with a boolean given as text. */
export const provision = async (
  url: string,
  provider: OidcProvider,
  administrator: ProviderSession,
): Promise<{ level: number; afterDisabling: number }> => {
  const headers = { ...getAuthHeaders(administrator), 'content-type': 'application/json' }
  const made = await fetch(`${url}/api/scim-tokens`, { method: 'POST', headers, body: JSON.stringify({ name: 'Entra ID' }) })
  const { token } = (await made.json()) as { token: string }
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; answer: Record<string, unknown> }> => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
  }
  const user = createProviderUser()
  const filter = encodeURIComponent(`userName eq "${user.address}"`)
  expect((await send('GET', `/Users?filter=${filter}`)).answer).toMatchObject({ totalResults: 0 })
  const created = await send('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: user.oid,
    userName: user.address,
    active: true,
    displayName: user.name,
    emails: [{ primary: true, type: 'work', value: user.address }],
  })
  expect(created.status).toBe(201)
  provider.currentUser = user
  const session = await signIn(createCookieClient(url))
  const disabled = await send('PATCH', `/Users/${String(created.answer['id'])}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  expect(disabled.status).toBeLessThan(300)
  return { level: session.user.accessLevel, afterDisabling: await getSessionStatus(session) }
}
