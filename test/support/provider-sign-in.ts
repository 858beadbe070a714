import { expect } from 'vitest'

import type { User } from '../../src/features/access/session/contract.ts'
import type { CookieClient } from './cookie-client.ts'

/** Someone who has signed in by way of a provider, in a browser of theirs. */
export interface ProviderSession {
  readonly browser: CookieClient
  readonly token: string
  readonly user: User
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

/** Goes through the provider; what /login is told at the end. */
export const getTicket = async (browser: CookieClient): Promise<string> =>
  (await browser.follow('/auth/azure')).url.searchParams.get('auth') ?? ''

export const refreshSession = (browser: CookieClient, token: string): Promise<Response> => browser.open('/auth/refresh', bearer(token))

/** Trades a ticket, which must go well. */
export const exchangeTicket = async (browser: CookieClient, ticket: string): Promise<ProviderSession> => {
  const response = await refreshSession(browser, ticket)
  expect(response.status).toBe(200)
  return { browser, ...((await response.json()) as { user: User; token: string }) }
}

/** Signs in the person whom the provider has signed in. */
export const signIn = async (browser: CookieClient): Promise<ProviderSession> => exchangeTicket(browser, await getTicket(browser))

export const getSessionStatus = async ({ browser, token }: Pick<ProviderSession, 'browser' | 'token'>): Promise<number> =>
  (await browser.open('/auth', bearer(token))).status

/** The level the next request has. */
export const getAccessLevel = async ({ browser, token }: ProviderSession): Promise<number> =>
  ((await (await browser.open('/auth', bearer(token))).json()) as User).accessLevel

/** The headers of someone signed in, for a request that is made past the browser. */
export const getAuthHeaders = ({
  browser,
  token,
}: Pick<ProviderSession, 'browser' | 'token'>): { authorization: string; cookie: string } => ({
  authorization: `Bearer ${token}`,
  cookie: [...browser.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; '),
})
