import { sql } from 'kysely'

import { notFound, Problem } from '../../../contract/problem.ts'
import { getRecordName, RECORD_NOUNS, type RecordKind, type RowKind } from '../../../contract/records.ts'
import { formatArchived } from '../../../database/archived-records.server.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { assertUnique, rethrowDuplicate } from '../../../database/unique-fields.server.ts'
import { assertVersion, lockForUpdate } from '../../../database/update-record.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { restoreChange } from '../history/restore.server.ts'
import type { Need } from './contract.ts'
import { findNeeds } from './needs.server.ts'

/** The columns of an archived record; null in one that is in use. */
export interface ArchiveColumns {
  readonly archivedAt: string | null
  readonly archivedReason: string | null
  readonly mergedInto: string | null
}
const IN_USE: ArchiveColumns = { archivedAt: null, archivedReason: null, mergedInto: null }

type LockedRow = ArchiveColumns & Readonly<Record<string, unknown>> & { readonly version: number; readonly updatedBy: string | null }

/** Locks a record, archived or not; anything that would refer to it waits. */
const lockRecord = async (tx: Tx, kind: RecordKind, key: string, ifMatchVersion: number | undefined): Promise<LockedRow> => {
  const { rows } = await sql<{
    row: LockedRow
  }>`select to_jsonb(t) as row from ${sql.table(kind)} as t where _id = ${key} for update`.execute(tx)
  const row = rows[0]?.row
  if (!row) throw notFound(getRecordName(kind))
  assertVersion(row, ifMatchVersion)
  return row
}

const setColumns = (tx: Tx, kind: RecordKind, key: string, columns: ArchiveColumns) =>
  sql`
  update ${sql.table(kind)} set ${sql.join(Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
  where _id = ${key}`.execute(tx)

const describeNeed = ({ text, records }: Need): string =>
  records.length === 0 ? text : `${text}: ${records.map(({ name }) => name).join(', ')}`

/** Archives a locked record. Throws 409 with the reasons if something in use needs it. */
const archiveLocked = async (tx: Tx, context: AppContext, kind: RecordKind, key: string, columns: ArchiveColumns): Promise<void> => {
  const needs = await findNeeds(tx, context, kind, key)
  if (needs.length > 0)
    throw new Problem(409, `This ${RECORD_NOUNS[kind][0]} is still needed`, {
      detail: `Give these away first: ${needs.map(({ text }) => text).join('; ')}.`,
      errors: needs.map((need) => ({ path: need.records[0]?.kind ?? '_id', message: describeNeed(need) })),
    })
  await setColumns(tx, kind, key, columns)
}

const restoreLocked = async (tx: Tx, context: AppContext, kind: RecordKind, key: string, row: LockedRow): Promise<void> => {
  const { unique = [] } = Object.values(context.kinds).find((one) => one.kind === kind) ?? {}
  await assertUnique(tx, unique, { key, name: '', values: row })
  await setColumns(tx, kind, key, IN_USE).catch((error: unknown) => rethrowDuplicate(unique, error))
}

/** Archives a record, or restores it, as it was in an earlier version. */
export const setArchived = async (tx: Tx, context: AppContext, kind: RecordKind, key: string, before: ArchiveColumns): Promise<void> => {
  const row = await lockRecord(tx, kind, key, undefined)
  const { archivedAt, archivedReason, mergedInto } = before
  if (archivedAt === null) await restoreLocked(tx, context, kind, key, row)
  else await archiveLocked(tx, context, kind, key, { archivedAt, archivedReason, mergedInto })
}

/** Archives a record. */
export const archive = async (
  tx: Tx,
  context: AppContext,
  kind: RecordKind,
  key: string,
  reason: string,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const { archivedAt } = await lockRecord(tx, kind, key, ifMatchVersion)
  if (archivedAt !== null) throw new Problem(409, `${formatArchived(kind)} already`)
  await archiveLocked(tx, context, kind, key, { ...IN_USE, archivedAt: context.now().toISOString(), archivedReason: reason })
}

/** Restores an archived record; returns why it was archived. */
export const restore = async (
  tx: Tx,
  context: AppContext,
  kind: RecordKind,
  key: string,
  ifMatchVersion: number | undefined,
): Promise<ArchiveColumns> => {
  const row = await lockRecord(tx, kind, key, ifMatchVersion)
  if (row.archivedAt === null) throw new Problem(409, `This ${RECORD_NOUNS[kind][0]} is not archived`)
  await restoreLocked(tx, context, kind, key, row)
  return row
}

/** Deletes a row of a record; its history restores it. */
export const deleteRow = async (tx: Tx, kind: RowKind, key: string, ifMatchVersion: number | undefined): Promise<void> => {
  await lockForUpdate(tx, kind, key, ifMatchVersion)
  await sql`delete from ${sql.table(kind)} where _id = ${key}`.execute(tx)
}

interface Deletion {
  readonly _id: string
  readonly parent: string
  readonly at: string
  readonly by: string | null
}
/** How a row was deleted; undefined if it exists, or never did. */
export const findDeletion = async (db: Queryable, kind: RowKind, key: string): Promise<Deletion | undefined> => {
  const { rows } = await sql<Deletion>`
    select _id::text as _id, parent, to_json(at) as at, "actorName" as by from change
    where "table" = ${kind} and record = ${key} and action = 'delete' and not exists (select from ${sql.table(kind)} where _id = ${key})
    order by change._id desc limit 1`.execute(db)
  return rows[0]
}

/** Restores a deleted row. */
export const restoreRow = async (tx: Tx, kind: RowKind, key: string): Promise<void> => {
  const deletion = await findDeletion(tx, kind, key)
  if (!deletion) throw new Problem(409, `This ${RECORD_NOUNS[kind][0]} is not deleted`)
  await restoreChange(tx, deletion.parent, deletion._id, {}, undefined)
}
