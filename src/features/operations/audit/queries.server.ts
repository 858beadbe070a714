import { sql } from 'kysely'

import type { CheckedQuery, ResponseOf } from '../../../contract/call.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { chainAuditEvents, selectChainedEvents, toChainedEvent } from '../../../platform/server/audit-chain.ts'
import { waitForAuditWrites } from '../../../platform/server/audit.ts'
import type { AuditEntry, AuditEvent, AuditFilter, AuditQuery, listAuditEntries } from './contract.ts'

/** The moment at which a day begins in the organization's time zone, plus some days, or the given moment. */
const toMoment = (dayOrMoment: string, timeZone: string, laterDays = 0) =>
  dayOrMoment.includes('T')
    ? sql<Date>`${dayOrMoment}::timestamptz`
    : sql<Date>`(${dayOrMoment}::date + ${laterDays}::integer)::timestamp at time zone ${timeZone}`

const SEARCHED = sql`lower(concat_ws(' ', kind, actor, name, token, address, request, record, before, after))`

const selectMatches = (db: Queryable, { since, until, kind, actor, q = '' }: AuditFilter, timeZone: string) =>
  selectChainedEvents(db)
    .$if(since !== undefined, (query) => query.where('at', '>=', toMoment(since ?? '', timeZone)))
    .$if(until !== undefined, (query) => query.where('at', '<', toMoment(until ?? '', timeZone, 1)))
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`(kind = ${kind} or split_part(kind, '.', 1) = ${kind})`))
    .$if(actor !== undefined, (query) => query.where(sql<boolean>`lower(${actor}) in (lower(actor), account::text, lower(name))`))
    .$if(q.trim() !== '', (query) => query.where(sql<boolean>`strpos(${SEARCHED}, ${q.trim().toLowerCase()}) > 0`))

const BATCH_ROWS = 500

/** Events in batches that are read on demand, so that a long trail is never in memory as a whole and no connection waits for a slow client. */
export async function* readAuditEvents(
  { db, configuration }: Pick<AppContext, 'db' | 'configuration'>,
  { order, cursor, limit = Infinity, ...filter }: AuditQuery,
): AsyncGenerator<AuditEvent[]> {
  let [last, left] = [cursor, limit]
  while (left > 0) {
    const size = Math.min(BATCH_ROWS, left)
    const from = last
    const rows = await selectMatches(db, filter, configuration.timeZone)
      .$if(from !== undefined, (query) => query.where('sequence', order === 'oldest' ? '>' : '<', from ?? 0))
      .orderBy('sequence', order === 'oldest' ? 'asc' : 'desc')
      .limit(size)
      .execute()
    if (rows.length > 0) yield rows.map((row) => toChainedEvent(row))
    if (rows.length < size) return
    last = rows.at(-1)?.sequence
    left -= rows.length
  }
}

/** An answer ends with a day, so that the reads of a person on it are counted once; only a day with very many rows is divided. */
const MIN_ENTRIES = 100
const MAX_ENTRIES = 1000
const ENOUGH_ROWS = 5000
const MAX_ROWS = 20_000

const READ_KIND = /\.read$/

/** Adds an earlier read to an entry, which keeps what both have in common. */
const addRead = (entry: AuditEntry, { at, address, request, record, after }: AuditEvent): AuditEntry => ({
  ...entry,
  address: entry.address === address ? address : null,
  request: entry.request === request ? request : null,
  record: entry.record === record ? record : null,
  after: Object.fromEntries(
    Object.entries(entry.after ?? {}).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(after?.[name])),
  ),
  reads: { count: (entry.reads?.count ?? 1) + 1, since: at },
})

/** Events, newest first, with the repeated reads of a day counted. */
export const listEntries = async (
  context: Pick<AppContext, 'db' | 'configuration'>,
  { cursor, each, ...filter }: CheckedQuery<typeof listAuditEntries>,
): Promise<ResponseOf<typeof listAuditEntries>> => {
  const entries = new Map<string, AuditEntry>()
  let [rows, last, lastDay] = [0, cursor ?? 0, '']
  for await (const batch of readAuditEvents(context, { ...filter, order: 'newest', ...(cursor === undefined ? {} : { cursor }) }))
    for (const event of batch) {
      const day = toIsoDay(event.at, context.configuration.timeZone)
      const isFull = (entries.size >= MIN_ENTRIES || rows >= ENOUGH_ROWS) && (each === 'true' || day !== lastDay)
      if (isFull || entries.size >= MAX_ENTRIES || rows >= MAX_ROWS) return { entries: [...entries.values()], cursor: last }
      const { kind, account, actor, name, token, sequence } = event
      const isCounted = each !== 'true' && READ_KIND.test(kind)
      const key = isCounted ? JSON.stringify([day, kind, account, actor, name, token]) : String(sequence)
      const counted = entries.get(key)
      entries.set(key, counted ? addRead(counted, event) : { ...event, reads: null })
      rows++
      last = sequence
      lastDay = day
    }
  return { entries: [...entries.values()], cursor: null }
}

/** Chains everything that has happened so far, so that a reader gets it. With a read-only database, the existing chain is still readable. */
export const chainBeforeReading = async (context: AppContext): Promise<void> => {
  await waitForAuditWrites(context)
  await chainAuditEvents(context).catch((error: unknown) => context.log.warn({ err: error }, 'The audit trail could not be chained'))
}

const MAX_ACTORS = 200

/**
 * The people of the latest events with their names, sorted by name. Looks up each person in the index, so it takes the same time for any number of
 * events.
 */
export const listRecentActors = async (db: Queryable): Promise<{ actor: string; name: string }[]> => {
  const { rows } = await sql<{ actor: string; name: string }>`
    with recursive found as (
      (select lower(actor) as key from audit_event where actor is not null order by lower(actor) limit 1)
      union all
      select (select lower(actor) from audit_event where lower(actor) > found.key order by lower(actor) limit 1) from found where found.key is not null)
    select actor, name from (
      select latest.actor, coalesce(latest.name, latest.actor) as name from found, lateral (
        select _id, actor, name from audit_event where lower(actor) = found.key order by _id desc limit 1) as latest
      where found.key is not null order by latest._id desc limit ${MAX_ACTORS}) as recent
    order by lower(name), actor`.execute(db)
  return rows
}
