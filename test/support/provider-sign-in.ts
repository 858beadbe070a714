import { expect } from 'vitest'

import type { User } from '../../src/features/access/session/contract.ts'
import type { Visitor } from './cookie-client.ts'

/** Somebody who has signed in by way of a provider, in a browser of theirs. */
export interface Opened {
  readonly browser: Visitor
  readonly token: string
  readonly user: User
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

/** Goes through the provider; what /login is told at the end. */
export const ticketFor = async (browser: Visitor): Promise<string> =>
  (await browser.follow('/auth/azure')).url.searchParams.get('auth') ?? ''

export const refresh = (browser: Visitor, token: string): Promise<Response> => browser.open('/auth/refresh', bearer(token))

/** Trades a ticket, which must go well. */
export const trade = async (browser: Visitor, ticket: string): Promise<Opened> => {
  const response = await refresh(browser, ticket)
  expect(response.status).toBe(200)
  return { browser, ...((await response.json()) as { user: User; token: string }) }
}

/** Signs in whoever is at the provider's keyboard. */
export const signIn = async (browser: Visitor): Promise<Opened> => trade(browser, await ticketFor(browser))

export const statusOf = async ({ browser, token }: Pick<Opened, 'browser' | 'token'>): Promise<number> =>
  (await browser.open('/auth', bearer(token))).status

/** The level the next request has. */
export const levelOf = async ({ browser, token }: Opened): Promise<number> =>
  ((await (await browser.open('/auth', bearer(token))).json()) as User).accessLevel

/** The headers of somebody signed in, for a request that is made past the browser. */
export const headersOf = ({ browser, token }: Pick<Opened, 'browser' | 'token'>): { authorization: string; cookie: string } => ({
  authorization: `Bearer ${token}`,
  cookie: [...browser.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; '),
})
