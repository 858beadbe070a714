import { sql } from 'kysely'

import { findFreeSlug } from '../../contract/slugs.ts'
import type { Status } from '../../contract/status.ts'
import type { Tx } from '../../database/connection.server.ts'
import { IMPORTED_COLUMNS, type SchoolTable, type Value, type RecordValues } from './plan.ts'
import { listTakenSlugs } from './queries.server.ts'

export const insertImportedBrand = async (tx: Tx, brandName: string): Promise<string> =>
  (
    await tx
      .insertInto('brand')
      .values({ brandName, slug: findFreeSlug(brandName, await listTakenSlugs(tx, 'brand')) })
      .returning('_id')
      .executeTakeFirstOrThrow()
  )._id

export interface ImportedCharter {
  readonly _id: string
  readonly slug: string
  readonly directory_id: string
  readonly values: RecordValues
}

export interface ImportedSite extends ImportedCharter {
  readonly charter: string
}

export const insertCharters = async (tx: Tx, charters: readonly ImportedCharter[]): Promise<void> => {
  const rows = charters.map(({ values, ...charter }) => ({
    ...values,
    ...charter,
    status: values['status'] ?? ('ACTIVE' satisfies Status),
  }))
  await insertRows(tx, 'charter', { _id: 'text', slug: 'text', directory_id: 'text', ...IMPORTED_COLUMNS.charter }, rows)
}

export const insertSites = async (tx: Tx, sites: readonly ImportedSite[]): Promise<void> => {
  const rows = sites.map(({ values, ...site }) => ({
    ...values,
    ...site,
    status: values['status'] ?? ('ACTIVE' satisfies Status),
    category: 'Resource Center',
  }))
  const columns = { _id: 'text', slug: 'text', directory_id: 'text', charter: 'text', category: 'text', ...IMPORTED_COLUMNS.site }
  await insertRows(tx, 'site', columns, rows)
}

const toRecordsetColumns = (columns: Readonly<Record<string, string>>) =>
  sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))

const insertRows = async (
  tx: Tx,
  table: SchoolTable,
  columns: Readonly<Record<string, string>>,
  rows: readonly unknown[],
): Promise<void> => {
  if (rows.length === 0) return
  const list = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${list})
    select ${list} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${toRecordsetColumns(columns)})`.execute(tx)
}

/** Updates only the given columns of the given records. */
export const updateRows = async (
  tx: Tx,
  table: SchoolTable,
  changes: ReadonlyMap<string, Readonly<Record<string, Value>>>,
): Promise<void> => {
  if (changes.size === 0) return
  const columns = IMPORTED_COLUMNS[table]
  const key = table === 'facility' ? 'site' : '_id'
  const rows = [...changes].map(([record, values]) => ({ record, values }))
  const sets = Object.entries(columns).map(
    ([name, type]) =>
      sql`${sql.ref(name)} = case when given."values" ? ${name} then (given."values" ->> ${name})::${sql.raw(type)} else ${sql.ref(`${table}.${name}`)} end`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(sets)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(record text, "values" jsonb)
    where ${sql.ref(`${table}.${key}`)} = given.record`.execute(tx)
}
