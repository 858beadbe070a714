import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'

import { actorSettings, withClient } from '../../database/connection.server.ts'
import { type EditableTable, getKeyColumn } from '../../database/update-record.server.ts'
import type { AppContext } from './app-context.ts'
import { createCommitUnknownError, getActor, MAX_SAVE_WAIT_MS } from './edit-transaction.ts'
import { getErrorCode } from './error-code.ts'
import { isDatabaseUnavailable } from './errors.ts'
import type { ModelRow, ModelTable } from './read-model/tables.ts'

/** PostgreSQL refused the values, for example because of a unique index. */
const isRefused = (error: unknown): boolean => getErrorCode(error) !== ''

/** PostgreSQL plans a named statement once per connection; forms change only a few sets of columns, but programs may change any. */
const MAX_NAMED_STATEMENTS = 100
const statementNames = new Map<string, string>()
const getStatementName = (text: string): { name?: string } => {
  const known = statementNames.get(text)
  if (known !== undefined) return { name: known }
  if (statementNames.size >= MAX_NAMED_STATEMENTS) return {}
  const name = `direct update ${statementNames.size + 1}`
  statementNames.set(text, name)
  return { name }
}

/**
 * Saves a change of one row in a single statement that is also its whole transaction, if the row still has the version that the change was checked
 * against. Other servers find it in the history (change-poll.ts). Returns false if the version differs, the change has no columns or PostgreSQL refuses
 * the update; the edit then takes the locked path, which reports the error.
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
  const changes = sql.join(entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  const { sql: text, parameters } = sql`
    with actor as materialized (${actorSettings(getActor(request))}, set_config('homeroom.skip_notify', 'yes', true))
    update ${sql.table(table)} as t set ${changes} from actor
    where ${sql.ref(`t.${getKeyColumn(table)}`)} = ${key} and t.version = ${version}
    returning to_json(t) as row`.compile(context.db)
  const save = async (client: PoolClient): Promise<boolean> => {
    try {
      const { rows } = await client.query<{ row: ModelRow<typeof table> }>({
        ...getStatementName(text),
        text,
        values: [...parameters],
      })
      const [written] = rows
      if (!written) return false
      context.lists.put(table, key, written.row)
      return true
    } catch (error) {
      if (isRefused(error) && !isDatabaseUnavailable(error)) return false
      throw isDatabaseUnavailable(error) ? createCommitUnknownError(error) : error
    }
  }
  return context.saveSlots.run(() => withClient(context.pool, save), AbortSignal.timeout(MAX_SAVE_WAIT_MS))
}
