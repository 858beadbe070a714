import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type Call, hasSharedResponse, callName, getApi, getRateLimit } from '../../contract/call.ts'
import { MINUTE_MS } from '../../contract/dates.ts'
import { tooManyRequests } from '../../contract/problem.ts'
import { READ_AFTER_HEADER, WRITTEN_BY_HEADER } from '../../contract/read-after-write.ts'
import { validateChanges } from '../../contract/validate-changes.ts'
import type { AppContext, SignedIn } from './app-context.ts'
import { getArchivedView } from './archived-view.ts'
import { rememberAddress } from './audit.ts'
import { getBodyLimit } from './body-limit.ts'
import { BodyMemoryLimit } from './body-memory-limit.ts'
import { type CachedResponse, computeEtag } from './cached-response.ts'
import { type Compression, type ContentForm, createSendingCompressor, type ChunkSource } from './compression.ts'
import { getActor, runSave } from './edit-transaction.ts'
import { type Encoding, getAcceptedCompressions, getEncoding, isFresh, toEtag } from './encodings.ts'
import { type AskedView, authorize, getAskedView, readInputs } from './guard.ts'
import { type HandlerContext, type Route, type Authenticate } from './handler.ts'
import { joinChunks, type JsonResponse, serialize } from './json-response.ts'
import { SharedRateLimit } from './shared-rate-limit.ts'
import { isStreamed, stringify, toJsonChunks } from './stringify.ts'
import { shareTurn } from './time-slices.ts'
import { readUpload, registerUploads } from './upload.ts'
import { withTimeout } from './with-timeout.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authorized. */
    signedIn: SignedIn | null
  }
  interface FastifyContextConfig {
    /** A response without an end, whose duration says nothing. */
    isStream?: boolean
  }
}

interface Dependencies {
  readonly authenticate: Authenticate
  readonly bodies: BodyMemoryLimit
  /** The name of this server in the headers of src/contract/read-after-write.ts. */
  readonly serverId: string
}

/** Adds the routes of the APIs that this server serves. */
export const registerRoutes = async (
  app: FastifyInstance,
  context: AppContext,
  routes: readonly Route[],
  authenticate: Authenticate,
  checkResponses: boolean,
): Promise<void> => {
  const dependencies = { authenticate, bodies: new BodyMemoryLimit(), serverId: randomUUID() }
  for (const route of routes) {
    const { call } = route
    if (!('handle' in route) && !hasSharedResponse(call))
      throw new Error(`${callName(call)} is answered from a cache, but is not the same for everyone signed in`)
    if (!context.configuration.serve.has(getApi(call))) continue
    if (!call.upload) addRoute(app, context, route, dependencies, checkResponses)
    else
      await app.register(async (scope) => {
        await registerUploads(scope)
        addRoute(scope, context, route, dependencies, checkResponses)
      })
  }
}

const addRoute = (
  app: FastifyInstance,
  context: AppContext,
  route: Route,
  { authenticate, bodies, serverId }: Dependencies,
  checkResponses: boolean,
): void => {
  const { call } = route
  const limit = getRateLimit(call)
  const bodyLimit = getBodyLimit(call)
  const withoutSession = limit?.perMinuteWithoutSession
  const shared = withoutSession === undefined ? undefined : new SharedRateLimit(withoutSession, MINUTE_MS)
  app.route({
    method: call.method,
    url: call.path,
    // A HEAD request must not use up a ticket or end a session.
    exposeHeadRoute: !call.path.startsWith('/auth/'),
    bodyLimit,
    ...(call.body || call.upload
      ? {
          preParsing: async (request, reply, payload) => bodies.acquire(request, reply, bodyLimit).then(() => payload),
        }
      : {}),
    config: {
      isStream: call.response === 'events',
      ...(limit === undefined ? {} : { rateLimit: { max: limit.perMinute, timeWindow: '1 minute' } }),
    },
    onRequest: (request, reply, done) => {
      if (call.method !== 'GET') {
        rememberAddress(request)
        void reply.header(WRITTEN_BY_HEADER, serverId)
      }
      const judge = () => authorize(call, authenticate, request)
      const user = mayBeBehind(request, serverId) ? catchUpFirst(context, () => authenticate(request, call), judge) : judge()
      if (user instanceof Promise) {
        void finishAsync(done, async () => {
          request.signedIn = await user
        })
      } else {
        request.signedIn = user
        done()
      }
    },
    ...(shared === undefined
      ? {}
      : { preHandler: (request, _reply, done) => done(request.signedIn || shared.tryAcquire() ? undefined : tooManyRequests(60)) }),
    handler:
      'handle' in route
        ? createCallHandler(context, route, checkResponses)
        : createCachedHandler(context, call, 'list' in route ? findCachedList(route) : findCachedRecord(route), checkResponses),
  })
}

/** A database that does not respond delays no list that is in memory for longer. */
const MAX_CATCH_UP_MS = 1000

/** Whether the sender has just written to another server, whose changes may be missing here. */
const mayBeBehind = ({ headers }: FastifyRequest, serverId: string): boolean => {
  const servers = headers[READ_AFTER_HEADER]
  return typeof servers === 'string' && servers.split(',').some((server) => server.trim() !== serverId)
}

/**
 * Judges access after this server has caught up: the writes of the sender may have taken a level away, or given one. Someone who is not signed in
 * causes no work of the database, and what they are told depends on no write.
 */
const catchUpFirst = async <T>({ lists }: AppContext, identify: () => unknown, judge: () => T): Promise<Awaited<T>> => {
  // Responds with what is known if the database does not respond.
  if (await identify()) await withTimeout(MAX_CATCH_UP_MS, lists.catchUp()).catch(() => {})
  return await judge()
}

/** Completes an asynchronous task within a callback-style Fastify hook. */
const finishAsync = async (done: (error?: Error) => void, work: () => Promise<void>): Promise<void> => {
  let failed: Error | undefined
  try {
    await work()
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
  }
  done(failed)
}

/** The context with the records that a request asks for. */
const getContextOf = async (context: AppContext, { day, isArchived }: AskedView): Promise<AppContext> => {
  const source = day === undefined ? context : await context.asOf(day)
  return isArchived ? getArchivedView(source) : source
}

const createCallHandler =
  (context: AppContext, { call, handle }: Extract<Route, { handle: unknown }>, checkResponses: boolean) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const turn = shareTurn()
    if (turn) await turn
    const inputs = readInputs(call, request)
    const file = call.upload && (await readUpload(call.upload, request))
    const user = request.signedIn
    setCacheHeaders(reply, call)
    const asked = getAskedView(call, request)
    const answer = await handle({
      ...inputs,
      file,
      validateChanges: (stored: object) => call.body && validateChanges(call.body, inputs.body, stored),
      user,
      context: asked ? await getContextOf(context, asked) : context,
      request,
      reply,
      edit: async (write) => {
        const actor = getActor(request)
        return runSave(context, actor, (tx) => write(tx, actor.basedOn))
      },
    } as HandlerContext<Call>)
    if (reply.sent || answer === reply) return reply
    if (call.response === 'nothing') return reply.code(204).send()
    if (typeof call.response === 'string') throw new Error(`${callName(call)} answered nothing`)
    if (isStreamed(answer) && !checkResponses) return sendJsonChunks(request, reply, toJsonChunks(answer))
    const value: unknown = checkResponses ? JSON.parse(await stringify(answer)) : answer
    if (checkResponses) call.response.parse(value)
    return sendJson(request, reply, call, await serialize(value, reply))
  }

/** Streams JSON while it is generated, in chunks large enough for a packet; a failure midway aborts the connection. */
const sendJsonChunks = (request: FastifyRequest, reply: FastifyReply, chunks: AsyncIterable<string>): FastifyReply => {
  void reply.type(JSON_TYPE)
  const source = Readable.from(joinChunks(chunks), { objectMode: false, highWaterMark: 65_536 })
  const encoding = getEncoding(request)
  if (!encoding) return reply.send(source)
  const compressor = createSendingCompressor(encoding)
  pipeline(source, compressor).catch(() => {})
  return reply.header('content-encoding', encoding).send(compressor)
}

/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED_BYTES = 8192

/** Sends JSON; cacheable responses carry an ETag, which is unrelated to record versions. */
const sendJson = async (
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  { text, getForm }: JsonResponse,
): Promise<FastifyReply> => {
  void reply.type(JSON_TYPE)
  const isShared = hasSharedResponse(call)
  const plain = text !== undefined && !isShared ? undefined : await getForm('plain')
  const isLong = (plain?.length ?? text?.length ?? 0) >= MIN_COMPRESSED_BYTES
  const encoding = call.method === 'GET' && isLong ? getEncoding(request) : undefined
  if (isShared && plain) {
    const etag = computeEtag(plain)
    void reply.header('etag', toEtag(etag, encoding))
    if (isFresh(request, etag)) return reply.code(304).removeHeader('content-type').send()
  }
  if (encoding) void reply.header('content-encoding', encoding)
  else if (text !== undefined) return reply.send(text)
  const { chunks, length } = await getForm(encoding ?? 'plain')
  const [only] = chunks
  if (chunks.length === 1 && only) return reply.send(only)
  return reply.header('content-length', length).send(Readable.from(chunks, { objectMode: false }))
}

/** Browsers revalidate every time, and each encoding is a separate representation. */
const CACHE_CONTROL = 'private, no-cache'
/** Responses depend on the caller: one that a browser cached for one person must not be used for another. */
const VARY = 'Accept-Encoding, Authorization, X-Auth-Token, Cookie'

/** Whether a browser may cache the response; a handler may set a more specific policy. */
const setCacheHeaders = (reply: FastifyReply, call: Call): void =>
  void reply.header('cache-control', hasSharedResponse(call) ? CACHE_CONTROL : 'no-store').header('vary', VARY)

const JSON_TYPE = 'application/json; charset=utf-8'
/** A cached response is compressed once for many requests. */
const MIN_COMPRESSED_CACHED_BYTES = 1024

/** A cached response that a request names. */
interface FoundResponse {
  /** Whether it is worth compressing better once it has not changed for a while. */
  readonly isList: boolean
  /** The response, if it is ready; called only while the read model is ready. */
  readonly getIfReady: () => CachedResponse | undefined
  readonly get: () => Promise<CachedResponse>
}
type FindResponse = (context: AppContext, params: Record<string, string>) => FoundResponse

const findCachedList =
  ({ call, list }: Extract<Route, { list: unknown }>): FindResponse =>
  ({ lists, readModel }, params) => {
    const { name, source } = typeof list === 'function' ? list(params, readModel) : { name: call.path, source: list }
    return { isList: true, getIfReady: () => lists.getIfReady(name), get: () => lists.get(name, source) }
  }

const findCachedRecord =
  ({ call, record }: Extract<Route, { record: unknown }>): FindResponse =>
  ({ records, readModel }, params) => {
    const get = () => records.get(`${call.path} ${Object.values(params).join(' ')}`, () => record(params, readModel))
    return { isList: false, getIfReady: get, get: async () => get() }
  }

const createCachedHandler =
  (context: AppContext, call: Call, find: FindResponse, checkResponses: boolean) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const params = readInputs(call, request).params as Record<string, string>
    const accepted = getAcceptedCompressions(request)
    const asked = getAskedView(call, request)
    if (!checkResponses && asked === undefined && context.readModel.isReady) {
      const found = find(context, params)
      const now = found.getIfReady()
      const form = now && chooseForm(now, accepted)
      if (now && form && isFresh(request, now.etag)) return sendUnchanged(reply, now, form)
      const bytes = form && now?.getFormIfReady(form)
      if (now && bytes) {
        if (found.isList && form === 'gzip' && accepted.has('br')) compressLater(context, found, now)
        return sendCached(request, reply, now, bytes, form)
      }
    }
    const later = async (): Promise<void> => {
      const source = asked ? await getContextOf(context, asked) : context
      await source.readModel.ready()
      const ready = await find(source, params).get()
      if (checkResponses && typeof call.response !== 'string') {
        const { chunks } = await ready.getForm('plain')
        call.response.parse(JSON.parse(Buffer.concat(chunks).toString()))
      }
      const form = chooseForm(ready, accepted)
      if (isFresh(request, ready.etag)) sendUnchanged(reply, ready, form)
      else {
        const stream = form === 'plain' ? ready.streamPlain?.(context.configuration.dataDir) : undefined
        sendCached(request, reply, ready, stream ?? (await ready.getForm(form)), form)
      }
    }
    void later().catch((error: unknown) => reply.send(error))
  }

/** The best form for a request that accepts these encodings: gzip, which takes little time, until brotli is ready. */
const chooseForm = (ready: CachedResponse, accepted: ReadonlySet<Compression>): ContentForm => {
  if (ready.length < MIN_COMPRESSED_CACHED_BYTES) return 'plain'
  if (accepted.has('br') && (!accepted.has('gzip') || ready.getFormIfReady('br'))) return 'br'
  return accepted.has('gzip') ? 'gzip' : 'plain'
}

/** A list that has been unchanged for this many milliseconds is worth compressing better. */
const RECOMPRESS_AFTER_MS = 2000
const scheduled = new WeakSet<CachedResponse>()

const compressLater = ({ log }: AppContext, found: FoundResponse, ready: CachedResponse): void => {
  if (scheduled.has(ready)) return
  scheduled.add(ready)
  setTimeout(() => {
    if (found.getIfReady() === ready)
      ready.getForm('br').catch((error: unknown) => log.warn({ err: error }, 'A list could not be compressed'))
  }, RECOMPRESS_AFTER_MS).unref()
}

const toEncoding = (form: ContentForm): Encoding => (form === 'plain' ? undefined : form)
const getCacheHeaders = (ready: CachedResponse, encoding: Encoding): string[] => [
  'etag',
  toEtag(ready.etag, encoding),
  'cache-control',
  CACHE_CONTROL,
  'vary',
  VARY,
]

/** A 304 for a response that the browser already has. */
const sendUnchanged = (reply: FastifyReply, ready: CachedResponse, form: ContentForm): void => {
  const head = reply.securityHeaders()
  head.push(...getCacheHeaders(ready, toEncoding(form)), ...reply.closeHeaders())
  reply.hijack().raw.writeHead(304, head).end()
}

/** Writes directly to the socket, which is faster: the response is complete, and most requests of pages are for lists. */
const sendCached = (request: FastifyRequest, reply: FastifyReply, ready: CachedResponse, bytes: ChunkSource, form: ContentForm): void => {
  const encoding = toEncoding(form)
  const head = reply.securityHeaders()
  head.push(...getCacheHeaders(ready, encoding))
  const { raw } = reply.hijack()
  head.push('content-type', JSON_TYPE, 'content-length', String(bytes.length))
  if (encoding) head.push('content-encoding', encoding)
  raw.writeHead(200, head)
  if (request.method === 'HEAD') raw.end()
  else if (Symbol.asyncIterator in bytes.chunks) sendEach(raw, bytes.chunks).catch(() => raw.destroy())
  else {
    for (const chunk of bytes.chunks) raw.write(chunk)
    raw.end()
  }
}

/** Requests a chunk only once the previous one has left this process, so that its memory can be used again. */
const sendEach = async (raw: ServerResponse, chunks: AsyncIterable<Buffer>): Promise<void> => {
  let resume = (): void => {}
  raw.once('close', () => resume())
  for await (const chunk of chunks) {
    if (raw.destroyed) return
    await new Promise<void>((resolve) => {
      resume = resolve
      raw.write(chunk, () => resolve())
    })
  }
  raw.end()
}
