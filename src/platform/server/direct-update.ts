import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import { type Actor, actorSettings, getActorValues } from '../../database/connection.server.ts'
import { type EditableTable, getKeyColumn } from '../../database/update-record.server.ts'
import type { AppContext } from './app-context.ts'
import { createCommitUnknownError, getActor } from './edit-transaction.ts'
import { getErrorCode } from './error-code.ts'
import type { ModelRow, ModelTable } from './read-model/tables.ts'
import { CommitUnknown, type SaveStatement } from './save-queue.ts'

/** PostgreSQL refused the values, for example because of a unique index. */
const isRefused = (error: unknown): boolean => getErrorCode(error) !== ''

/** Programs may change any set of columns; forms change only a few, whose statements PostgreSQL plans once per connection. */
const MAX_KNOWN_TEXTS = 100
const knownTexts = new Map<string, { readonly name: string; readonly text: string }>()

/** A statement that changes these columns, and checks the version. */
const createStatement = (
  { db }: AppContext,
  actor: Actor,
  table: EditableTable & ModelTable,
  key: string,
  version: number,
  columns: readonly (readonly [string, unknown])[],
): SaveStatement => {
  const id = `${table} ${columns.map(([column]) => column).join(' ')}`
  const known = knownTexts.get(id)
  const values = columns.map(([, value]) => value)
  if (known) return { ...known, values: [...getActorValues(actor), ...values, key, version] }
  const changes = sql.join(columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  const { sql: text, parameters } = sql`
    with actor as materialized (${actorSettings(actor)}, set_config('homeroom.skip_notify', 'yes', true),
      set_config('lock_timeout', ${sql.lit(MAX_LOCK_WAIT)}, true))
    update ${sql.table(table)} as t set ${changes} from actor
    where ${sql.ref(`t.${getKeyColumn(table)}`)} = ${key} and t.version = ${version}
    returning to_json(t) as row`.compile(db)
  if (knownTexts.size >= MAX_KNOWN_TEXTS) return { text, values: parameters }
  const named = { name: `direct update ${knownTexts.size + 1}`, text }
  knownTexts.set(id, named)
  return { ...named, values: parameters }
}

/** A save that has to wait longer for another takes the locked path, so that those written with it do not wait. */
const MAX_LOCK_WAIT = '100ms'

/**
 * Saves a change of one row in a single statement, if the row still has the version that the change was checked against; saves that arrive together
 * share a transaction. Other servers find it in the history (change-poll.ts). Returns false if the version differs, the change has no columns or
 * PostgreSQL refuses the update; the edit then takes the locked path, which reports the error.
 */
export const updateDirectly = async (
  context: AppContext,
  request: FastifyRequest,
  table: EditableTable & ModelTable,
  key: string,
  version: number,
  columns: Readonly<Record<string, unknown>>,
): Promise<boolean> => {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return false
  const statement = createStatement(context, getActor(request), table, key, version, entries)
  try {
    const row = await context.saves.save(statement)
    if (row === undefined) return false
    context.lists.put(table, key, JSON.parse(row) as ModelRow<typeof table>)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error instanceof CommitUnknown ? createCommitUnknownError(error.cause) : error
  }
}
