import { setTimeout as pause } from 'node:timers/promises'

import type { Browser, BrowserContext, Page, Request } from '@playwright/test'

import type { SignedInUser } from '../../support/sessions.ts'

/** What was looked at in the browser, and events that no page of the app causes. */
export class Observations {
  views = 0
  /** Views on which a payload was visible exactly as typed: as text, or as the value of an input. */
  withPayload = 0
  /** How often a payload was in an input of a form. */
  inInputs = 0
  /** Pages that failed: no heading, or an error instead of the page. */
  readonly broken: string[] = []
  /** Code was executed: a dialog, a call of `alert` or similar, a new window, or an automatic navigation. */
  readonly runs: string[] = []
  /** A request to another server; none of them leaves the machine. */
  readonly outside: string[] = []
  /** Violations of the content security policy. */
  readonly violations: string[] = []
  /** Uncaught errors. */
  readonly errors: string[] = []
  /** Links that are neither relative nor http(s), mailto or tel. */
  readonly links: string[] = []
}

export interface WatchedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly seen: Observations
  /** Waits until the page has loaded and rendered everything. */
  readonly settled: () => Promise<void>
}

/** Whether the page has no pending requests and nothing to render. Runs in the page. */
const isIdle = async (): Promise<boolean> => {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }))
  return document.body !== null && document.querySelector('[aria-busy=true]') === null
}

/** How long to wait for a page. */
const SETTLE_TIMEOUT_MS = 10_000
const MAX_RESPONSE_MS = 4000

/** What the browser of a signed-in user has stored. */
const toStorageState = (url: string, { headers: { authorization, cookie } }: SignedInUser) => {
  const [name = '', value = ''] = cookie.split('=')
  const sessionCookie = { name, value, domain: new URL(url).hostname, path: '/', expires: -1, httpOnly: true, secure: false }
  const token = { name: 'token', value: authorization.slice('Bearer '.length) }
  return { cookies: [{ ...sessionCookie, sameSite: 'Strict' as const }], origins: [{ origin: url, localStorage: [token] }] }
}

/** A separate browser window whose events are added to `seen`; nobody is signed in without a user. */
export const openWatchedPage = async (browser: Browser, url: string, seen: Observations, user?: SignedInUser): Promise<WatchedPage> => {
  const storageState = user && { storageState: toStorageState(url, user) }
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 }, ...storageState })
  await context.exposeBinding('reportRun', ({ frame }, what: string) => void seen.runs.push(`${what} at ${frame.url()}`))
  await context.exposeBinding('reportViolation', (_source, what: string) => void seen.violations.push(what))
  await context.addInitScript(() => {
    const host = window as unknown as Record<string, (text: string) => unknown>
    for (const name of ['alert', 'confirm', 'prompt']) host[name] = () => host['reportRun']?.(name)
    host['print'] = () => undefined
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      host['reportViolation']?.(`${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber} on ${location.href}`),
    )
  })
  const isOurs = (address: string): boolean => address.startsWith(`${url}/`) || /^(blob:|data:image\/|about:)/.test(address)
  await context.route(
    ({ href, protocol }) => /^https?:/.test(protocol) && !isOurs(href),
    (route) => route.abort(),
  )
  await context.routeWebSocket(/.*/, (socket) => void seen.outside.push(socket.url()))
  const underWay = new Map<Request, number>()
  context.on('request', (request) => {
    underWay.set(request, Date.now())
    if (!isOurs(request.url())) seen.outside.push(request.url())
  })
  context.on('requestfinished', (request) => void underWay.delete(request))
  context.on('requestfailed', (request) => void underWay.delete(request))
  context.on('weberror', (error) => void seen.errors.push(error.error().stack ?? error.error().message))
  context.on('dialog', (dialog) => {
    // The confirmation before losing unsaved changes belongs to the app.
    if (dialog.type() !== 'beforeunload') seen.runs.push(`dialog ${dialog.message()}`)
    void dialog.dismiss().catch(() => undefined)
  })
  const page = await context.newPage()
  context.on('page', (opened) => {
    seen.runs.push(`a window of ${opened.url()}`)
    void opened.close()
  })
  /** Requests that take longer are no longer reported (of a page that was left), so they are not awaited. */
  const isBusy = (): boolean => [...underWay.values()].some((since) => Date.now() - since < MAX_RESPONSE_MS)
  const settled = async (): Promise<void> => {
    const end = Date.now() + SETTLE_TIMEOUT_MS
    for (let quiet = 0; quiet < 3 && Date.now() < end;) {
      await pause(20)
      const isThere = await page.evaluate(isIdle).catch(() => false)
      quiet = isThere && !isBusy() ? quiet + 1 : 0
    }
  }
  return { context, page, seen, settled }
}

/** Collects every URL on the page that the app would not use. Runs in the page. */
export const findForeignLinks = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('*'))
      for (const name of ['href', 'src', 'action', 'formaction', 'xlink:href', 'data', 'poster', 'background', 'ping']) {
        const value = element.getAttribute(name)
        if (value === null) continue
        const to = URL.canParse(value, location.href) ? new URL(value, location.href) : undefined
        const isPicture = name === 'src' && /^(data:image\/|blob:)/.test(to?.href ?? '')
        if (to && !/^(https?|mailto|tel):$/.test(to.protocol) && !isPicture) found.push(`${element.tagName} ${name}=${value}`)
      }
    if (document.querySelector('[srcdoc]')) found.push('a frame with srcdoc')
    return found
  })
