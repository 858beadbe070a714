import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import type { AppContext } from '../../../platform/server/app-context.ts'

/** How long a read waits for changes that are being committed. */
const MAX_WAIT_MS = 500
const PAUSE_MS = 10
/** A longer transaction, such as an import, does not delay later changes. */
const MAX_TRANSACTION_MS = 60_000

interface State {
  /** The last number that was certain to be complete. */
  complete: number
  /** When each writing transaction was seen first. */
  writers: ReadonlyMap<string, number>
}
const states = new WeakMap<AppContext['readModel'], State>()

/** The transactions that have written changes and have not ended. */
const listWriters = async ({ db }: Pick<AppContext, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'change'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ writer }) => writer)
}

/**
 * The number up to which no more changes can appear. Changes are numbered when they are written but become visible when they are committed, so a
 * number may be missing while later ones are visible: this waits for transactions that have started writing.
 */
export const findCompleteChange = async (context: AppContext): Promise<number> => {
  const { db, readModel } = context
  const state = states.get(readModel) ?? { complete: 0, writers: new Map() }
  states.set(readModel, state)
  // Read before the transactions: one that starts writing later gets a higher number. After a restore the next number is not used yet.
  const { rows } = await sql<{ last: number }>`select (last_value - (not is_called)::int)::bigint as last from change__id_seq`.execute(db)
  const last = rows[0]?.last ?? 0
  const startedAt = Date.now()
  let waitedFor: Set<string> | undefined
  for (;;) {
    const now = Date.now()
    const writers = await listWriters(context)
    state.writers = new Map(writers.map((writer) => [writer, state.writers.get(writer) ?? now]))
    const recent = writers.filter((writer) => now - (state.writers.get(writer) ?? now) < MAX_TRANSACTION_MS)
    waitedFor = new Set(waitedFor ? recent.filter((writer) => waitedFor?.has(writer)) : recent)
    if (waitedFor.size === 0) {
      state.complete = Math.max(state.complete, last)
      return last
    }
    if (now - startedAt >= MAX_WAIT_MS) return state.complete > 0 ? state.complete : last
    await pause(PAUSE_MS)
  }
}
