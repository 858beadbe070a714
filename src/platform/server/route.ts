import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { setActor, touchedTables } from '../../database/connection.server.ts'
import { nameOf, partOf, type Call } from '../contract/call.ts'
import { admit, readInputs, seenVersion } from './guard.ts'
import type { Context, Route, WhoIs } from './handler.ts'
import type { Edit, House, SignedIn } from './house.ts'
import { type ListSource, pack, type ReadyList } from './ready-lists.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once the guard has let them in. */
    signedIn: SignedIn | null
  }
}

/** Requests a minute, per person or, without a session, per address (D11). Cheap reads have none. */
const limitOf = (call: Call): number | false => {
  if (call.path === '/locations-api/is_support') return 20
  if (call.path.startsWith('/auth/')) return 1200
  if (call.path === '/log-error') return 120
  return call.method === 'GET' ? false : 600
}

/** Turns calls and handlers into routes; refuses when a call of the list has no handler, or two. */
export const register = (
  app: FastifyInstance,
  house: House,
  calls: readonly Call[],
  routes: readonly Route[],
  whoIs: WhoIs,
  checkAnswers: boolean,
): void => {
  for (const call of calls) {
    const found = routes.filter((route) => route.call === call)
    if (found.length !== 1) throw new Error(`${nameOf(call)} has ${found.length} handlers; it needs one`)
  }
  for (const route of routes) {
    const { call } = route
    if (!calls.includes(call)) throw new Error(`${nameOf(call)} has a handler but is not in the list of calls`)
    if (!house.configuration.serve.has(partOf(call))) continue
    const limit = limitOf(call)
    app.route({
      method: call.method,
      url: call.path,
      // Asking for headers alone must not spend a ticket or end a session.
      exposeHeadRoute: !call.path.startsWith('/auth/'),
      config: limit === false ? {} : { rateLimit: { max: limit, timeWindow: '1 minute' } },
      onRequest: async (request) => {
        request.signedIn = await admit(call, whoIs, request)
      },
      handler: 'list' in route ? listHandler(house, route, checkAnswers) : callHandler(house, route, checkAnswers),
    })
  }
}

const callHandler =
  (house: House, { call, handle }: Extract<Route, { handle: unknown }>, checkAnswers: boolean) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const inputs = readInputs(call, request)
    const user = request.signedIn
    const context = { ...inputs, user, house, request, reply, edit: editFor(house, request) } as Context<Call>
    const answer = await handle(context)
    if (reply.sent || answer === reply) return reply
    if (call.answer === 'nothing') return reply.code(204).send()
    if (typeof call.answer === 'string') throw new Error(`${nameOf(call)} answered nothing`)
    if (checkAnswers) call.answer.parse(JSON.parse(JSON.stringify(answer)))
    return sendJson(request, reply, call, JSON.stringify(answer))
  }

/** From how many bytes on a single answer is worth packing. */
const WORTH_PACKING = 8192

/** Sends JSON; a read carries a cache tag, which says nothing about versions (D6). */
const sendJson = async (request: FastifyRequest, reply: FastifyReply, call: Call, json: string): Promise<FastifyReply> => {
  void reply.type('application/json; charset=utf-8')
  if (call.method !== 'GET' || call.path.startsWith('/auth')) return reply.header('cache-control', 'no-store').send(json)
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`
  const encoding = json.length < WORTH_PACKING ? undefined : encodingFor(request)
  tag(reply, etag, encoding)
  if (isFresh(request, etag)) return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send()
  return reply.send(encoding ? await pack(Buffer.from(json), encoding, 4) : json)
}

/** The headers of a read: browsers ask again each time, and each packed form is a thing of its own. */
const tag = (reply: FastifyReply, etag: string, encoding: 'br' | 'gzip' | undefined): void => {
  void reply.header('etag', encoding ? etag.replace(/"$/, `-${encoding}"`) : etag)
  void reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding')
  if (encoding) void reply.header('content-encoding', encoding)
}

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

const editFor =
  (house: House, request: FastifyRequest): Edit =>
  async (write) => {
    const user = request.signedIn
    const seen = seenVersion(request)
    const [answer, tables] = await house.db.transaction().execute(async (tx) => {
      await setActor(tx, {
        account: user?.account ?? null,
        name: user?.name ?? 'Somebody not signed in',
        request: request.id,
        basedOn: seen,
      })
      return [await write(tx, seen), await touchedTables(tx)] as const
    })
    // Before the answer leaves, so that a save that was acknowledged is never followed by an older list from this server.
    house.lists.drop(tables)
    return answer
  }

const encodingFor = (request: FastifyRequest): 'br' | 'gzip' | undefined => {
  const accepted = request.headers['accept-encoding'] ?? ''
  const takes = (name: string): boolean =>
    new RegExp(`(^|[\\s,])${name}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))(\\s*;|\\s*,|\\s*$)`).test(accepted)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined
}

const listHandler =
  (house: House, { call, list }: Extract<Route, { list: unknown }>, checkAnswers: boolean) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { params } = readInputs(call, request)
    const named: { name: string; source: ListSource } =
      typeof list === 'function' ? list(params as Record<string, string>) : { name: call.path, source: list }
    const ready = await house.lists.get(named.name, named.source)
    if (checkAnswers && typeof call.answer !== 'string') call.answer.parse(JSON.parse(ready.bytes.toString()))
    return sendList(request, reply, ready)
  }

const sendList = async (request: FastifyRequest, reply: FastifyReply, ready: ReadyList): Promise<FastifyReply> => {
  const encoding = ready.bytes.length < 1024 ? undefined : encodingFor(request)
  tag(reply, ready.etag, encoding)
  if (isFresh(request, ready.etag)) return reply.code(304).removeHeader('content-encoding').send()
  return reply.type('application/json; charset=utf-8').send(encoding ? await ready.packed(encoding) : ready.bytes)
}
