import type { User } from '../../src/contract/user.ts'
import type { CookieClient } from './cookie-client.ts'

/** Someone who has signed in through a provider, in a separate browser. */
export interface ProviderSession {
  readonly browser: CookieClient
  readonly token: string
  readonly user: User
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

/** Signs in at the provider; returns the result that /login receives. */
export const getTicket = async (browser: CookieClient): Promise<string> =>
  (await browser.follow('/auth/azure')).url.searchParams.get('auth') ?? ''

export const refreshSession = (browser: CookieClient, token: string): Promise<Response> => browser.open('/auth/refresh', bearer(token))

/** Exchanges a ticket, which must succeed. */
export const exchangeTicket = async (browser: CookieClient, ticket: string): Promise<ProviderSession> => {
  const response = await refreshSession(browser, ticket)
  if (response.status !== 200) throw new Error(`A ticket is refused: ${response.status} ${await response.text()}`)
  return { browser, ...((await response.json()) as { user: User; token: string }) }
}

/** Signs in the person who is signed in at the provider. */
export const signIn = async (browser: CookieClient): Promise<ProviderSession> => exchangeTicket(browser, await getTicket(browser))

export const getSessionStatus = async ({ browser, token }: Pick<ProviderSession, 'browser' | 'token'>): Promise<number> =>
  (await browser.open('/auth', bearer(token))).status

/** The level of the next request. */
export const getAccessLevel = async ({ browser, token }: ProviderSession): Promise<number> =>
  ((await (await browser.open('/auth', bearer(token))).json()) as User).accessLevel

/** Someone's authentication headers, for requests made outside the browser. */
export const getAuthHeaders = ({
  browser,
  token,
}: Pick<ProviderSession, 'browser' | 'token'>): { authorization: string; cookie: string } => ({
  authorization: `Bearer ${token}`,
  cookie: [...browser.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; '),
})
