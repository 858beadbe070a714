import { sql } from 'kysely'

import { Problem } from '../contract/problem.ts'
import { findPartTable, getOwnerKind, RECORD_KINDS, RECORD_NOUNS, type RecordKind } from '../contract/records.ts'
import type { Queryable } from './connection.server.ts'

const RESTORE_FIRST = 'Restore it first.'
export const formatArchived = (kind: keyof typeof RECORD_NOUNS): string => `This ${RECORD_NOUNS[kind][0]} is archived`
export const archivedProblem = (kind: RecordKind): Problem => new Problem(409, formatArchived(kind), { detail: RESTORE_FIRST })

/** The problem of a statement that a trigger refused because of an archived record; undefined for any other error. */
export const toArchivedProblem = (error: unknown): Problem | undefined =>
  error instanceof Error && 'constraint' in error && error.constraint === 'record_is_not_archived'
    ? new Problem(409, error.message, { detail: RESTORE_FIRST, cause: error })
    : undefined

export const isArchivable = (table: string): table is RecordKind => RECORD_KINDS.some((kind) => kind === table)

/** Throws 409 if a record is archived. The lock waits for an archiving that is being saved. */
export const assertNotArchived = async (tx: Queryable, kind: RecordKind, key: string): Promise<void> => {
  const { rows } = await sql<{ archivedAt: Date | null }>`
    select "archivedAt" from ${sql.table(kind)} where _id = ${key} for key share`.execute(tx)
  if (rows[0]?.archivedAt) throw archivedProblem(kind)
}

/** Throws 409 if a row, or the record that it belongs to, is archived. */
export const assertRowNotArchived = async (tx: Queryable, table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
  if (isArchivable(table)) {
    if (row['archivedAt'] !== null) throw archivedProblem(table)
    return
  }
  const owner = findPartTable(table)?.owner ?? getOwnerKind(table)
  const key = owner && row[owner]
  if (owner === undefined || typeof key !== 'string') return
  if (isArchivable(owner)) return assertNotArchived(tx, owner, key)
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(owner)} as t where _id = ${key}`.execute(tx)
  if (rows[0]) await assertRowNotArchived(tx, owner, rows[0].row)
}
