import { sql } from 'kysely'

import type { Tx } from '../../../../database/connection.server.ts'
import { LOCKS } from '../../../../database/locks.ts'
import { keyOf, type Insert, type Plan, type Update, type Values } from './plan.server.ts'
import type { TableName } from './rows.ts'

const ROWS_AT_ONCE = 1000
/** From so many rows on the search's index is made anew at the end, which is quicker than following. */
const MANY = 2000

export interface Progress {
  written(rows: number, of: number): void
  checkStop(): void
}

export const rowsIn = (plan: Plan): number =>
  plan.reduce((sum, { inserts, begun, updates }) => sum + inserts.length + begun.length + updates.length, 0)

/** Writes a plan in its transaction; the change trigger keeps every row of it. */
export const writePlan = async (tx: Tx, plan: Plan, progress: Progress): Promise<void> => {
  const of = rowsIn(plan)
  let done = 0
  const next = async (rows: readonly unknown[], write: () => Promise<void>): Promise<void> => {
    progress.checkStop()
    await write()
    done += rows.length
    progress.written(done, of)
  }
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  if (of > MANY) await sql`select set_config('homeroom.index_later', 'yes', true)`.execute(tx)
  for (const { table, inserts, begun, updates } of plan) {
    for (const [columns, rows] of byColumns(inserts))
      await inPieces(rows, (piece) => next(piece, () => insertRows(tx, table, columns, piece)))
    for (const [columns, rows] of byColumns([...begun, ...updates]))
      await inPieces(rows, (piece) => next(piece, () => updateRows(tx, table, columns, piece)))
    await movedIds(tx, table, updates)
    await formerSlugs(tx, table, updates)
  }
  await bindAccounts(tx)
  for (const { table, inserts, begun, updates } of plan) {
    const moved = updates.filter(({ id, before }) => id !== before)
    const withMoments = [...inserts, ...begun, ...moved].filter(({ kept }) => Object.keys(kept).length > 0)
    await inPieces(withMoments, (piece) => keepMoments(tx, table, piece))
  }
  if (of > MANY) await sql`select search_index_everything()`.execute(tx)
}

const inPieces = async <T>(rows: readonly T[], each: (piece: readonly T[]) => Promise<void>): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) await each(rows.slice(from, from + ROWS_AT_ONCE))
}

type Written = { readonly id: string; readonly before?: string; readonly values: Values }

/** Rows that name the same columns go in one statement. */
const byColumns = (rows: readonly Written[]): Map<readonly string[], Written[]> => {
  const groups = new Map<string, { columns: string[]; rows: Written[] }>()
  for (const row of rows) {
    const columns = Object.keys(row.values).toSorted()
    const key = columns.join(' ')
    const group = groups.get(key) ?? { columns, rows: [] }
    groups.set(key, group)
    group.rows.push(row)
  }
  return new Map([...groups.values()].map((group) => [group.columns, group.rows]))
}

const given = (table: TableName, rows: readonly Values[]) =>
  sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) as given`

const insertRows = async (tx: Tx, table: TableName, columns: readonly string[], rows: readonly Written[]): Promise<void> => {
  const list = sql.join(['_id', ...columns].map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${given(table, rows.map(({ id, values }) => ({ ...values, _id: id })))}`.execute(tx) // prettier-ignore
}

const updateRows = async (tx: Tx, table: TableName, columns: readonly string[], rows: readonly Written[]): Promise<void> => {
  const key = keyOf(table)
  const sets = columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`)
  if (sets.length === 0) return
  await sql`update ${sql.table(table)} set ${sql.join(sets)} from ${given(table, rows.map(({ id, before, values }) => ({ ...values, [key]: before ?? id })))}
    where ${sql.ref(`${table}.${key}`)} = given.${sql.ref(key)}`.execute(tx) // prettier-ignore
}

/** Rows of the first start take over the ids of the old program; what points at them follows. */
const movedIds = async (tx: Tx, table: TableName, updates: readonly Update[]): Promise<void> => {
  for (const { id, before } of updates) {
    if (id === before) continue
    await sql`update ${sql.table(table)} set _id = ${id} where _id = ${before}`.execute(tx)
    for (const other of ['favourite', 'recently_viewed', 'former_slug'] as const)
      await sql`update ${sql.table(other)} set record = ${id} where record = ${before}`.execute(tx)
    await sql`update setting set value = replace(value::text, ${JSON.stringify(before)}, ${JSON.stringify(id)})::jsonb where position(${JSON.stringify(before)} in value::text) > 0`.execute(
      tx,
    )
  }
}

/** A slug that is replaced keeps answering (D3). */
const formerSlugs = async (tx: Tx, table: TableName, updates: readonly Update[]): Promise<void> => {
  const slugs = updates.flatMap(({ id, formerSlug }) => (formerSlug === undefined ? [] : [{ record: id, slug: formerSlug }]))
  if (slugs.length === 0) return
  await sql`insert into former_slug ("table", slug, record)
    select ${table}, lower(slug), record from jsonb_to_recordset(${JSON.stringify(slugs)}::jsonb) as given(slug text, record text)
    on conflict do nothing`.execute(tx)
  await sql`delete from former_slug as f using ${sql.table(table)} as t where f."table" = ${table} and f.record = t._id and f.slug = lower(t.slug)`.execute(
    tx,
  )
}

/** Permission records belong to whoever has signed in with their address already; to others at their first sign-in (D10). */
const bindAccounts = async (tx: Tx): Promise<void> => {
  await sql`update permission set account = found._id
    from (select distinct on (lower("azureID")) _id, lower("azureID") as address from account where "closedAt" is null
      order by lower("azureID"), "createdAt" desc) as found
    where permission.account is null and lower(permission."azureID") = found.address`.execute(tx)
}

/** When and by whom a record was changed last is as the old program had it. This is no change of the record: nothing is noted of it. */
const keepMoments = async (tx: Tx, table: TableName, rows: readonly Pick<Insert, 'id' | 'kept'>[]): Promise<void> => {
  const key = keyOf(table)
  const list = rows.map(({ id, kept }) => ({ key: id, updatedBy: null, ...kept }))
  const counted =
    table === 'charter' ? sql`, "studentCountUpdatedAt" = coalesce(given."studentCountUpdatedAt", t."studentCountUpdatedAt")` : sql``
  await sql`select set_config('homeroom.touching', 'yes', true)`.execute(tx)
  await sql`update ${sql.table(table)} as t set "updatedAt" = coalesce(given."updatedAt", t."updatedAt"),
      "updatedBy" = case when given."updatedAt" is null then t."updatedBy" else given."updatedBy" end ${counted}
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as given(key text, "updatedAt" timestamptz, "updatedBy" text, "studentCountUpdatedAt" timestamptz)
    where t.${sql.ref(key)} = given.key`.execute(tx)
  await sql`select set_config('homeroom.touching', '', true)`.execute(tx)
}
