import { sql } from 'kysely'

import { type FieldError, invalidFields, notFound } from '../contract/problem.ts'
import { getRecordName, type RecordKind } from '../contract/records.ts'
import { normalizeSlug, isId } from '../contract/slugs.ts'
import { formatArchived } from './archived-records.server.ts'
import type { Queryable } from './connection.server.ts'

/** Tables whose records have their own page. */
export type AddressableTable = RecordKind

type ReferencedTable = RecordKind | 'picture'
/** The tables that columns refer to. */
export type References = Readonly<Record<string, ReferencedTable>>

/** What is wrong with a reference; undefined if the record exists and is in use. The lock waits for an archiving that is being saved. */
export const findReferenceError = async (db: Queryable, table: ReferencedTable, _id: string): Promise<string | undefined> => {
  const missing = `This ${table} does not exist`
  if (table !== 'picture' && !isId(_id)) return missing
  const columns = table === 'picture' ? sql`null as "archivedAt"` : sql`"archivedAt"`
  const { rows } = await sql<{
    archivedAt: Date | null
  }>`select ${columns} from ${sql.table(table)} where _id = ${_id} for key share`.execute(db)
  if (!rows[0]) return missing
  return rows[0].archivedAt && table !== 'picture' ? formatArchived(table) : undefined
}

/** Throws 422 if columns refer to records that do not exist, or are archived. */
export const assertReferences = async (
  db: Queryable,
  references: References,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const errors: FieldError[] = []
  for (const [path, table] of Object.entries(references)) {
    const _id = columns[path]
    const message = typeof _id === 'string' && _id !== '' ? await findReferenceError(db, table, _id) : undefined
    if (message !== undefined) errors.push({ path, message })
  }
  if (errors.length > 0) throw invalidFields(errors)
}

/** The `_id` for a path parameter: an `_id`, a slug (case-insensitive) or a former slug. A merged record leads to the one that stays. Throws 404. */
export const findRecordId = async (db: Queryable, table: AddressableTable, idOrSlug: string): Promise<string> => {
  const byId = isId(idOrSlug) ? sql`union all select _id, 0 from ${sql.table(table)} where _id = ${idOrSlug}` : sql``
  const slug = normalizeSlug(idOrSlug)
  const { rows } = await sql<{ _id: string }>`
    with recursive found as (
      select _id, 1 as rank from ${sql.table(table)} where lower(slug) = lower(${slug}) ${byId}
      union all select record, 2 from former_slug where "table" = ${table} and slug = lower(${slug})
      order by rank limit 1),
    kept as (
      select _id from found
      union select merged."mergedInto" from ${sql.table(table)} as merged join kept using (_id) where merged."mergedInto" is not null)
    select record._id from ${sql.table(table)} as record join kept using (_id) where record."mergedInto" is null`.execute(db)
  const found = rows[0]
  if (!found) throw notFound(getRecordName(table))
  return found._id
}
