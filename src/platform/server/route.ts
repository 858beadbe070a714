import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Pieces } from '../../database/json.server.ts'
import { type Call, hasSharedResponse, callName, getApi } from '../contract/call.ts'
import { validateChanges } from '../contract/validate-changes.ts'
import type { AppContext, SignedIn } from './app-context.ts'
import { bodyLimitOf } from './body-limit.ts'
import { BodyMemoryLimit } from './body-memory-limit.ts'
import { type Form, inPieces, type Packing, pack } from './compression.ts'
import { createEdit } from './edit-transaction.ts'
import { authorize, readInputs } from './guard.ts'
import { type HandlerContext, JsonText, type Route, type Authenticate } from './handler.ts'
import type { ListSource, CachedList } from './list-cache.ts'
import { readUpload, takeUploads } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once the guard has let them in. */
    signedIn: SignedIn | null
  }
}

/** Requests a minute, per person or, without a session, per address (D11). Cheap reads have none. */
const limitOf = (call: Call): number | false => {
  if (call.path === '/locations-api/is_support') return 20
  if (call.path === '/locations-api/site_send_change') return 60
  if (call.path.startsWith('/auth/')) return 1200
  if (call.path === '/log-error') return 120
  if (call.upload) return 120
  if (call.response === 'workbook') return 30
  // A whole workbook is counted for a preview; the HR source is another system; these send mails.
  if (call.path.startsWith('/api/exports/preview/')) return 120
  if (call.path.startsWith('/api/sql/') || call.path === '/api/permissions/candidates') return 6000
  if (call.path.startsWith('/api/requests/') && call.method !== 'GET') return 120
  if (call.path === '/api/search') return 30_000
  return call.method === 'GET' ? false : 6000
}

type Encoding = Packing | undefined

/** Turns calls and handlers into routes; refuses when a call of the list has no handler, or two. */
export const register = async (
  app: FastifyInstance,
  context: AppContext,
  calls: readonly Call[],
  routes: readonly Route[],
  authenticate: Authenticate,
  checkResponses: boolean,
): Promise<void> => {
  for (const call of calls) {
    const found = routes.filter((route) => route.call === call)
    if (found.length !== 1) throw new Error(`${callName(call)} has ${found.length} handlers; it needs one`)
  }
  const admission = { authenticate, bodies: new BodyMemoryLimit() }
  for (const route of routes) {
    const { call } = route
    if ('list' in route && !hasSharedResponse(call))
      throw new Error(`${callName(call)} is kept as a ready list, but is not the same for everyone signed in`)
    if (!calls.includes(call)) throw new Error(`${callName(call)} has a handler but is not in the list of calls`)
    if (!context.configuration.serve.has(getApi(call))) continue
    if (!call.upload) addRoute(app, context, route, admission, checkResponses)
    else
      await app.register(async (place) => {
        await takeUploads(place)
        addRoute(place, context, route, admission, checkResponses)
      })
  }
}

const addRoute = (
  app: FastifyInstance,
  context: AppContext,
  route: Route,
  { authenticate, bodies }: { authenticate: Authenticate; bodies: BodyMemoryLimit },
  checkResponses: boolean,
): void => {
  const { call } = route
  const limit = limitOf(call)
  const bodyLimit = bodyLimitOf(call)
  app.route({
    method: call.method,
    url: call.path,
    // Asking for headers alone must not spend a ticket or end a session.
    exposeHeadRoute: !call.path.startsWith('/auth/'),
    bodyLimit,
    ...(call.body || call.upload
      ? { preParsing: async (request, reply, payload) => bodies.acquire(request, reply, bodyLimit).then(() => payload) }
      : {}),
    config: limit === false ? {} : { rateLimit: { max: limit, timeWindow: '1 minute' } },
    onRequest: (request, _reply, done) => {
      const user = authorize(call, authenticate, request)
      if (user instanceof Promise) {
        void finishLate(done, async () => {
          request.signedIn = await user
        })
      } else {
        request.signedIn = user
        done()
      }
    },
    handler: 'list' in route ? listHandler(context, route, checkResponses) : callHandler(context, route, checkResponses),
  })
}

/** Runs what takes its time before a hook of Fastify's is over, and tells how it went. */
const finishLate = async (done: (error?: Error) => void, work: () => Promise<void>): Promise<void> => {
  let failed: Error | undefined
  try {
    await work()
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
  }
  done(failed)
}

const callHandler =
  (context: AppContext, { call, handle }: Extract<Route, { handle: unknown }>, checkResponses: boolean) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const inputs = readInputs(call, request)
    const file = call.upload && (await readUpload(call.upload, request))
    const user = request.signedIn
    markKeeping(reply, call)
    const answer = await handle({
      ...inputs,
      file,
      validateChanges: (stored: object) => call.body && validateChanges(call.body, inputs.body, stored),
      user,
      context,
      request,
      reply,
      edit: createEdit(context, request),
    } as HandlerContext<Call>)
    if (reply.sent || answer === reply) return reply
    if (call.response === 'nothing') return reply.code(204).send()
    if (typeof call.response === 'string') throw new Error(`${callName(call)} answered nothing`)
    const json = answer instanceof JsonText ? answer.text : JSON.stringify(answer)
    if (checkResponses) call.response.parse(JSON.parse(json))
    return sendJson(request, reply, call, json)
  }

/** From how many bytes on a single answer is worth packing. */
const WORTH_PACKING = 8192

/** Sends JSON; what a browser may keep carries a cache tag, which says nothing about versions. */
const sendJson = async (request: FastifyRequest, reply: FastifyReply, call: Call, json: string): Promise<FastifyReply> => {
  void reply.type(JSON_TYPE)
  if (call.method !== 'GET') return reply.send(json)
  const encoding = json.length < WORTH_PACKING ? undefined : encodingFor(request)
  if (hasSharedResponse(call)) {
    const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`
    void reply.header('etag', tagOf(etag, encoding))
    if (isFresh(request, etag)) return reply.code(304).removeHeader('content-type').send()
  }
  if (!encoding) return reply.send(json)
  return reply.header('content-encoding', encoding).send(Buffer.concat((await pack(inPieces([Buffer.from(json)]), encoding, 4)).pieces))
}

/** Browsers ask again each time, and each packed form is a thing of its own. */
const CACHE_CONTROL = 'private, no-cache'
/** Who asks is part of the question: what one person's browser kept is no answer to the next. */
const VARY = 'Accept-Encoding, Authorization, X-Auth-Token, Cookie'

/** Whether a browser may keep the answer; a handler may say more precisely for how long. */
const markKeeping = (reply: FastifyReply, call: Call): void =>
  void reply.header('cache-control', hasSharedResponse(call) ? CACHE_CONTROL : 'no-store').header('vary', VARY)

const JSON_TYPE = 'application/json; charset=utf-8'
const tagOf = (etag: string, encoding: Encoding): string => (encoding ? etag.replace(/"$/, `-${encoding}"`) : etag)

const isFresh = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const bare = (tag: string): string =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/-(br|gzip)"$/, '"')
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === etag)
}

/** What browsers and programs say they take is nearly always the same few words. */
const taken = new Map<string, ReadonlySet<Packing>>()
const MOST_TAKEN = 100
const LONGEST_TAKEN = 100
const PACKINGS: readonly Packing[] = ['br', 'gzip']

const packingsFor = (request: FastifyRequest): ReadonlySet<Packing> => {
  const accepted = request.headers['accept-encoding'] ?? ''
  const known = taken.get(accepted)
  if (known) return known
  const names = accepted.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  const packings = new Set(PACKINGS.filter((name) => names.includes(name)))
  if (taken.size < MOST_TAKEN && accepted.length < LONGEST_TAKEN) taken.set(accepted, packings)
  return packings
}

const encodingFor = (request: FastifyRequest): Encoding => [...packingsFor(request)][0]

/** Smaller lists are not worth packing. */
const LIST_WORTH_PACKING = 1024

const listHandler =
  (context: AppContext, { call, list }: Extract<Route, { list: unknown }>, checkResponses: boolean) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const { params } = readInputs(call, request)
    const named: { name: string; source: ListSource } =
      typeof list === 'function' ? list(params as Record<string, string>) : { name: call.path, source: list }
    const takes = packingsFor(request)
    const now = checkResponses ? undefined : context.lists.getIfReady(named.name)
    const form = now && formFor(now, takes)
    if (now && form && isFresh(request, now.etag)) return sendUnchanged(reply, now, form)
    const bytes = form && now?.formNow(form)
    if (now && bytes) {
      if (form === now.atOnce && takes.has('br')) packLater(context, named.name, now)
      return sendList(request, reply, now, bytes, form)
    }
    const later = async (): Promise<void> => {
      const ready = await context.lists.get(named.name, named.source)
      if (checkResponses && typeof call.response !== 'string') {
        const { pieces } = await ready.form('plain')
        call.response.parse(JSON.parse(Buffer.concat(pieces).toString()))
      }
      const form = formFor(ready, takes)
      if (isFresh(request, ready.etag)) sendUnchanged(reply, ready, form)
      else sendList(request, reply, ready, await ready.form(form), form)
    }
    void later().catch((error: unknown) => reply.send(error))
  }

/** How a list travels to somebody who takes this: packed best, unless that would keep them waiting. */
const formFor = (ready: CachedList, takes: ReadonlySet<Packing>): Form => {
  if (ready.length < LIST_WORTH_PACKING) return 'plain'
  const isAtOnce = ready.atOnce === 'gzip' && takes.has('gzip')
  if (takes.has('br') && (!isAtOnce || ready.formNow('br'))) return 'br'
  return takes.has('gzip') ? 'gzip' : 'plain'
}

/** A list that has stood so long, in milliseconds, is worth packing better. */
const STANDS = 2000
const waiting = new WeakSet<CachedList>()

const packLater = ({ lists, log }: AppContext, name: string, ready: CachedList): void => {
  if (waiting.has(ready)) return
  waiting.add(ready)
  setTimeout(() => {
    if (lists.getIfReady(name) === ready) ready.form('br').catch((error: unknown) => log.warn({ err: error }, 'A list could not be packed'))
  }, STANDS).unref()
}

const packingOf = (form: Form): Encoding => (form === 'plain' ? undefined : form)
const freshness = (ready: CachedList, packing: Encoding): string[] => [
  'etag',
  tagOf(ready.etag, packing),
  'cache-control',
  CACHE_CONTROL,
  'vary',
  VARY,
]

/** An unchanged list. */
const sendUnchanged = (reply: FastifyReply, ready: CachedList, form: Form): void => {
  const head = reply.protection()
  head.push(...freshness(ready, packingOf(form)), ...reply.parting())
  reply.hijack().raw.writeHead(304, head).end()
}

/** Written straight to the socket: nothing of the answer has still to be made, and the lists are what pages ask for most. */
const sendList = (request: FastifyRequest, reply: FastifyReply, ready: CachedList, bytes: Pieces, form: Form): void => {
  const packed = packingOf(form)
  const head = reply.protection()
  head.push(...freshness(ready, packed))
  const { raw } = reply.hijack()
  head.push('content-type', JSON_TYPE, 'content-length', String(bytes.length))
  if (packed) head.push('content-encoding', packed)
  raw.writeHead(200, head)
  if (request.method !== 'HEAD') for (const piece of bytes.pieces) raw.write(piece)
  raw.end()
}
