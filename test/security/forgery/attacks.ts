import { sql } from 'kysely'

import { getCookieNames } from '../../../src/features/access/session/cookies.server.ts'
import { sendSupportRequest } from '../../../src/features/record-tools/requests/contract.ts'
import { calls } from '../../../src/routes.server.ts'
import { type SendRequest, type HttpClient, type HttpResponse, openHttpClient } from '../../support/http-requests.ts'
import type { AppWithDatabase } from '../../support/listening-app-with-database.ts'
import { signInAt } from '../../support/sessions.ts'
import { digestAllTables } from '../access/call-access.ts'
import { toPath, createValidRequest, createTestNetwork } from '../access/valid-requests.ts'
import { sendRaw, parseStatus } from './raw-request.ts'

/** The number of attempts, and each one that succeeded. */
export interface AttackReport {
  readonly tried: number
  readonly wrong: readonly string[]
}
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
const REDIRECT_PARAMETERS = [
  'next',
  'return',
  'returnTo',
  'return-to',
  'return_to',
  'redirect',
  'redirect_uri',
  'post_logout_redirect_uri',
  'url',
  'to',
  'auth',
  'state',
  'RelayState',
]

/** Every path that returns a Location, with every parameter that might become it; `isQuick` puts all of them into one request. */
export const tryRedirects = async ({ url, context }: Target, send: SendRequest, isQuick = false): Promise<AttackReport> => {
  const wrong: string[] = []
  let tried = 0
  const own = new URL(url).origin
  const proper = new URL(context.configuration.publicUrl).origin
  const issuer = new URL(context.configuration.oidc?.issuer ?? url).origin
  const inspect = (what: string, { headers, body }: Pick<HttpResponse, 'headers' | 'body'>): void => {
    tried++
    const location = headers['location']
    if (location !== undefined) {
      const to = URL.canParse(String(location), own) ? new URL(String(location), own) : undefined
      if (to === undefined || ![own, proper, issuer].includes(to.origin)) wrong.push(`${what} leads to ${String(location)}`)
      for (const name of ['redirect_uri', 'post_logout_redirect_uri']) {
        const back = to?.searchParams.get(name)
        if (back && ![own, proper].includes(new URL(back, own).origin)) wrong.push(`${what} comes back to ${back}`)
      }
    }
    if (headers['refresh'] !== undefined || /http-equiv="?refresh/i.test(body)) wrong.push(`${what} refreshes`)
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
      inspect(`GET ${target} for ${host}`, { headers: location === undefined ? {} : { location }, body: answer })
    }
  return { tried, wrong }
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
export const tryForgedHosts = async (send: SendRequest): Promise<AttackReport> => {
  const wrong: string[] = []
  let tried = 0
  const paths = [
    ...calls.map(({ method, path }) => [method, path.replace(/:\w+/g, 'x')] as const),
    ['GET', '/'],
    ['GET', '/nothing'],
    ['GET', '/docs'],
  ] as const
  for (const headers of FORGED)
    await Promise.all(
      paths.map(async ([method, path]) => {
        const answer = await send(method, path, { headers })
        tried++
        if (JSON.stringify(answer).includes(EVIL_HOST)) wrong.push(`${method} ${path} with ${JSON.stringify(headers)} repeats it`)
        if (path.startsWith('/api/') && answer.status !== 401)
          wrong.push(`${method} ${path} with ${JSON.stringify(headers)}: ${answer.status}`)
      }),
    )
  return { tried, wrong }
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
export const tryForwardedFor = async (target: Target, send: SendRequest, proxies: 0 | 1): Promise<AttackReport> => {
  const wrong: string[] = []
  const forged = ['6.6.6.6', '6.6.6.6, 7.7.7.7', '127.0.0.1, 6.6.6.6', 'not an address', "'; drop table session; --", '::1']
  for (const header of forged) {
    const added = proxies === 0 ? header : `${header}, 203.0.113.9`
    const wanted = proxies === 0 ? '127.0.0.1' : '203.0.113.9'
    const address = await getRecordedAddress(target, send, { 'x-forwarded-for': added, 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' })
    if (address !== wanted) wrong.push(`X-Forwarded-For: ${added} is taken for ${address}`)
  }
  const through = await countUnlimited(send, (nth) => (proxies === 0 ? `10.0.0.${nth}` : `10.0.0.${nth}, 203.0.113.9`))
  if (through > LIMIT) wrong.push(`${through} of 30 requests got past a limit of ${LIMIT} a minute`)
  // A client at another real address has its own limit.
  if (proxies === 1 && (await countUnlimited(send, () => '203.0.113.10')) !== LIMIT)
    wrong.push('two addresses behind one proxy share a limit')
  return { tried: forged.length + (proxies + 1) * 30, wrong }
}

/** Requests that programs interpret differently, and lines injected into headers. */
export const tryBrokenRequests = async ({ url }: Target): Promise<AttackReport> => {
  const host = `Host: ${new URL(url).host}`
  const wrong: string[] = []
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
    if (/\r\nx-injected/i.test(answer)) wrong.push(`${what} put a header into the answer`)
    if (answer.includes(EVIL_HOST)) wrong.push(`${what} is repeated`)
    if (parseStatus(answer) === 101) wrong.push(`${what} is taken for an upgrade`)
    if (request.startsWith('CONNECT') && parseStatus(answer) !== 0 && parseStatus(answer) < 400)
      wrong.push(`${what}: ${parseStatus(answer)}`)
    if (parseStatus(answer) >= 500) wrong.push(`${what}: ${parseStatus(answer)}`)
    if ((answer.match(/HTTP\/1\.1 \d{3}/g) ?? []).length > 1 && /Content-Length: 44|Transfer-Encoding: chunked\r\n\r\n0/.test(request))
      wrong.push(`${what} is two requests`)
  }
  await Promise.all(requests.map(inspect))
  return { tried: requests.length, wrong }
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
export const tryForeignPages = async (target: Target, send: SendRequest): Promise<AttackReport> => {
  const { context } = target
  const wrong: string[] = []
  let tried = 0
  const network = await createTestNetwork({ ...target, send })
  const { cookie, authorization } = network.owner.headers
  const inspect = (what: string, { status, headers }: HttpResponse, wanted: readonly number[]): void => {
    tried++
    if (!wanted.includes(status)) wrong.push(`${what}: ${status}`)
    for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) wrong.push(`${what} answers ${name}`)
  }
  const attempts = await Promise.all(
    calls
      .filter(({ capability }) => capability !== 'no session')
      .map(async (call) => ({ call, attempt: await createValidRequest(call, network) })),
  )
  const before = await digestAllTables(context)
  const attack = async ({ call, attempt }: (typeof attempts)[number]): Promise<void> => {
    const address = toPath(call, attempt)
    const body = attempt.body === undefined ? undefined : Buffer.isBuffer(attempt.body) ? attempt.body : JSON.stringify(attempt.body)
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
      tried++
      if (status >= 500) wrong.push(`GET ${call.path} with ${name}: ${status}`)
    }
  }
  for (let at = 0; at < attempts.length; at += 8) await Promise.all(attempts.slice(at, at + 8).map(attack))
  for (const site of ['cross-site', 'same-site']) {
    const { status, headers } = await send('GET', '/auth/logout', {
      headers: { ...FOREIGN, 'sec-fetch-site': site, cookie, authorization },
    })
    tried++
    if (status !== 302 || headers['location'] !== '/login' || headers['set-cookie'] !== undefined)
      wrong.push(`a ${site} link to /auth/logout: ${status}`)
    inspect(`the session after a ${site} link to /auth/logout`, await send('GET', '/auth', { headers: network.owner.headers }), [200])
  }
  const after = await digestAllTables(context)
  // Reads with the owner's token are recorded, as expected.
  for (const name of ['audit_event', 'audit_chain']) after.delete(`public.${name}`)
  for (const [table, digest] of after) if (before.get(table) !== digest) wrong.push(`another site’s page changed ${table}`)
  return { tried, wrong }
}

/** Every cookie that the server sets, over HTTP and HTTPS. */
export const tryCookies = (setCookies: readonly string[], configuration: { publicUrl: string }): AttackReport => {
  const isSecure = configuration.publicUrl.startsWith('https:')
  const { browser, companion } = getCookieNames(configuration)
  const wrong = setCookies.flatMap((line) => {
    const name = line.split('=')[0] ?? ''
    const has = (attribute: string): boolean => new RegExp(`;\\s*${attribute}(;|$)`, 'i').test(line)
    return [
      has('HttpOnly') ? [] : [`${name} can be read by scripts`],
      has('Path=/') ? [] : [`${name} is for a part of the addresses`],
      /;\s*domain=/i.test(line) ? [`${name} is for other hosts as well`] : [],
      has('Secure') === isSecure ? [] : [`${name} is ${isSecure ? 'not' : ''} Secure`],
      !isSecure || name.startsWith('__Host-') ? [] : [`${name} is not bound to its host`],
      name === companion && !has('SameSite=Strict') ? [`${name} is sent by other sites`] : [],
      name === browser && !has('SameSite=Lax') ? [`${name} has no SameSite`] : [],
    ].flat()
  })
  return { tried: setCookies.length, wrong }
}

export const openClient = (target: Target): HttpClient => openHttpClient(target.url, { maxSockets: 10 })
