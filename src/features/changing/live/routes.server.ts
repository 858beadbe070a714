import type { FastifyReply, FastifyRequest } from 'fastify'

import { can } from '../../../contract/capabilities.ts'
import { forbidden } from '../../../contract/problem.ts'
import { getReadCapability } from '../../../contract/records.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import { getToken } from '../../../platform/server/guard.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { hashSecret } from '../../access/session/secrets.server.ts'
import { announceForm, leaveForm, streamChanges } from './contract.ts'
import { getLiveFeed } from './feed.server.ts'
import { notifyForm } from './open-forms.server.ts'

/** No proxy may hold back events, to compress them or to send several at once. */
const STREAM_HEADERS = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-store, no-transform',
  'x-accel-buffering',
  'no',
]

/** The session, or the hash of the API token, by which it is seen whether it still lives. */
const getCredential = (request: FastifyRequest, { session }: SignedIn): string =>
  session ?? hashSecret(getToken(request) ?? '').toString('hex')

const openStream = (reply: FastifyReply): void => {
  const head = reply.securityHeaders()
  head.push(...STREAM_HEADERS)
  reply.hijack().raw.writeHead(200, head)
}

export const liveRoutes: Route[] = [
  handle(streamChanges, async ({ context, query, user, request, reply }) => {
    const { raw: response } = reply
    if (request.method === 'HEAD') {
      openStream(reply)
      response.end()
      return reply
    }
    const header = request.headers['last-event-id']
    const lastEvent = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
    const feed = getLiveFeed(context)
    const stream = { response, account: user.account, credential: getCredential(request, user), level: user.accessLevel }
    await feed.begin(stream, { lastEvent, ageSeconds: query.age }, () => openStream(reply))
    return reply
  }),
  handle(announceForm, async ({ context, params: { form }, body: { kind, _id }, user }) => {
    const { editCapability, findKey } = context.kinds[kind]
    for (const capability of [getReadCapability(kind), editCapability]) if (!can(user.accessLevel, capability)) throw forbidden(capability)
    await context.readModel.ready()
    const record = `${kind} ${findKey(context.readModel, _id)}`
    await notifyForm(context.db, { form, record, account: user.account, name: user.name })
    return { editors: getLiveFeed(context).forms.listEditors(record, user.account) }
  }),
  handle(leaveForm, async ({ context, params: { form }, user }) => {
    const known = getLiveFeed(context).forms.find(form)
    if (known?.account === user.account) await notifyForm(context.db, { ...known, isClosed: true })
  }),
]
