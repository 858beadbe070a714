import { sql } from 'kysely'

import type { BodyOf } from '../../../contract/call.ts'
import { invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { lockForUpdate, isEditable, getKeyColumn, updateRecord } from '../../../database/update-record.server.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import type { restoreFromHistory } from './contract.ts'
import {
  canRestoreField,
  listDifferentTexts,
  listChangedFields,
  listChangedPaths,
  isLinkTable,
  isSection,
  type StoredChange,
  getSectionTexts,
} from './queries.server.ts'

/** PostgreSQL errors for a row that cannot exist as it was: unique, exclusion, foreign key and check constraints. */
const CONFLICT_CODES = new Set(['23505', '23P01', '23503', '23514'])
export const throwRestoreConflict = (error: unknown): never => {
  if (CONFLICT_CODES.has(getErrorCode(error)))
    throw new Problem(409, 'This cannot be restored now', {
      detail: 'It already exists, or a record it belongs to has changed.',
      cause: error,
    })
  throw error
}

/** Restores columns of a locked row, except sections. */
const restoreColumns = async (tx: Tx, { table: name, record, before }: StoredChange, columns: readonly string[]): Promise<void> => {
  if (columns.length === 0 || !isEditable(name)) return
  const table = sql.table(name)
  await sql`
    update ${table} set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = previous.${sql.ref(column)}`))}
    from (select (${toRow(name, before)}).*) as previous
    where ${table}.${sql.ref(getKeyColumn(name))} = ${record}`
    .execute(tx)
    .catch(throwRestoreConflict)
}
const toRow = (table: string, row: StoredChange['before']) =>
  sql`jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`

/** Restores texts of a locked affair, each given separately ('overview.fein') or with its section ('overview'); all others stay. */
const restoreTexts = async (tx: Tx, { record, before }: StoredChange, paths: readonly string[]): Promise<void> => {
  if (paths.length === 0) return
  const stored = await tx.selectFrom('charter_affair').selectAll().where('_id', '=', record).executeTakeFirstOrThrow()
  const sections = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))]
  const columns = sections.flatMap((section) => {
    const [current, previous] = [getSectionTexts(stored, section), getSectionTexts(before, section)]
    const texts = listDifferentTexts(current, previous).filter((text) => paths.includes(section) || paths.includes(`${section}.${text}`))
    if (texts.length === 0) return []
    return [[section, JSON.stringify({ ...current, ...Object.fromEntries(texts.map((text) => [text, previous[text] ?? null])) })] as const]
  })
  await updateRecord(tx, 'charter_affair', record, Object.fromEntries(columns))
}

/**
 * Restores what a change replaced: the given fields, all of them, or the whole row as it was before. A restore is itself a change and can be undone.
 * `ifMatchVersion` is the version of the part that the user saw.
 */
export const restoreChange = async (
  tx: Tx,
  parent: string | null,
  changeId: string,
  { fields: requested, whole }: BodyOf<typeof restoreFromHistory>,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const { rows } = await sql<StoredChange>`
    select _id::text as _id, "suggestedBy", action, "table", record, before, after, null as version
    from change where _id = ${changeId}::bigint and parent = ${parent}`.execute(tx)
  const change = rows[0]
  if (!change || !(isEditable(change.table) || isLinkTable(change.table))) throw notFound('Change')
  const { action, table, record, before } = change
  if (action !== 'update' && action !== 'delete')
    throw new Problem(409, 'There is no earlier value to restore', { detail: 'To remove something that was added, go to its page.' })
  const changedPaths = listChangedPaths(change).filter(canRestoreField)
  const known = new Set([...listChangedFields(change), ...changedPaths].filter(canRestoreField))
  const unknown = requested?.filter((field) => !known.has(field)) ?? []
  if (unknown.length > 0) throw invalidFields(unknown.map((field) => ({ path: 'fields', message: `${field} was not part of this change` })))

  if (action === 'delete') {
    await sql`insert into ${sql.table(table)} select (${toRow(table, before)}).*`.execute(tx).catch(throwRestoreConflict)
    return
  }
  if (!isEditable(table)) throw notFound('Change')
  await lockForUpdate(tx, table, record, ifMatchVersion)
  const all = whole ? Object.keys(before ?? {}).filter(canRestoreField) : changedPaths
  const { texts = [], columns = [] } = Object.groupBy(requested ?? all, (field) =>
    isSection(table, field.split('.')[0] ?? '') ? 'texts' : 'columns',
  )
  await restoreTexts(tx, change, texts)
  await restoreColumns(tx, change, columns)
}
