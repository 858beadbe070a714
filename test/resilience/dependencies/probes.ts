import type { Call } from '../../../src/contract/call.ts'
import { PAGE_LIST } from '../../../src/contract/pages.ts'
import { calls } from '../../../src/routes.server.ts'
import type { CookieClient } from '../../support/cookie-client.ts'

/** What users do, in groups that a fault affects as a whole. */
export const AREAS = ['pages', 'session', 'reading', 'saving', 'hr', 'photos', 'requests', 'sign-in', 'sign-out', 'ready'] as const
export type Area = (typeof AREAS)[number]
export const AREA_NAMES: Readonly<Record<Area, string>> = {
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

/** One request to the server. */
export interface Probe {
  readonly area: Area
  readonly name: string
  readonly send: (signal: AbortSignal) => Promise<Response>
}

/** A signed-in user, and the browser used to sign in. */
export interface SignedInClient {
  readonly browser: CookieClient
  readonly headers: Readonly<Record<string, string>>
}

/** Every path of the web app, with its parameters filled in. */
export const listPagePaths = (): string[] =>
  PAGE_LIST.filter(([path]) => path !== '/$').map(([path]) => path.replaceAll(/\$\w+/g, 'some-record'))

type Row = { _id: string; slug: string; email?: string | null; photo?: string | null }

/** Records for the calls' parameters. */
export interface Known {
  readonly site: Row
  readonly charter: Row
  readonly brand: Row
  readonly region: Row
  readonly people: readonly Row[]
  readonly sis: Row
  readonly request: string
  readonly picture: string
  readonly account: string
  readonly permission: Row
}

export const readKnown = async (url: string, { headers }: SignedInClient): Promise<Known> => {
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(url + path, { headers })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const list = async (path: string): Promise<Row[]> => (await get(path)) as Row[]
  const first = (rows: Row[]): Row => {
    const [row] = rows
    if (!row) throw new Error('The sample network lacks something that every network has')
    return row
  }
  const response = await fetch(`${url}/locations-api/site_send_change`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'A site', correctText: 'The first request.' }),
  })
  const sites = await list('/locations-api/sites_pop')
  const charters = await list('/locations-api/charters_pop')
  const brands = await list('/locations-api/brand')
  const picture = [...brands, ...charters, ...sites].find(({ photo }) => photo)?.photo
  if (!picture) throw new Error('The sample network has no picture')
  const { _id: account } = (await get('/auth')) as Row
  return {
    site: first(sites),
    charter: first(charters),
    brand: first(brands),
    region: first(await list('/locations-api/regions_pop')),
    people: (await list('/locations-api/people')).filter(({ email }) => email),
    sis: first(await list('/locations-api/sis')),
    request: ((await response.json()) as Row)._id,
    picture,
    account,
    permission: first(await list('/api/permissions/app_permissions/homeroom')),
  }
}

/** Fills in the parameters of a call that reads. */
const toPath = ({ path }: Call, known: Known): string => {
  const record: Row | undefined = [
    ['/locations-api/regionbyslug', known.region] as const,
    ['/api/coverage', known.region] as const,
    ['/locations-api/brand', known.brand] as const,
    ['/locations-api/charter', known.charter] as const,
    ['/api/history/charter_affair', known.charter] as const,
    ['/api/deadlines/charters', known.charter] as const,
    ['/api/history/permission', known.permission] as const,
    ['/locations-api/sis', known.sis] as const,
    ['/api/accounts', { _id: known.account, slug: known.account }] as const,
    ['/api/requests', { _id: known.request, slug: known.request }] as const,
    ['/locations-api/people', known.people[0]] as const,
    ['/api/people', known.people[0]] as const,
  ].find(([beginning]) => path.startsWith(beginning))?.[1]
  const { _id, slug } = record ?? known.site
  if (path === '/api/pictures/:id') return known.picture
  return path
    .replace(':group', 'LEADERSHIP')
    .replace(':kind', path.startsWith('/api/sheets') ? 'sites' : 'site')
    .replace(':appId', 'homeroom')
    .replace(/:slug|:region/, slug)
    .replace(':id', _id)
}
const QUERIES: Readonly<Record<string, string>> = {
  '/api/search': '?q=an',
  '/api/permissions/candidates': '?q=an',
  '/api/activity/new': '?since=1',
}

/** Calls that are in other areas, or whose records would have to be created first. */
const ELSEWHERE = new Set([
  '/api/sql/:query',
  '/api/profile-photo/:person',
  '/api/errors/:fingerprint',
  '/api/deadlines/:id',
  '/api/history/deadline/:id',
  '/calendar/:secret.ics',
  '/api/webhooks/:id',
  '/api/webhooks/:id/deliveries',
  '/api/proposals/:id',
  '/api/proposals/fields',
  '/api/activity/:id',
  '/api/changesets/:id',
  '/api/sheets/preview/:id',
  '/api/sheets/preview/:id/progress',
  '/api/sheets/preview/:id/file',
])
const isRead = ({ method, path }: Call): boolean => method === 'GET' && !path.startsWith('/auth') && !ELSEWHERE.has(path)

/** Saves of every kind of record. */
const listSaves = ({ site, charter, brand, people }: Known): readonly (readonly [string, string, object])[] => [
  ['PATCH', `/locations-api/sites/${site._id}`, { displayName: `Name ${Math.random()}` }],
  ['PATCH', `/locations-api/site_fac_updates/${site._id}`, { sq_footage: String(Math.random()) }],
  ['PATCH', `/locations-api/site_enroll_updates/${site._id}`, {}],
  ['PUT', `/locations-api/charterview/${charter._id}`, {}],
  ['PUT', `/locations-api/brandview/${brand._id}`, {}],
  ['PUT', `/locations-api/charter_affair/${charter._id}`, {}],
  ['PUT', `/locations-api/people/${people.at(-1)?._id ?? ''}`, {}],
  ['PUT', `/api/favourites/site/${site._id}`, {}],
  ['PUT', `/api/recent/site/${site._id}`, {}],
  ['POST', '/api/page-views', { page: '/charters' }],
  ['POST', '/log-error', { errorMessage: 'Something', errorName: 'Error' }],
]

let photos = 0

/** Prepared before a fault: a session that may be ended, and a sign-in that the provider has already completed. */
export interface Prepared {
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
export const listProbes = async (
  url: string,
  known: Known,
  me: SignedInClient,
  fresh: () => CookieClient,
  prepared?: Prepared,
): Promise<Probe[]> => {
  const as = (who: SignedInClient, method: string, path: string, body?: object) => (signal: AbortSignal) =>
    fetch(url + path, {
      method,
      signal,
      redirect: 'manual',
      headers: { ...who.headers, connection: 'close', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const mine = (area: Area, method: string, path: string, body?: object): Probe => ({
    area,
    name: `${method} ${path}`,
    send: as(me, method, path, body),
  })
  const signIn = async (signal: AbortSignal): Promise<Response> => {
    const browser = fresh()
    const start = await browser.open('/auth/azure', { signal })
    const provider = new URL(start.headers.get('location') ?? '/login?auth=fail', url)
    if (start.status >= 500 || provider.origin === url) return toSignInResult(start)
    // The provider's own page, which only concerns the browser and the provider.
    const page = await browser.open(provider, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    const back = page?.headers.get('location')
    return back ? toSignInResult(await browser.open(back, { signal })) : new Response(null, { status: 401 })
  }
  const person = known.people[photos++ % known.people.length]
  return [
    ...listPagePaths().map((path): Probe => ({
      area: 'pages',
      name: path,
      send: (signal) => fetch(url + path, { signal, headers: { accept: 'text/html' } }),
    })),
    mine('pages', 'GET', '/healthz'),
    mine('ready', 'GET', '/readyz'),
    mine('session', 'GET', '/auth'),
    mine('session', 'GET', '/auth/refresh'),
    ...calls.filter(isRead).map((call) => mine('reading', 'GET', toPath(call, known) + (QUERIES[call.path] ?? ''))),
    ...listSaves(known).map(([method, path, body]) => mine('saving', method, path, body)),
    mine('hr', 'GET', '/api/sql/an'),
    mine('photos', 'GET', `/api/profile-photo/${person?._id ?? ''}`),
    mine('requests', 'POST', '/locations-api/site_send_change', { location: 'A site', correctText: 'A change.' }),
    mine('requests', 'POST', '/locations-api/is_support', { request: 'Help', name: 'A', email: 'a@network.test' }),
    { area: 'sign-in', name: 'a sign-in', send: signIn },
    ...(prepared
      ? [
          { area: 'sign-out' as const, name: 'a sign-out', send: as(prepared.leaver, 'GET', '/auth/logout') },
          {
            area: 'sign-in' as const,
            name: 'a return from the provider',
            send: async (signal: AbortSignal) => toSignInResult(await prepared.browser.open(prepared.callback, { signal })),
          },
        ]
      : []),
  ]
}
