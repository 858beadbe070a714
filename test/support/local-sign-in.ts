import { type CookieClient, createCookieClient } from './cookie-client.ts'

/** Someone who has signed in through the local provider of a running server. */
export interface LocalSession {
  readonly browser: CookieClient
  /** Authentication headers for requests made in any way. */
  readonly headers: Readonly<Record<string, string>>
}

/** Signs in like a browser: submits the provider's form, and exchanges the ticket for a token. */
export const signInLocally = async (url: string, login: string): Promise<LocalSession> => {
  const browser = createCookieClient(url)
  const form = await browser.follow('/auth/azure')
  const back = await browser.follow(form.url, { method: 'POST', body: new URLSearchParams({ login }), headers: { origin: url } })
  const ticket = back.url.searchParams.get('auth') ?? ''
  const response = await browser.open('/auth/refresh', { headers: { authorization: `Bearer ${ticket}` } })
  if (response.status !== 200) throw new Error(`${login} could not sign in: ${back.url.pathname}${back.url.search}, ${response.status}`)
  const { token } = (await response.json()) as { token: string }
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
  return { browser, headers: { authorization: `Bearer ${token}`, cookie } }
}
