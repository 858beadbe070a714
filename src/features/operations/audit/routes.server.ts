import { Readable } from 'node:stream'

import { handle, type Route } from '../../../platform/server/handler.ts'
import { readFirst } from '../../../platform/server/read-first.ts'
import { type AuditEvent, listAuditActors, listAuditEntries, listAuditEvents } from './contract.ts'
import { chainBeforeReading, listEntries, listRecentActors, readAuditEvents } from './queries.server.ts'

const NDJSON_TYPE = 'application/x-ndjson'

async function* toNdjson(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const events of batches) yield events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

async function* toJsonArray(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const events of batches) {
    yield separator + events.map((event) => JSON.stringify(event)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

export const auditRoutes: Route[] = [
  handle(listAuditEvents, async ({ query, context, request, reply }) => {
    const isNdjson = request.headers.accept?.includes(NDJSON_TYPE) === true
    void reply.type(isNdjson ? `${NDJSON_TYPE}; charset=utf-8` : 'application/json; charset=utf-8')
    if (request.method === 'HEAD') return reply.send()
    await chainBeforeReading(context)
    const batches = readAuditEvents(context, query)
    const chunks = await readFirst(isNdjson ? toNdjson(batches) : toJsonArray(batches))
    return reply.send(Readable.from(chunks, { objectMode: false }))
  }),
  handle(listAuditEntries, async ({ query, context }) => {
    await chainBeforeReading(context)
    return listEntries(context, query)
  }),
  handle(listAuditActors, async ({ context }) => listRecentActors(context.db)),
]
