import { calls } from '../../../src/app/routes.server.ts'
import type { Call } from '../../../src/contract/call.ts'
import { PAGE_LIST } from '../../../src/contract/pages.ts'
import { toRequest } from '../../support/api-client.ts'
import type { CookieClient } from '../../support/cookie-client.ts'
import { hasReadPaths, listReadPaths } from '../../support/read-paths.ts'
import type { Known, ServerWithProxies, SignedInClient } from './server-with-proxies.ts'

/** What users do, in groups that a fault affects as a whole. */
export const AREA_NAMES = {
  pages: 'Pages and their files',
  session: 'Signed-in users',
  reading: 'Reading, searching, downloads',
  saving: 'Saving',
  hr: 'HR search',
  photos: 'Profile photos',
  requests: 'Change and support requests',
  'sign-in': 'Signing in',
  'sign-out': 'Signing out',
  ready: '`/readyz`',
}
export type Area = keyof typeof AREA_NAMES
export const AREAS = Object.keys(AREA_NAMES) as Area[]

/** One request to the server. */
export interface Probe {
  readonly area: Area
  readonly name: string
  readonly send: (signal: AbortSignal) => Promise<Response>
}

/** Every path of the web app, with its parameters filled in. */
export const listPagePaths = (): string[] =>
  PAGE_LIST.filter(([path]) => path !== '/$').map(([path]) => path.replaceAll(/\$\w+/g, 'some-record'))

/** Calls that are in other areas, or whose records would have to be created first. */
const SKIPPED_PATHS = new Set([
  '/api/sql/:query',
  '/api/profile-photo/:person',
  '/api/errors/:fingerprint',
  '/api/deadlines/:id',
  '/api/history/deadline/:id',
  '/api/proposals/:id',
  '/api/proposals/fields',
  '/api/activity/:id',
  '/api/changesets/:id',
])
const isRead = (call: Call): boolean =>
  call.method === 'GET' && !call.path.startsWith('/auth') && !SKIPPED_PATHS.has(call.path) && hasReadPaths(call)

/** Saves of every kind of record. */
const listSaves = ({ ids: { site, charter, brand, person } }: Known): readonly (readonly [string, string, object])[] => [
  ['PATCH', `/locations-api/sites/${site[0]}`, { displayName: `Name ${Math.random()}` }],
  ['PATCH', `/locations-api/site_fac_updates/${site[0]}`, { sq_footage: String(Math.random()) }],
  ['PATCH', `/locations-api/site_enroll_updates/${site[0]}`, {}],
  ['PUT', `/locations-api/charterview/${charter[0]}`, {}],
  ['PUT', `/locations-api/brandview/${brand[0]}`, {}],
  ['PUT', `/locations-api/charter_affair/${charter[0]}`, {}],
  ['PUT', `/locations-api/people/${person[0]}`, {}],
  ['PUT', `/api/favourites/site/${site[0]}`, {}],
  ['PUT', `/api/recent/site/${site[0]}`, {}],
  ['POST', '/api/page-views', { page: '/charters' }],
  ['POST', '/log-error', { errorMessage: 'Something', errorName: 'Error' }],
]

let photos = 0

/** Prepared before a fault: a session that may be ended, and a sign-in that the provider has already completed. */
interface Prepared {
  readonly leaver: SignedInClient
  readonly browser: CookieClient
  readonly callback: URL
}

export const prepare = async (leaver: SignedInClient, browser: CookieClient): Promise<Prepared> => {
  const { headers } = await browser.open('/auth/azure')
  const answer = await browser.open(headers.get('location') ?? '')
  return { leaver, browser, callback: new URL(answer.headers.get('location') ?? '') }
}

/** The result of a sign-in by its redirect: 200, or 401 if it was refused. */
const toSignInResult = ({ status, headers }: Response): Response => {
  if (status >= 500) return new Response(null, { status, headers })
  const ticket = new URL(headers.get('location') ?? '/', 'http://x').searchParams.get('auth') ?? 'fail'
  return new Response(null, { status: ticket === 'fail' ? 401 : 200 })
}

/** All requests of a round; those that can be made only once are omitted if nothing was prepared. */
export const listProbes = async ({ url, known, me, visit }: ServerWithProxies, prepared?: Prepared): Promise<Probe[]> => {
  const as = (who: SignedInClient, method: string, path: string, body?: object) => (signal: AbortSignal) =>
    fetch(url + path, { ...toRequest(method, { ...who.headers, connection: 'close' }, body), signal, redirect: 'manual' })
  const mine = (area: Area, method: string, path: string, body?: object): Probe => ({
    area,
    name: `${method} ${path}`,
    send: as(me, method, path, body),
  })
  const signIn = async (signal: AbortSignal): Promise<Response> => {
    const browser = visit()
    const start = await browser.open('/auth/azure', { signal })
    const provider = new URL(start.headers.get('location') ?? '/login?auth=fail', url)
    if (start.status >= 500 || provider.origin === url) return toSignInResult(start)
    // The provider's own page, which only concerns the browser and the provider.
    const page = await browser.open(provider, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    const back = page?.headers.get('location')
    return back ? toSignInResult(await browser.open(back, { signal })) : new Response(null, { status: 401 })
  }
  const person = known.photographed[photos++ % known.photographed.length]
  const readPaths = calls.filter(isRead).flatMap((call) => listReadPaths(call, known).slice(0, 1))
  const probes: Probe[] = [
    ...listPagePaths().map((path): Probe => ({
      area: 'pages',
      name: path,
      send: (signal) => fetch(url + path, { signal, headers: { accept: 'text/html' } }),
    })),
    mine('pages', 'GET', '/healthz'),
    mine('ready', 'GET', '/readyz'),
    mine('session', 'GET', '/auth'),
    mine('session', 'GET', '/auth/refresh'),
    ...readPaths.map((path) => mine('reading', 'GET', path)),
    ...listSaves(known).map(([method, path, body]) => mine('saving', method, path, body)),
    mine('hr', 'GET', '/api/sql/an'),
    mine('photos', 'GET', `/api/profile-photo/${person}`),
    mine('requests', 'POST', '/locations-api/site_send_change', { location: 'A site', correctText: 'A change.' }),
    mine('requests', 'POST', '/locations-api/is_support', { request: 'Help', name: 'A', email: 'a@network.test' }),
    { area: 'sign-in', name: 'a sign-in', send: signIn },
  ]
  if (!prepared) return probes
  const { leaver, browser, callback } = prepared
  const signInBack = async (signal: AbortSignal): Promise<Response> => toSignInResult(await browser.open(callback, { signal }))
  return [
    ...probes,
    { area: 'sign-out', name: 'a sign-out', send: as(leaver, 'GET', '/auth/logout') },
    { area: 'sign-in', name: 'a return from the provider', send: signInBack },
  ]
}
