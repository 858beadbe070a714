import { sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { forEachBatch, groupByColumns, insertRows, updateRows } from '../write-rows.server.ts'
import { getKeyColumn, type Insert, type ImportPlan, type Update } from './plan.server.ts'
import type { TableName } from './rows.ts'

export interface WriteListener {
  onWritten(rows: number, of: number): void
  throwIfStopped(): void
}

export const countRowsToWrite = (plan: ImportPlan): number =>
  plan.reduce((sum, { inserts, siteParts, updates }) => sum + inserts.length + siteParts.length + updates.length, 0)

/** Writes a plan; the trigger `record_history` records every row. */
export const writePlan = async (tx: Tx, plan: ImportPlan, progress: WriteListener): Promise<void> => {
  const of = countRowsToWrite(plan)
  let done = 0
  const next = async (rows: readonly unknown[], write: () => Promise<void>): Promise<void> => {
    progress.throwIfStopped()
    await write()
    done += rows.length
    progress.onWritten(done, of)
  }
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  for (const { table, inserts, siteParts, updates } of plan) {
    for (const [columns, rows] of groupByColumns(inserts))
      await forEachBatch(rows, (chunk) => next(chunk, () => insertRows(tx, table, columns, chunk)))
    for (const [columns, rows] of groupByColumns([...siteParts, ...updates]))
      await forEachBatch(rows, (chunk) => next(chunk, () => updateRows(tx, table, getKeyColumn(table), columns, chunk)))
    await updateIds(tx, table, updates)
    await insertFormerSlugs(tx, table, updates)
  }
  await bindAccounts(tx)
  for (const { table, inserts, siteParts, updates } of plan) {
    const moved = updates.filter(({ id, storedId }) => id !== storedId)
    const withMoments = [...inserts, ...siteParts, ...moved].filter(({ metadata }) => Object.keys(metadata).length > 0)
    await forEachBatch(withMoments, (chunk) => updateMetadata(tx, table, chunk))
  }
}

/** Gives seed rows the ids of the old program, and updates references to them. */
const updateIds = async (tx: Tx, table: TableName, updates: readonly Update[]): Promise<void> => {
  for (const { id, storedId } of updates) {
    if (id === storedId) continue
    await sql`update ${sql.table(table)} set _id = ${id} where _id = ${storedId}`.execute(tx)
    for (const other of ['favorite', 'recently_viewed', 'former_slug'] as const)
      await sql`update ${sql.table(other)} set record = ${id} where record = ${storedId}`.execute(tx)
    const [stored, given] = [JSON.stringify(storedId), JSON.stringify(id)]
    await sql`update setting set value = replace(value::text, ${stored}, ${given})::jsonb
      where position(${stored} in value::text) > 0`.execute(tx)
  }
}

/** Former slugs still work in links. */
const insertFormerSlugs = async (tx: Tx, table: TableName, updates: readonly Update[]): Promise<void> => {
  const slugs = updates.flatMap(({ id, formerSlug }) => (formerSlug === undefined ? [] : [{ record: id, slug: formerSlug }]))
  if (slugs.length === 0) return
  await sql`insert into former_slug ("table", slug, record)
    select ${table}, lower(slug), record from jsonb_to_recordset(${JSON.stringify(slugs)}::jsonb) as given(slug text, record text)
    on conflict do nothing`.execute(tx)
  await sql`delete from former_slug as f using ${sql.table(table)} as t
    where f."table" = ${table} and f.record = t._id and f.slug = lower(t.slug)`.execute(tx)
}

/** Binds permission records to accounts that have already signed in; others are bound at their first sign-in. */
const bindAccounts = async (tx: Tx): Promise<void> => {
  await sql`update permission set account = found._id
    from (select distinct on (lower("azureID")) _id, lower("azureID") as address from account where "closedAt" is null
      order by lower("azureID"), "createdAt" desc) as found
    where permission.account is null and lower(permission."azureID") = found.address`.execute(tx)
}

const CHECKED_TABLES: ReadonlySet<TableName> = new Set(['site', 'person', 'charter'])

/** Stores the given time and author of the last change and of the last check, without recording a change. */
const updateMetadata = async (tx: Tx, table: TableName, rows: readonly Pick<Insert, 'id' | 'metadata'>[]): Promise<void> => {
  const key = getKeyColumn(table)
  const list = rows.map(({ id, metadata }) => ({ key: id, updatedBy: null, ...metadata }))
  const counted =
    table === 'charter' ? sql`, "studentCountUpdatedAt" = coalesce(given."studentCountUpdatedAt", t."studentCountUpdatedAt")` : sql``
  const checked = CHECKED_TABLES.has(table)
    ? sql`, "checkedAt" = coalesce(given."checkedAt", t."checkedAt"), "checkedBy" = case when given."checkedAt" is null then t."checkedBy" else given."checkedBy" end`
    : sql``
  await sql`select set_config('homeroom.skip_history', 'yes', true)`.execute(tx)
  await sql`update ${sql.table(table)} as t set "updatedAt" = coalesce(given."updatedAt", t."updatedAt"),
      "updatedBy" = case when given."updatedAt" is null then t."updatedBy" else given."updatedBy" end ${counted} ${checked}
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as given(key text, "updatedAt" timestamptz, "updatedBy" text, "studentCountUpdatedAt" timestamptz, "checkedAt" timestamptz, "checkedBy" text)
    where t.${sql.ref(key)} = given.key`.execute(tx)
  await sql`select set_config('homeroom.skip_history', '', true)`.execute(tx)
}
