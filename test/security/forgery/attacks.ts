import { connect } from 'node:net'

import { sql } from 'kysely'

import { calls } from '../../../src/app/routes.server.ts'
import { type Call, callName } from '../../../src/contract/call.ts'
import { getCookieNames } from '../../../src/features/access/session/cookies.server.ts'
import { sendSupportRequest } from '../../../src/features/changing/requests/contract.ts'
import type { HttpResponse, SendRequest } from '../../support/http-requests.ts'
import type { AppWithDatabase } from '../../support/listening-app-with-database.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'
import { signInAt } from '../../support/sessions.ts'
import { createTestNetwork } from '../access/test-network.ts'
import { createValidRequest, type ValidRequest } from '../access/valid-requests.ts'
import { Attempts } from '../attempts.ts'

export type Target = Pick<AppWithDatabase, 'app' | 'context' | 'make' | 'url'>

const EVIL_HOST = 'evil.example'
const EVIL_ADDRESSES = [
  `https://${EVIL_HOST}/`,
  `//${EVIL_HOST}`,
  `///${EVIL_HOST}`,
  `/\\${EVIL_HOST}`,
  `\\\\${EVIL_HOST}`,
  `https:${EVIL_HOST}`,
  `/%2f%2f${EVIL_HOST}`,
  `%2f%2f${EVIL_HOST}`,
  `/\t/${EVIL_HOST}`,
  `/\n/${EVIL_HOST}`,
  `javascript:alert(1)`,
  `java\nscript:alert(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `https://127.0.0.1@${EVIL_HOST}/`,
  `@${EVIL_HOST}`,
  `.${EVIL_HOST}`,
  `/x\r\nLocation: https://${EVIL_HOST}/`,
]
/** Parameter names that programs commonly use for a redirect URL. */
const REDIRECT_PARAMETERS =
  'next return returnTo return-to return_to redirect redirect_uri post_logout_redirect_uri url to auth state RelayState'.split(' ')

/** Every path that returns a Location, with every parameter that might become it; `isQuick` puts all of them into one request. */
export const tryRedirects = async ({ url, context }: Target, send: SendRequest, isQuick = false): Promise<Attempts> => {
  const attempts = new Attempts()
  const { origin: own, host, port } = new URL(url)
  const proper = new URL(context.configuration.publicUrl).origin
  const issuer = new URL(context.configuration.oidc?.issuer ?? url).origin
  const toOrigin = (address: string): string => (URL.canParse(address, own) ? new URL(address, own).origin : '')
  const inspect = (what: string, { headers, body }: HttpResponse): void => {
    attempts.add(headers['refresh'] === undefined && !/http-equiv="?refresh/i.test(body), `${what} refreshes`)
    if (headers['location'] === undefined) return
    const location = String(headers['location'])
    attempts.expect([own, proper, issuer].includes(toOrigin(location)), `${what} leads to ${location}`)
    const query = new URLSearchParams(location.split('?')[1])
    for (const back of ['redirect_uri', 'post_logout_redirect_uri'].flatMap((name) => query.getAll(name)))
      attempts.expect([own, proper].includes(toOrigin(back)), `${what} comes back to ${back}`)
  }
  type Sent = readonly [path: string, headers: Record<string, string>]
  const places = ['/auth/azure', '/auth/azure/callback', '/auth/logout', '/login', '/', '/signed-in-again']
  if (!context.configuration.oidc) places.push('/local-provider/auth', '/local-provider/session/end', '/local-provider/sign-in/x')
  const inParameters = places.flatMap((place) => {
    // Each parameter separately where there are redirects; elsewhere all at once.
    const single = isQuick || !place.startsWith('/auth') ? [] : REDIRECT_PARAMETERS.map((name) => [name])
    return EVIL_ADDRESSES.flatMap((evil) =>
      [REDIRECT_PARAMETERS, ...single].map((names): Sent => {
        const query = new URLSearchParams(names.map((name) => [name, evil])).toString()
        return [`${place}?${query}`, { referer: `https://${EVIL_HOST}/` }]
      }),
    )
  })
  // A request under another loopback name is redirected to the proper one, with its path.
  const otherName = `localhost:${port}`
  const asPaths = EVIL_ADDRESSES.filter((address) => /^\/[^\s]*$/.test(address)).flatMap((evil): Sent[] => [
    [evil, { accept: 'text/html' }],
    [evil, { host: otherName }],
  ])
  const absolute = [`http://${EVIL_HOST}/auth/azure`, `http://${EVIL_HOST}/`, `https://${EVIL_HOST}:443/auth/logout`]
  const asTargets = absolute.flatMap((target) => [host, otherName, EVIL_HOST].map((name): Sent => [target, { host: name }]))
  await runConcurrently([...inParameters, ...asPaths, ...asTargets], 10, async ([path, headers]) =>
    inspect(`${path} with ${JSON.stringify(headers)}`, await send('GET', path, { headers })),
  )
  return attempts
}

/** Headers with which clients claim their origin, the requested URL or their intent. */
const FORGED: readonly Record<string, string>[] = [
  { host: EVIL_HOST },
  { host: `${EVIL_HOST}:80` },
  { 'x-forwarded-host': EVIL_HOST },
  { 'x-forwarded-host': `${EVIL_HOST}, ${EVIL_HOST}` },
  { 'x-forwarded-proto': 'https', 'x-forwarded-host': EVIL_HOST, 'x-forwarded-port': '444' },
  { forwarded: `host=${EVIL_HOST};proto=https;for=6.6.6.6` },
  { 'x-host': EVIL_HOST, 'x-forwarded-server': EVIL_HOST, 'x-http-host-override': EVIL_HOST },
  { 'x-original-url': '/api/accounts', 'x-rewrite-url': '/api/accounts' },
  { 'x-forwarded-prefix': `//${EVIL_HOST}`, 'x-forwarded-uri': `//${EVIL_HOST}` },
]

/** Forged headers with every call and some pages: none of them is trusted or repeated. */
export const tryForgedHosts = async (send: SendRequest): Promise<Attempts> => {
  const attempts = new Attempts()
  const pages = ['/', '/nothing', '/docs'].map((path) => ({ method: 'GET', path, capability: null }))
  const requests = FORGED.flatMap((headers) =>
    [...calls, ...pages].map(({ method, path, capability }) => ({ method, path, capability, headers })),
  )
  await runConcurrently(requests, 10, async ({ method, path, capability, headers }) => {
    const answer = await send(method, path.replace(/:\w+/g, 'x'), { headers })
    const what = `${method} ${path} with ${JSON.stringify(headers)}`
    attempts.add(!JSON.stringify(answer).includes(EVIL_HOST), `${what} repeats it`)
    attempts.expect(!path.startsWith('/api/') || capability === 'no session' || answer.status === 401, `${what}: ${answer.status}`)
  })
  return attempts
}

/** The network address that the server records for a session after a request with this header. */
const getRecordedAddress = async ({ context }: Target, send: SendRequest, headers: Record<string, string>): Promise<string | null> => {
  const user = await signInAt(context, 10)
  await sql`update session set "usedAt" = now() - interval '5 minutes' where account = ${user.account}`.execute(context.db)
  await send('GET', '/auth', { headers: { ...user.headers, ...headers } })
  const row = await context.db.selectFrom('session').select('address').where('account', '=', user.account).executeTakeFirstOrThrow()
  return row.address
}

const REQUESTS = 30
const LIMIT = 20

/** How many of some anonymous support requests succeed, each claiming another address. */
const countUnlimited = async (send: SendRequest, toForwardedFor: (nth: number) => string): Promise<number> => {
  let through = 0
  for (let nth = 0; nth < REQUESTS; nth++) {
    const headers = { 'x-forwarded-for': toForwardedFor(nth) }
    const { status } = await send(sendSupportRequest.method, sendSupportRequest.path, { headers, body: {} })
    if (status !== 429) through++
  }
  return through
}

/**
 * X-Forwarded-For of a client that forges its address. `proxy` is the address that a trusted proxy adds: the one it received the request from.
 */
export const tryForwardedFor = async (target: Target, send: SendRequest, proxy?: string): Promise<Attempts> => {
  const attempts = new Attempts()
  const addProxy = (header: string): string => (proxy === undefined ? header : `${header}, ${proxy}`)
  for (const forged of ['6.6.6.6', '6.6.6.6, 7.7.7.7', '127.0.0.1, 6.6.6.6', 'not an address', "'; drop table session; --", '::1']) {
    const headers = { 'x-forwarded-for': addProxy(forged), 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' }
    const address = await getRecordedAddress(target, send, headers)
    attempts.add(address === (proxy ?? '127.0.0.1'), `X-Forwarded-For: ${headers['x-forwarded-for']} is taken for ${address}`)
  }
  const through = await countUnlimited(send, (nth) => addProxy(`10.0.0.${nth}`))
  attempts.expect(through <= LIMIT, `${through} of ${REQUESTS} requests got past a limit of ${LIMIT} a minute`)
  attempts.tried += REQUESTS
  if (proxy === undefined) return attempts
  // A client at another real address has its own limit.
  attempts.expect((await countUnlimited(send, () => '203.0.113.10')) === LIMIT, 'two addresses behind one proxy share a limit')
  attempts.tried += REQUESTS
  return attempts
}

/** Writes raw bytes to a server, and returns its response until it ends or stops for some seconds. */
const sendRaw = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setTimeout(4000, () => socket.destroy())
    socket.on('data', (chunk) => void (answer += chunk.toString('latin1')))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
    socket.write(bytes)
  })

/** Requests that programs interpret differently, and lines injected into headers. */
export const tryBrokenRequests = async ({ url }: Target): Promise<Attempts> => {
  const host = `Host: ${new URL(url).host}`
  const json = 'Content-Type: application/json'
  const post = `POST /log-error HTTP/1.1\r\n${host}\r\n`
  const smuggled = 'GET /auth/azure HTTP/1.1\r\nX-Injected: 1\r\n'
  const smuggling = [
    `${post}${json}\r\nContent-Length: 2\r\nContent-Length: 44\r\n\r\n{}${smuggled}`,
    `${post}${json}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ]
  const requests = [
    ...smuggling,
    `GET /x%0d%0aX-Injected:1 HTTP/1.1\r\n${host}\r\n`,
    `GET /auth/azure?next=%0d%0aX-Injected:1 HTTP/1.1\r\n${host}\r\n`,
    `GET /auth/azure/callback?state=%0d%0aX-Injected:1 HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX-A: 1\rX-Injected: 1\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX-A: 1\nX-Injected: 1\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX-A: \0\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\n X-Folded: 1\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nHost: ${EVIL_HOST}\r\n`,
    `GET / HTTP/1.1\r\n`,
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `GET  / HTTP/1.1\r\n${host}\r\n`,
    `GARBAGE\r\n`,
    `${post}Transfer-Encoding: identity, chunked, x\r\n\r\n0\r\n`,
    `${post}Transfer-Encoding: chunked\r\n${json}\r\n\r\nZZ\r\n{}\r\n0\r\n`,
    `${post}Content-Length: -1\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX-Long: ${'x'.repeat(40_000)}\r\n`,
    `CONNECT ${EVIL_HOST}:443 HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://${EVIL_HOST}\r\n`,
    `GET /api/accounts HTTP/1.1\r\n${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`,
    `PRI * HTTP/2.0\r\n`,
  ]
  const inspect = async (request: string): Promise<void> => {
    const answer = await sendRaw(url, `${request}\r\n`)
    const what = JSON.stringify(request.slice(0, 120))
    const [status = 0, ...others] = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code))
    attempts.add(!/\r\nx-injected/i.test(answer), `${what} put a header into the response`)
    attempts.expect(!answer.includes(EVIL_HOST), `${what} is repeated`)
    attempts.expect(status !== 101, `${what} is taken for an upgrade`)
    attempts.expect(!request.startsWith('CONNECT') || status === 0 || status >= 400, `${what}: ${status}`)
    attempts.expect(status < 500, `${what}: ${status}`)
    attempts.expect(!smuggling.includes(request) || others.length === 0, `${what} is two requests`)
  }
  const attempts = new Attempts()
  await Promise.all(requests.map(inspect))
  return attempts
}

/** Content types with which a page of another site can send a body without a preflight request. */
const SIMPLE_TYPES = ['text/plain', 'text/plain;charset=utf-8', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']
const FOREIGN = {
  origin: `https://${EVIL_HOST}`,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'no-cors',
  referer: `https://${EVIL_HOST}/`,
}
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']

/**
 * What another site's page can do in the browser of a level 1 user, if their cookies were sent: forms and fetches for every call that writes, method
 * override headers, and simple GET requests.
 */
export const tryForeignPages = async (target: Target, send: SendRequest): Promise<Attempts> => {
  const attempts = new Attempts()
  const network = await createTestNetwork({ ...target, send })
  const { cookie, authorization } = network.owner.headers
  const inspect = (what: string, { status, headers }: HttpResponse, wanted: readonly number[]): void => {
    attempts.add(wanted.includes(status), `${what}: ${status}`)
    for (const name of Object.keys(headers)) attempts.expect(!name.startsWith('access-control-'), `${what} answers ${name}`)
  }
  const attack = async ({ call, valid: { path, body } }: { call: Call; valid: ValidRequest }): Promise<void> => {
    const what = callName(call)
    const preflight = { 'access-control-request-method': call.method, 'access-control-request-headers': 'authorization' }
    inspect(`preflight of ${what}`, await send('OPTIONS', path, { headers: { ...FOREIGN, ...preflight } }), [404, 405])
    if (call.method === 'GET') {
      if (!call.allowCookieOnly) inspect(`${what} by another site`, await send('GET', path, { headers: { ...FOREIGN, cookie } }), [401])
      return
    }
    for (const type of SIMPLE_TYPES) {
      const headers = { ...FOREIGN, cookie, 'content-type': type }
      inspect(`${what} as ${type}`, await send(call.method, path, { headers, body: body ?? '' }), [401])
      // Even with the token, which another site does not have, such a body is refused.
      if (body !== undefined && !call.upload)
        inspect(`${what} as ${type} with the token`, await send(call.method, path, { headers: { ...headers, authorization }, body }), [415])
    }
    for (const name of OVERRIDES) {
      const headers = { ...FOREIGN, cookie, authorization, [name]: call.method }
      const { status } = await send('GET', `${path}${path.includes('?') ? '&' : '?'}_method=${call.method}`, { headers })
      attempts.add(status < 500, `${what} as GET with ${name}: ${status}`)
    }
  }
  const followLink = async (site: string): Promise<void> => {
    const link = `a ${site} link to /auth/logout`
    const foreign = { ...FOREIGN, 'sec-fetch-site': site, cookie, authorization }
    const { status, headers } = await send('GET', '/auth/logout', { headers: foreign })
    const isIgnored = status === 302 && headers['location'] === '/login' && headers['set-cookie'] === undefined
    attempts.add(isIgnored, `${link}: ${status}`)
    inspect(`the session after ${link}`, await send('GET', '/auth', { headers: network.owner.headers }), [200])
  }
  const requests: { call: Call; valid: ValidRequest }[] = []
  for (const call of calls) if (call.capability !== 'no session') requests.push({ call, valid: await createValidRequest(call, network) })
  await network.findChanges()
  await runConcurrently(requests, 8, attack)
  for (const site of ['cross-site', 'same-site']) await followLink(site)
  // Reads with the owner's token are recorded, as expected.
  for (const table of await network.findChanges())
    attempts.expect(/^public\.audit_(event|chain)$/.test(table), `another site’s page changed ${table}`)
  return attempts
}

/** Every cookie that the server sets, over HTTP and HTTPS. */
export const checkCookies = (setCookies: readonly string[], configuration: { publicUrl: string }): Attempts => {
  const isSecure = configuration.publicUrl.startsWith('https:')
  const { browser, companion } = getCookieNames(configuration)
  const attempts = new Attempts()
  for (const line of setCookies) {
    const name = line.split('=')[0] ?? ''
    const has = (attribute: string): boolean => new RegExp(`;\\s*${attribute}(;|$)`, 'i').test(line)
    attempts.add(has('HttpOnly'), `${name} can be read by scripts`)
    attempts.expect(has('Path=/'), `${name} is for a part of the addresses`)
    attempts.expect(!/;\s*domain=/i.test(line), `${name} is for other hosts as well`)
    attempts.expect(has('Secure') === isSecure, `${name} is ${isSecure ? 'not ' : ''}Secure`)
    attempts.expect(!isSecure || name.startsWith('__Host-'), `${name} is not bound to its host`)
    attempts.expect(name !== companion || has('SameSite=Strict'), `${name} is sent by other sites`)
    attempts.expect(name !== browser || has('SameSite=Lax'), `${name} has no SameSite`)
  }
  return attempts
}
