import { sql } from 'kysely'

import { findPartTable, OWNED_KINDS } from '../../../contract/records.ts'
import type { MovedRow } from '../../../database/changeset-tables.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { isEditable } from '../../../database/update-record.server.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import { isLinkTable } from '../history/queries.server.ts'
import { NAMING_TABLES, replaceId, TEXTS_WITH_IDS, UNLINKED_TABLES } from './rules.ts'

type Row = Readonly<Record<string, unknown>>

/** A column whose values are `_id`s of records of a kind. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** The values of the column `kind`, if there is one. */
  readonly kinds?: readonly string[]
}

/** The columns with a foreign key to a table, from the catalog, so that those of a new table are not forgotten. */
const listForeignKeys = async (db: Queryable, table: string): Promise<Reference[]> => {
  const { rows } = await sql<Reference>`
    select child.relname as "table", attribute.attname as "column"
    from pg_constraint as c join pg_class as child on child.oid = c.conrelid
    join pg_attribute as attribute on attribute.attrelid = c.conrelid and attribute.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = to_regclass(${table}) order by 1, 2`.execute(db)
  return rows
}

/**
 * The columns that refer to records of a kind. A row that is a part of each record stays with it. What was merged into a record before leads to it,
 * and from there on: archived records are not changed.
 */
export const listReferences = async (db: Queryable, kind: string): Promise<Reference[]> => {
  const kinds = [kind, ...OWNED_KINDS.flatMap(([owned, owner]) => (owner === kind ? [owned] : []))]
  const named = Object.entries(NAMING_TABLES).flatMap(([table, columns]) => columns.map((column) => ({ table, column, kinds })))
  const keys = await listForeignKeys(db, kind)
  return [...keys.filter(({ table }) => table !== kind && !findPartTable(table)?.hasKeyOfRecord), ...named]
}

const isOf = ({ column, kinds }: Reference, _id: string) => sql<boolean>`
  ${sql.ref(`t.${column}`)} = ${_id} ${kinds ? sql`and t.kind = any(${[...kinds]}::text[])` : sql``}`

export const countReferences = async (db: Queryable, reference: Reference, _id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(reference.table)} as t where ${isOf(reference, _id)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether the history of a table has what an undo needs. */
const isUndoneByHistory = (table: string): boolean => isEditable(table) || isLinkTable(table)

/** The columns that identify a row: its primary key, or all that can be compared. */
const listKeyColumns = async (db: Queryable, table: string): Promise<string[]> => {
  const { rows } = await sql<{ column: string; isKey: boolean; type: string }>`
    select a.attname as "column", format_type(a.atttypid, null) as type,
      coalesce(a.attnum = any((select indkey::int2[] from pg_index where indrelid = a.attrelid and indisprimary)::int2[]), false) as "isKey"
    from pg_attribute as a where a.attrelid = to_regclass(${table}) and a.attnum > 0 and not a.attisdropped order by a.attnum`.execute(db)
  const keys = rows.filter(({ isKey }) => isKey)
  return (keys.length > 0 ? keys : rows.filter(({ type }) => type !== 'json' && type !== 'jsonb')).map(({ column }) => column)
}

const pick = (row: Row, columns: readonly string[]): Row => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))

const hasUniqueIndex = async (db: Queryable, { table, column }: Reference): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_index as i where i.indrelid = to_regclass(${table}) and i.indisunique and (i.indexprs is not null
      or (select attnum from pg_attribute where attrelid = i.indrelid and attname = ${column}) = any(i.indkey::int2[]))`.execute(db)
  return rows.length > 0
}

/** Links are added and removed, and never changed: one that the other record has already is only removed. */
const moveLinks = async (tx: Tx, reference: Reference, from: string, to: string): Promise<void> => {
  const { table, column } = reference
  const { rows } = await sql<{ row: Row }>`
    delete from ${sql.table(table)} as t where ${isOf(reference, from)} returning to_jsonb(t) as row`.execute(tx)
  for (const { row } of rows) {
    const columns = ['site', 'person', 'role', 'program_type'].filter((one) => one in row)
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((one) => sql.ref(one)))})
      values (${sql.join(columns.map((one) => sql`${one === column ? to : row[one]}`))}) on conflict do nothing`.execute(tx)
  }
}

/** Whether a row was updated; not if a unique index refuses it, because the other record has one like it. */
const tryUpdate = async (tx: Tx, { table, column }: Reference, ctid: string, to: string | null): Promise<boolean> => {
  await sql`savepoint moved`.execute(tx)
  try {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ctid = ${ctid}::tid`.execute(tx)
    return true
  } catch (error) {
    if (getErrorCode(error) !== '23505') throw error
    await sql`rollback to savepoint moved`.execute(tx)
    await sql`delete from ${sql.table(table)} where ctid = ${ctid}::tid`.execute(tx)
    return false
  } finally {
    await sql`release savepoint moved`.execute(tx).catch(() => {})
  }
}

/** Makes all rows of a column refer to another record; returns those that the history does not have. */
const moveColumn = async (tx: Tx, reference: Reference, from: string, kept: string): Promise<MovedRow[]> => {
  const { table, column } = reference
  if (isLinkTable(table)) {
    await moveLinks(tx, reference, from, kept)
    return []
  }
  const to = UNLINKED_TABLES.has(table) ? null : kept
  const { rows } = await sql<{ ctid: string; row: Row }>`
    select t.ctid::text as ctid, to_jsonb(t) as row from ${sql.table(table)} as t where ${isOf(reference, from)} for update`.execute(tx)
  if (rows.length === 0) return []
  const isUnique = await hasUniqueIndex(tx, reference)
  if (!isUnique) await sql`update ${sql.table(table)} as t set ${sql.ref(column)} = ${to} where ${isOf(reference, from)}`.execute(tx)
  const keys = await listKeyColumns(tx, table)
  const moved: MovedRow[] = []
  for (const { ctid, row } of rows) {
    const isMoved = !isUnique || (await tryUpdate(tx, reference, ctid, to))
    const before = isMoved ? pick(row, [...keys, column]) : row
    moved.push({ table, before, after: isMoved ? { ...before, [column]: to } : null })
  }
  return isUndoneByHistory(table) ? [] : moved
}

/** Replaces an `_id` in texts and JSON. */
const replaceInTexts = async (tx: Tx, from: string, to: string): Promise<MovedRow[]> => {
  const moved: MovedRow[] = []
  for (const [table, columns] of Object.entries(TEXTS_WITH_IDS)) {
    const found = sql.join(
      columns.map((column) => sql`position(${from} in ${sql.ref(`t.${column}`)}::text) > 0`),
      sql` or `,
    )
    const { rows } = await sql<{ ctid: string; row: Row }>`
      select t.ctid::text as ctid, to_jsonb(t) as row from ${sql.table(table)} as t where ${found} for update`.execute(tx)
    for (const { ctid, row } of rows) {
      const changed = columns.filter((column) => JSON.stringify(replaceId(row[column], from, to)) !== JSON.stringify(row[column]))
      if (changed.length === 0) continue
      const before = pick(row, [...(await listKeyColumns(tx, table)), ...changed])
      const after = { ...before, ...Object.fromEntries(changed.map((column) => [column, replaceId(row[column], from, to)])) }
      await setColumns(tx, table, changed, after, sql`t.ctid = ${ctid}::tid`)
      moved.push({ table, before, after })
    }
  }
  return moved
}

/** Sets columns of rows to the values of a row as JSON. */
const setColumns = (tx: Tx, table: string, columns: readonly string[], row: Row, condition: ReturnType<typeof sql>) => {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`given.${column}`)}`))
  return sql`
    update ${sql.table(table)} as t set ${values}
    from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb) as given where ${condition}`.execute(tx)
}

/** Makes everything that refers to a record refer to another one; returns the rows whose history does not have that. */
export const moveReferences = async (
  tx: Tx,
  kind: string,
  from: string,
  to: string,
  isMoved: (reference: Reference) => boolean = () => true,
) => {
  const moved: MovedRow[] = []
  for (const reference of (await listReferences(tx, kind)).filter(isMoved)) moved.push(...(await moveColumn(tx, reference, from, to)))
  return [...moved, ...(await replaceInTexts(tx, from, to))]
}

/** Restores rows that a merge moved, except those that were changed since. */
export const restoreMoved = async (tx: Tx, moved: readonly MovedRow[]): Promise<void> => {
  for (const { table, before, after } of moved.toReversed()) {
    const given = (row: Row) => sql`jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`
    if (after === null) {
      await sql`insert into ${sql.table(table)} select * from ${given(before)} on conflict do nothing`.execute(tx)
      continue
    }
    const changed = Object.keys(after).filter((column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]))
    const same = Object.keys(after).map((column) => sql`${sql.ref(`t.${column}`)} is not distinct from ${sql.ref(`now.${column}`)}`)
    const values = changed.map((column) => sql`${sql.ref(column)} = ${sql.ref(`was.${column}`)}`)
    await sql`
      update ${sql.table(table)} as t set ${sql.join(values)} from ${given(before)} as was, ${given(after)} as now
      where ${sql.join(same, sql` and `)}`.execute(tx)
  }
}
