import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { sortKeys } from '../../contract/objects.ts'
import type { Db, Queryable, Tx } from '../../database/connection.server.ts'
import type { AppContext } from './app-context.ts'
import { type AuditActor, getSystemActor, recordAudit } from './audit.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { startJob } from './jobs.ts'

/** A row of the audit trail with its position in the chain, as it is exported. Its hash covers the other fields. */
export interface ChainedEvent extends AuditActor {
  readonly sequence: number
  readonly at: string
  readonly kind: string
  readonly record: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly hash: string
}

const CONTENT_COLUMNS = ['at', 'kind', 'account', 'actor', 'name', 'token', 'address', 'request', 'record', 'before', 'after'] as const

/** SHA-256 of the previous row's hash and this row as JSON: without `hash`, without whitespace, keys in alphabetical order. */
export const hashEvent = (
  previous: string,
  { hash: _hash, ...contents }: Omit<ChainedEvent, 'hash'> & { readonly hash?: string },
): string => createHash('sha256').update(previous).update(JSON.stringify(contents, sortKeys)).digest('hex')

export interface ChainPlace {
  readonly sequence: number
  readonly hash: string
}

/** Locks the end of the chain, so that servers append one at a time. */
const lockChain = (tx: Tx) => tx.selectFrom('audit_chain').selectAll().forUpdate().executeTakeFirstOrThrow()

const MAX_BATCH_ROWS = 500

/** Appends committed rows that are not in the chain yet, in insertion order. */
const chainBatch = async (tx: Tx): Promise<ChainedEvent[]> => {
  const chain = await lockChain(tx)
  const waiting = await tx
    .selectFrom('audit_event')
    .select(['_id', ...CONTENT_COLUMNS])
    .where('sequence', 'is', null)
    .orderBy('_id')
    .limit(MAX_BATCH_ROWS)
    .execute()
  let last: ChainPlace = chain
  const chained = waiting.map(({ _id, at, ...row }) => {
    const contents = { ...row, at: at.toISOString(), sequence: last.sequence + 1 }
    const event = { ...contents, hash: hashEvent(last.hash, contents) }
    last = event
    return { _id, event }
  })
  if (chained.length === 0) return []
  await sql`update audit_event set sequence = chained.sequence, hash = chained.hash
    from unnest(${chained.map(({ _id }) => _id)}::bigint[], ${chained.map(({ event }) => event.sequence)}::bigint[], ${chained.map(({ event }) => event.hash)}::text[])
      as chained(_id, sequence, hash)
    where audit_event._id = chained._id`.execute(tx)
  await tx.updateTable('audit_chain').set({ sequence: last.sequence, hash: last.hash }).execute()
  return chained.map(({ event }) => event)
}

const hasWaitingRows = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('audit_event').select('_id').where('sequence', 'is', null).limit(1).executeTakeFirst()) !== undefined

type ChainContext = Pick<AppContext, 'db' | 'log' | 'configuration'>

/** Writes a line for each row, whatever the log level is. */
const logEvents = ({ log, configuration }: ChainContext, events: readonly ChainedEvent[]): void => {
  if (!configuration.isAuditLogged || events.length === 0) return
  const lines = log.child({}, { level: 'info' })
  for (const event of events) lines.info({ audit: event }, 'Audit')
}

/** Appends every committed row to the chain, and to the log if the configuration says so. */
export const chainAuditEvents = async (context: ChainContext): Promise<void> => {
  while (await hasWaitingRows(context.db)) logEvents(context, await context.db.transaction().execute(chainBatch))
}

const RUN_INTERVAL_MS = 500

/** Chains new rows while the server runs, and the last ones when it stops. Returns a function that stops it. */
export const startAuditChain = (context: ChainContext): (() => Promise<void>) => {
  const run = (): Promise<void> =>
    chainAuditEvents(context).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) context.log.error({ err: error }, 'The audit trail could not be chained')
    })
  const job = startJob(context.log, { everyMs: RUN_INTERVAL_MS, run })
  return async () => {
    await job.stop()
    await run()
  }
}

/** The rows of the chain, as they are exported. */
export const selectChainedEvents = (db: Queryable) =>
  db
    .selectFrom('audit_event')
    .select(['sequence', 'hash', ...CONTENT_COLUMNS])
    .where('sequence', 'is not', null)
    .$narrowType<ChainPlace>()

export const toChainedEvent = ({ at, ...row }: Omit<ChainedEvent, 'at'> & { readonly at: Date }): ChainedEvent => ({
  ...row,
  at: at.toISOString(),
})

/** Deletes rows from the start of the chain that are older than the retention period, keeps the hash of the last one, and records the deletion. */
export const deleteOldAuditEvents = async (db: Db, days: number): Promise<void> => {
  const deleteBatch = (tx: Tx) => deleteOldBatch(tx, days)
  while (await db.transaction().execute(deleteBatch));
}

const MAX_DELETED_ROWS = 5000

/** Returns whether there may be more to delete. */
const deleteOldBatch = async (tx: Tx, days: number): Promise<boolean> => {
  const chain = await lockChain(tx)
  const oldest = await tx
    .selectFrom('audit_event')
    .select(['sequence', 'hash', sql<boolean>`at < now() - make_interval(days => ${days})`.as('isOld')])
    .where('sequence', '>', chain.deletedSequence)
    .orderBy('sequence')
    .limit(MAX_DELETED_ROWS)
    .$narrowType<ChainPlace>()
    .execute()
  const firstKept = oldest.findIndex(({ isOld }) => !isOld)
  const last = oldest.at(firstKept === -1 ? oldest.length - 1 : firstKept - 1)
  if (!last?.isOld) return false
  await sql`select set_config('homeroom.audit_retention', 'yes', true)`.execute(tx)
  const { numDeletedRows } = await tx.deleteFrom('audit_event').where('sequence', '<=', last.sequence).executeTakeFirstOrThrow()
  await tx.updateTable('audit_chain').set({ deletedSequence: last.sequence, deletedHash: last.hash }).execute()
  const after = { sequence: last.sequence, hash: last.hash, rows: Number(numDeletedRows) }
  await recordAudit(tx, getSystemActor('Homeroom'), { kind: 'audit.deleted', after })
  return true
}
