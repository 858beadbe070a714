import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import type { FastifyInstance, RouteOptions } from 'fastify'

import { calls } from '../../../src/app/routes.server.ts'
import { LOCAL_PROVIDER_PATH } from '../../../src/features/access/session/provider-settings.server.ts'
import type { SendRequest } from '../../support/http-requests.ts'
import { Attempts } from '../attempts.ts'

/** A registered route: `GET /api/pictures/:id`. */
type RouteName = string

/** Collects every route that a server registers during creation, as reported by Fastify. */
export const collectRoutes = async <T>(make: () => Promise<T>) => {
  const routes = new Set<RouteName>()
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  const made = await make().finally(() => unsubscribe('fastify.initialization', listen))
  return { made, routes }
}

const toReadRoutes = (...paths: string[]): RouteName[] => paths.flatMap((path) => [`GET ${path}`, `HEAD ${path}`])

/** Routes that are not calls, each by name: public ones, and those that authenticate themselves. */
const OTHER_ROUTES_BY_PURPOSE: Readonly<Record<string, readonly RouteName[]>> = {
  'is it alive': toReadRoutes('/healthz', '/readyz'),
  'metrics, with their token only': toReadRoutes('/metrics'),
  'the API’s description, for every session': toReadRoutes('/openapi.json', '/docs'),
  'the web app: a page without anything of the network in it, and its files': toReadRoutes(
    '/',
    '/assets/*',
    '/icon.svg',
    '/manifest.webmanifest',
    '/service-worker.js',
    ...['192', '512', 'apple-touch', 'maskable', 'my-sites', 'search'].map((icon) => `/icons/${icon}.png`),
  ),
  'the directory that provisions, with its token only': [
    ...['ServiceProviderConfig', 'Schemas', 'Schemas/:id', 'ResourceTypes', 'ResourceTypes/:id'].map((path) => `GET /scim/v2/${path}`),
    ...['Users', 'Groups'].flatMap((path) => [
      ...['GET', 'POST'].map((method) => `${method} /scim/v2/${path}`),
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /scim/v2/${path}/:id`),
    ]),
  ],
  'contact programs find the address books': [
    ...toReadRoutes('/.well-known/carddav'),
    ...['OPTIONS', 'PROPFIND', 'REPORT'].map((method) => `${method} /.well-known/carddav`),
  ],
  'contact programs, with passwords of devices only': ['/dav', '/dav/', '/dav/*'].flatMap((path) => [
    ...toReadRoutes(path),
    ...['OPTIONS', 'PROPFIND', 'REPORT'].map((method) => `${method} ${path}`),
    // Refused with a body that says where to suggest the change.
    ...'PUT POST PATCH DELETE PROPPATCH MKCOL COPY MOVE LOCK UNLOCK ACL MKCALENDAR'.split(' ').map((method) => `${method} ${path}`),
  ]),
  'assistants, by OAuth or with an API token': [
    ...toReadRoutes('/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'),
    ...toReadRoutes('/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/authorize/:id'),
    ...['register', 'token', 'revoke'].map((path) => `POST /oauth/${path}`),
    ...['GET', 'POST', 'DELETE'].map((method) => `${method} /mcp`),
  ],
  'the local sign-in provider, on loopback only': [
    ...toReadRoutes(`${LOCAL_PROVIDER_PATH}/sign-in/:uid`, `${LOCAL_PROVIDER_PATH}/*`),
    `POST ${LOCAL_PROVIDER_PATH}/sign-in/:uid`,
    `POST ${LOCAL_PROVIDER_PATH}/*`,
  ],
}

const CALL_ROUTES = new Set(
  calls.flatMap(({ method, path }) => (method === 'GET' && !path.startsWith('/auth/') ? toReadRoutes(path) : [`${method} ${path}`])),
)
const OTHER_ROUTES = new Set(Object.values(OTHER_ROUTES_BY_PURPOSE).flat())

/** Registered routes that are neither a call nor listed above; and calls that are not registered. */
export const findUnknownRoutes = (routes: ReadonlySet<RouteName>): string[] => [
  ...[...routes].filter((route) => !CALL_ROUTES.has(route) && !OTHER_ROUTES.has(route)),
  ...[...CALL_ROUTES].filter((route) => !routes.has(route)).map((route) => `${route} is a call and no route`),
]

const fillParams = (path: string): string => path.replace(/:\w+/g, 'x').replace('*', 'x')

/** Unused paths in every area of the API. */
const UNUSED_PATHS = ['/api', '/auth', '/locations-api', '/docs', '/healthz', '/metrics', '/log-error', '/scim/v2']
  .map((path) => `${path}/nothing`)
  .concat('/api', '/locations-api', '/assets/nothing.js', '/robots.txt', '/.env', '/.git/config', '/server-status')

/** The seven standard methods, and three that some servers have accepted. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

/** Every path, and some unused ones, with every method and each of the `senders`: everything that is not a route must answer 404 or 405. */
export const checkMethods = async (
  send: SendRequest,
  routes: ReadonlySet<RouteName>,
  pages: readonly string[],
  senders: readonly Record<string, string>[],
) => {
  const patterns = [...routes].map((route) => {
    const [method = '', pathname = ''] = route.split(' ')
    return { method, pathname, pattern: new URLPattern({ pathname }) }
  })
  const isRoute = (method: string, pathname: string): boolean =>
    patterns.some((route) => route.method === method && route.pattern.test({ pathname }))
  const filled = patterns.map(({ pathname }) => fillParams(pathname))
  const paths = new Set([...filled, ...UNUSED_PATHS, ...pages.map((page) => page.replace(/\$\w*/g, 'x'))])
  const attempts = new Attempts()
  const check = async (method: string, path: string, headers: Record<string, string>): Promise<void> => {
    const { status, headers: answered } = await send(method, path, { headers })
    // The path of a page is not a route: a browser that opens it always gets the empty page of the web app.
    const isPage =
      ['GET', 'HEAD'].includes(method) &&
      status === 200 &&
      String(answered['content-type']).startsWith('text/html') &&
      !/^\/(api\/|auth|locations-api|assets|log-error)/.test(path)
    // Node refuses a QUERY without a body before any handler runs.
    const isRefused = status === 404 || status === 405 || (method === 'QUERY' && status === 400)
    attempts.add(isRefused || isPage, `${method} ${path}: ${status}`)
  }
  for (const path of paths) {
    const methods = METHODS.filter((method) => !isRoute(method, path))
    for (const headers of senders) await Promise.all(methods.map((method) => check(method, path, headers)))
  }
  return { paths: paths.size, attempts }
}

/** Alternative spellings of a path, which some servers treat as equal and some guards as different. */
const listPathSpellings = (path: string): string[] => [
  `/${path}`,
  `${path}/`,
  `${path}//`,
  `/.${path}`,
  `/x/..${path}`,
  `/x/%2e%2e${path}`,
  `/%2f${path.slice(1)}`,
  path.replace(/\/([a-z])/, (_found, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
  path.replace('/', '/%2e/'),
  path.toUpperCase(),
  `${path};x=1`,
  `${path}%00`,
  `${path}%20`,
  `${path}.json`,
  `${path}?x-auth-token=1`,
  `${path}#x`,
  path.replaceAll('/', '\\'),
]

/** Requests every call that needs a session without one, in every spelling: the only allowed response is the empty page of the web app. */
export const checkPathSpellings = async (send: SendRequest): Promise<Attempts> => {
  const attempts = new Attempts()
  for (const { method, path, capability } of calls) {
    if (capability === 'no session') continue
    await Promise.all(
      listPathSpellings(fillParams(path)).map(async (disguised) => {
        const { status, headers } = await send(method, disguised)
        const isPage = status === 200 && method === 'GET' && String(headers['content-type']).startsWith('text/html')
        attempts.add((isPage || status >= 400) && status < 500, `${method} ${disguised}: ${status}`)
      }),
    )
  }
  return attempts
}
