import { sql } from 'kysely'

import { getCookieNames } from '../../../src/features/access/session/cookies.server.ts'
import { sendSupportRequest } from '../../../src/features/record-tools/requests/contract.ts'
import { calls } from '../../../src/routes.server.ts'
import { type SendRequest, type HttpClient, type HttpResponse, openHttpClient } from '../../support/http-requests.ts'
import type { AppWithDatabase } from '../../support/listening-app-with-database.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'
import { signInAt } from '../../support/sessions.ts'
import { digestAllTables } from '../access/call-access.ts'
import { toPath, createValidRequest, createTestNetwork } from '../access/valid-requests.ts'
import { Attempts } from '../attempts.ts'
import { sendRaw, parseStatus } from './raw-request.ts'

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
  const own = new URL(url).origin
  const proper = new URL(context.configuration.publicUrl).origin
  const issuer = new URL(context.configuration.oidc?.issuer ?? url).origin
  const toOrigin = (address: string): string => (URL.canParse(address, own) ? new URL(address, own).origin : '')
  const inspect = (what: string, { headers, body }: Pick<HttpResponse, 'headers' | 'body'>): void => {
    attempts.tried++
    if (headers['location'] !== undefined) {
      const location = String(headers['location'])
      attempts.expect([own, proper, issuer].includes(toOrigin(location)), `${what} leads to ${location}`)
      const query = new URLSearchParams(location.split('?')[1])
      for (const back of ['redirect_uri', 'post_logout_redirect_uri'].flatMap((name) => query.getAll(name)))
        attempts.expect([own, proper].includes(toOrigin(back)), `${what} comes back to ${back}`)
    }
    attempts.expect(headers['refresh'] === undefined && !/http-equiv="?refresh/i.test(body), `${what} refreshes`)
  }
  const paths = ['/auth/azure', '/auth/azure/callback', '/auth/logout', '/login', '/', '/signed-in-again']
  const local =
    context.configuration.oidc === undefined ? ['/local-provider/auth', '/local-provider/session/end', '/local-provider/sign-in/x'] : []
  const groups = isQuick ? [REDIRECT_PARAMETERS] : [REDIRECT_PARAMETERS, ...REDIRECT_PARAMETERS.map((name) => [name])]
  for (const place of [...paths, ...local])
    for (const evil of EVIL_ADDRESSES)
      await Promise.all(
        groups.map(async (group) => {
          // Each parameter separately where there are redirects; elsewhere all at once.
          if (group.length === 1 && !place.startsWith('/auth')) return
          const path = `${place}?${new URLSearchParams(group.map((name) => [name, evil])).toString()}`
          inspect(path, await send('GET', path, { headers: { referer: `https://${EVIL_HOST}/` } }))
        }),
      )
  for (const evil of EVIL_ADDRESSES.filter((address) => /^\/[^\s]*$/.test(address))) {
    const answer = await send('GET', evil, { headers: { accept: 'text/html' } })
    inspect(evil, answer)
    // A request under another loopback name is redirected to the proper one, with its path.
    inspect(`${evil} under another name`, await send('GET', evil, { headers: { host: `localhost:${new URL(url).port}` } }))
  }
  const absolute = [`http://${EVIL_HOST}/auth/azure`, `http://${EVIL_HOST}/`, `https://${EVIL_HOST}:443/auth/logout`]
  for (const target of absolute)
    for (const host of [new URL(url).host, `localhost:${new URL(url).port}`, EVIL_HOST]) {
      const answer = await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 10_000)
      const [, location] = /\r\nlocation: ([^\r]*)/i.exec(answer) ?? []
      inspect(`GET ${target} for ${host}`, { headers: { location }, body: answer })
    }
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
  const paths = [
    ...calls.map(({ method, path }) => [method, path.replace(/:\w+/g, 'x')] as const),
    ...['/', '/nothing', '/docs'].map((path) => ['GET', path] as const),
  ]
  for (const headers of FORGED)
    await Promise.all(
      paths.map(async ([method, path]) => {
        const answer = await send(method, path, { headers })
        const what = `${method} ${path} with ${JSON.stringify(headers)}`
        attempts.tried++
        attempts.expect(!JSON.stringify(answer).includes(EVIL_HOST), `${what} repeats it`)
        attempts.expect(!path.startsWith('/api/') || answer.status === 401, `${what}: ${answer.status}`)
      }),
    )
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

/** How many of 30 anonymous support requests succeed, each claiming another address. */
const countUnlimited = async (send: SendRequest, forwardedFor: (nth: number) => string): Promise<number> => {
  let through = 0
  for (let nth = 0; nth < 30; nth++) {
    const { status } = await send(sendSupportRequest.method, sendSupportRequest.path, {
      headers: { 'x-forwarded-for': forwardedFor(nth) },
      body: {},
    })
    if (status !== 429) through++
  }
  return through
}

const LIMIT = 20

/**
 * X-Forwarded-For of a client that forges its address. `proxies` is how many the server trusts; each adds the address it received the request from.
 */
export const tryForwardedFor = async (target: Target, send: SendRequest, proxies: 0 | 1): Promise<Attempts> => {
  const attempts = new Attempts()
  const forged = ['6.6.6.6', '6.6.6.6, 7.7.7.7', '127.0.0.1, 6.6.6.6', 'not an address', "'; drop table session; --", '::1']
  for (const header of forged) {
    const added = proxies === 0 ? header : `${header}, 203.0.113.9`
    const wanted = proxies === 0 ? '127.0.0.1' : '203.0.113.9'
    const address = await getRecordedAddress(target, send, { 'x-forwarded-for': added, 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' })
    attempts.expect(address === wanted, `X-Forwarded-For: ${added} is taken for ${address}`)
  }
  const through = await countUnlimited(send, (nth) => (proxies === 0 ? `10.0.0.${nth}` : `10.0.0.${nth}, 203.0.113.9`))
  attempts.expect(through <= LIMIT, `${through} of 30 requests got past a limit of ${LIMIT} a minute`)
  // A client at another real address has its own limit.
  const ofAnother = proxies === 1 ? await countUnlimited(send, () => '203.0.113.10') : LIMIT
  attempts.expect(ofAnother === LIMIT, 'two addresses behind one proxy share a limit')
  attempts.tried = forged.length + (proxies + 1) * 30
  return attempts
}

/** Requests that programs interpret differently, and lines injected into headers. */
export const tryBrokenRequests = async ({ url }: Target): Promise<Attempts> => {
  const host = `Host: ${new URL(url).host}`
  const attempts = new Attempts()
  const requests = [
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
    `POST /log-error HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 44\r\n\r\n{}GET /auth/azure HTTP/1.1\r\nX-Injected: 1\r\n`,
    `POST /log-error HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /auth/azure HTTP/1.1\r\nX-Injected: 1\r\n`,
    `POST /log-error HTTP/1.1\r\n${host}\r\nTransfer-Encoding: identity, chunked, x\r\n\r\n0\r\n`,
    `POST /log-error HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nZZ\r\n{}\r\n0\r\n`,
    `POST /log-error HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX-Long: ${'x'.repeat(40_000)}\r\n`,
    `CONNECT ${EVIL_HOST}:443 HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://${EVIL_HOST}\r\n`,
    `GET /api/accounts HTTP/1.1\r\n${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`,
    `PRI * HTTP/2.0\r\n`,
  ]
  const inspect = async (request: string): Promise<void> => {
    const answer = await sendRaw(url, `${request}\r\n`, 4000)
    const what = JSON.stringify(request.slice(0, 120))
    const status = parseStatus(answer)
    const isSmuggled = /Content-Length: 44|Transfer-Encoding: chunked\r\n\r\n0/.test(request)
    const answers = answer.match(/HTTP\/1\.1 \d{3}/g) ?? []
    attempts.tried++
    attempts.expect(!/\r\nx-injected/i.test(answer), `${what} put a header into the answer`)
    attempts.expect(!answer.includes(EVIL_HOST), `${what} is repeated`)
    attempts.expect(status !== 101, `${what} is taken for an upgrade`)
    attempts.expect(!request.startsWith('CONNECT') || status === 0 || status >= 400, `${what}: ${status}`)
    attempts.expect(status < 500, `${what}: ${status}`)
    attempts.expect(!isSmuggled || answers.length <= 1, `${what} is two requests`)
  }
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
  const { context } = target
  const attempts = new Attempts()
  const network = await createTestNetwork({ ...target, send })
  const { cookie, authorization } = network.owner.headers
  const inspect = (what: string, { status, headers }: HttpResponse, wanted: readonly number[]): void => {
    attempts.tried++
    attempts.expect(wanted.includes(status), `${what}: ${status}`)
    for (const name of Object.keys(headers)) attempts.expect(!name.startsWith('access-control-'), `${what} answers ${name}`)
  }
  const requests = await Promise.all(
    calls
      .filter(({ capability }) => capability !== 'no session')
      .map(async (call) => ({ call, valid: await createValidRequest(call, network) })),
  )
  const before = await digestAllTables(context)
  const attack = async ({ call, valid }: (typeof requests)[number]): Promise<void> => {
    const address = toPath(call, valid)
    const body = valid.body === undefined || Buffer.isBuffer(valid.body) ? valid.body : JSON.stringify(valid.body)
    inspect(
      `preflight of ${call.method} ${call.path}`,
      await send('OPTIONS', address, {
        headers: { ...FOREIGN, 'access-control-request-method': call.method, 'access-control-request-headers': 'authorization' },
      }),
      [404, 405],
    )
    if (call.method === 'GET') {
      if (!call.allowCookieOnly)
        inspect(`GET ${call.path} by another site`, await send('GET', address, { headers: { ...FOREIGN, cookie } }), [401])
      return
    }
    for (const type of SIMPLE_TYPES) {
      const headers = { ...FOREIGN, cookie, 'content-type': type }
      inspect(`${call.method} ${call.path} as ${type}`, await send(call.method, address, { headers, body: body ?? '' }), [401])
      // Even with the token, which another site does not have, such a body is refused.
      if (body !== undefined && !call.upload)
        inspect(
          `${call.method} ${call.path} as ${type} with the token`,
          await send(call.method, address, { headers: { ...headers, authorization }, body }),
          [415],
        )
    }
    for (const name of OVERRIDES) {
      const headers = { ...FOREIGN, cookie, authorization, [name]: call.method }
      const { status } = await send('GET', `${address}${address.includes('?') ? '&' : '?'}_method=${call.method}`, { headers })
      attempts.tried++
      attempts.expect(status < 500, `GET ${call.path} with ${name}: ${status}`)
    }
  }
  await runConcurrently(requests, 8, attack)
  for (const site of ['cross-site', 'same-site']) {
    const { status, headers } = await send('GET', '/auth/logout', {
      headers: { ...FOREIGN, 'sec-fetch-site': site, cookie, authorization },
    })
    const isIgnored = status === 302 && headers['location'] === '/login' && headers['set-cookie'] === undefined
    attempts.tried++
    attempts.expect(isIgnored, `a ${site} link to /auth/logout: ${status}`)
    inspect(`the session after a ${site} link to /auth/logout`, await send('GET', '/auth', { headers: network.owner.headers }), [200])
  }
  const after = await digestAllTables(context)
  // Reads with the owner's token are recorded, as expected.
  for (const name of ['audit_event', 'audit_chain']) after.delete(`public.${name}`)
  for (const [table, digest] of after) attempts.expect(before.get(table) === digest, `another site’s page changed ${table}`)
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
    attempts.tried++
    attempts.expect(has('HttpOnly'), `${name} can be read by scripts`)
    attempts.expect(has('Path=/'), `${name} is for a part of the addresses`)
    attempts.expect(!/;\s*domain=/i.test(line), `${name} is for other hosts as well`)
    attempts.expect(has('Secure') === isSecure, `${name} is ${isSecure ? 'not ' : ''}Secure`)
    attempts.expect(!isSecure || name.startsWith('__Host-'), `${name} is not bound to its host`)
    attempts.expect(name !== companion || has('SameSite=Strict'), `${name} is sent by other sites`)
    attempts.expect(name !== browser || has('SameSite=Lax'), `${name} has no SameSite`)
  }
  return attempts
}

export const openClient = (target: Target): HttpClient => openHttpClient(target.url, { maxSockets: 10 })
