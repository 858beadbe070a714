import type { Browser, Page } from '@playwright/test'

import { type Capability, can } from '../../../src/contract/capabilities.ts'
import { PAGE_LIST } from '../../../src/contract/pages.ts'
import type { SendRequest } from '../../support/http-requests.ts'
import { Attempts } from '../attempts.ts'
import { fillPage, type PageRecords } from '../page-paths.ts'
import type { Credential } from './credentials.ts'

/** What a page requires of the user who opens it. */
type PageAccess = Capability | 'a session' | 'nobody signed in' | 'anyone'

/**
 * The pages by who may open them, written independently of the app's own routes. Pages with the same content, like `/brand` and `/brands`, are apart:
 * the browser waits for a new heading.
 */
const PAGES_BY_ACCESS: Readonly<Partial<Record<PageAccess, string>>> = {
  'nobody signed in': '/login',
  anyone: '/verify',
  'a session': `
    /signed-in-again /assistant/$id / /brand /404 /insights /help /help/$guide /requests /account /activity /coverage /deadlines /downloads /leadership /staff /support
    /regions /region/$id /region/$id/org /region/$id/calls
    /brands /brand/$id /brandview/$id
    /charters /charter/$id /charterview/$id
    /locations /location/$slug /location/fac/$slug /location/enrollment/$slug /location/staff/$slug /location/$slug/sis
    /staff/$slug /requests/$id /$`,
  'manage the network': '/add_staff /addbrand /addcharter /reorganize /planned /duplicates /merge /sheets/$id',
  'import files': '/import /import/$id',
  'edit a site': '/add_location',
  'read a charter affair': '/charter_affair/$id /charter/$id/dossier',
  'open a SIS site': '/location/$slug/sis/$id',
  'manage administrators': '/permissions',
  'change the settings': '/settings',
  'read the audit trail': '/audit',
  'read a history': '/changes/$id',
  'see searches without results': '/searches',
  'set up the program': '/setup',
  'see usage': '/usage',
  'see the error log': '/errors',
  'manage webhooks': '/webhooks /webhooks/$id',
  'end anyone’s sessions': '/accounts /accounts/$id',
}
/** Who may open each page. */
export const PAGES = Object.fromEntries(
  Object.entries(PAGES_BY_ACCESS).flatMap(([access, pages]) =>
    pages
      .trim()
      .split(/\s+/)
      .map((page) => [page, access as PageAccess]),
  ),
)

const STANDALONE_ACCESS = { 'signed out': 'nobody signed in', 'signed in': 'a session', anyone: 'anyone' } as const

/** The same according to the app's list of pages, from which its router takes the guards. */
export const readAppPages = (): Record<string, string> =>
  Object.fromEntries(
    PAGE_LIST.map(([path, { capability, standalone }]) => [path, capability ?? STANDALONE_ACCESS[standalone ?? 'signed in']]),
  )

/** Where a user ends up who opens a page: there, at home, or at the login page. */
export const getExpectedEnd = (capability: PageAccess, level: number | null): 'there' | '/' | '/login' => {
  if (capability === 'anyone') return 'there'
  if (level === null) return capability === 'nobody signed in' ? 'there' : '/login'
  if (capability === 'nobody signed in') return '/'
  return capability === 'a session' || can(level, capability) ? 'there' : '/'
}

const UNKNOWN_PAGE = '/nothing/there'
const withoutNonce = (html: string): string => html.replaceAll(/nonce="[\w-]+"|content="[\w-]{24}"/g, '')

/** The server's response for a page is the same for everyone: the app without any data of the network. */
export const checkPageHtml = async (send: SendRequest, credentials: readonly Credential[]): Promise<Attempts> => {
  const attempts = new Attempts()
  const seen = new Set<string>()
  for (const page of Object.keys(PAGES)) {
    const path = page === '/$' ? UNKNOWN_PAGE : page.replace(/\$\w+/g, 'x')
    await Promise.all(
      credentials.map(async ({ name, headers }) => {
        const { status, body } = await send('GET', path, { headers: { ...headers, accept: 'text/html' } })
        seen.add(withoutNonce(body))
        attempts.add(status === 200, `GET ${path} with ${name}: ${status}`)
      }),
    )
  }
  attempts.expect(seen.size === 1, `the server sends ${seen.size} different pages`)
  return attempts
}

const openSignedInPage = async (browser: Browser, url: string, { headers }: Credential): Promise<Page> => {
  const context = await browser.newContext({ baseURL: url })
  const [name, value] = (headers['cookie'] ?? '').split('=')
  if (name && value) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  const token = headers['authorization']?.replace('Bearer ', '')
  await context.addInitScript((kept) => {
    // A page that found the token invalid has deleted it; every page here starts with it.
    if (kept) localStorage.setItem('token', kept)
  }, token)
  return context.newPage()
}

/**
 * The pages opened with a credential: all of them without one, at level 1 and at level 10; those that require a level at the levels in between; and a
 * few with ended credentials, which are all treated the same.
 */
const isOpened = (page: string, capability: PageAccess, { headers, level, isCookieAlone }: Credential): boolean => {
  if (Object.keys(headers).length === 0 || (!isCookieAlone && (level === 1 || level === 10))) return true
  return level === null || isCookieAlone ? ['/', '/permissions', '/location/$slug'].includes(page) : capability !== 'a session'
}

const WAIT_OPTIONS = { timeout: 60_000 }

/** Opens the pages in a browser with one credential, and checks where each ends up. */
export const checkPagesInBrowser = async (
  browser: Browser,
  url: string,
  credential: Credential,
  records: PageRecords,
  attempts: Attempts,
): Promise<void> => {
  const page = await openSignedInPage(browser, url, credential)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(new URL(response.url()).pathname)
  })
  // A session with only the cookie is invalid for the app, which reads the token.
  const level = credential.isCookieAlone ? null : credential.level
  if (level !== null) {
    await page.goto('/')
    await page.locator('h1').first().waitFor(WAIT_OPTIONS)
  }
  for (const [pattern, capability] of Object.entries(PAGES)) {
    if (!isOpened(pattern, capability, credential)) continue
    const path = pattern === '/$' ? UNKNOWN_PAGE : fillPage(pattern, records)
    const end = getExpectedEnd(capability, level)
    const wanted = end === 'there' ? path : end
    refused.length = 0
    let isLoaded = true
    try {
      if (level === null) await page.goto(path, { waitUntil: 'commit' })
      else await navigateInApp(page, path)
      await page.waitForURL((now) => now.pathname === wanted, { ...WAIT_OPTIONS, waitUntil: 'commit' })
      // The page has loaded, so a guard would have redirected before. A user sent home from a page that never loaded would still be at home.
      if (level === null || end !== '/') await page.locator('h1:not([data-seen])').first().waitFor(WAIT_OPTIONS)
    } catch {
      isLoaded = false
    }
    const now = new URL(page.url()).pathname
    const what = `${pattern} with ${credential.name}`
    attempts.add(now === wanted, `${what} ends at ${now} in place of ${wanted}`)
    attempts.expect(isLoaded || now !== wanted, `${what} shows no new heading`)
    attempts.expect(end === 'there' || refused.length === 0, `${what} asked for ${refused.join(', ')} all the same`)
  }
  await page.context().close()
}

/** Follows a link of the app with its router: the page is not reloaded. Marks the present content, to distinguish it from the new one. */
const navigateInApp = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset['seen'] = ''
    history.pushState({}, '', to)
  }, path)
