import { sql } from 'kysely'

import { findFreeSlug } from '../../../contract/slugs.ts'
import type { Status } from '../../../contract/status.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { IMPORTED_COLUMNS, type Difference, type StoredSchool, type SchoolTable, type Value, type RecordValues } from './plan.ts'
import { isImportActor } from './school.ts'

export const findStoredSchools = async (db: Queryable, ids: readonly string[]): Promise<Map<string, StoredSchool>> => {
  const charters = await db
    .selectFrom('charter')
    .select(['_id', 'directory_id', ...getColumnNames('charter')])
    .where('directory_id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  const sites = await db
    .selectFrom('site')
    .innerJoin('facility', 'facility.site', 'site._id')
    .select(['site._id', 'site.directory_id', 'facility.county', ...getColumnNames('site').map((name) => `site.${name}` as const)])
    .where('site.directory_id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  const stored = new Map<string, StoredSchool>()
  for (const { _id, directory_id, ...values } of charters) {
    stored.set(String(directory_id), { charter: { _id, values }, site: null, facility: null })
  }
  for (const { _id, directory_id, county, ...values } of sites) {
    stored.set(String(directory_id), {
      charter: stored.get(String(directory_id))?.charter ?? null,
      site: { _id, values },
      facility: { _id, values: { county } },
    })
  }
  return stored
}

const getColumnNames = <T extends SchoolTable>(table: T): (keyof (typeof IMPORTED_COLUMNS)[T])[] =>
  Object.keys(IMPORTED_COLUMNS[table]) as (keyof (typeof IMPORTED_COLUMNS)[T])[]

/** The differences in values that someone other than an import changed last, by the change history. */
export const findEditedSince = async (db: Queryable, differences: readonly Difference[]): Promise<Set<Difference>> => {
  if (differences.length === 0) return new Set()
  const requested = differences.map(({ table, record, column }, n) => ({ n, table, record, column }))
  const { rows } = await sql<{ n: number; actor: string | null; actorName: string | null }>`
    select requested.n, last.actor, last."actorName"
    from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) as requested(n integer, "table" text, record text, "column" text)
    cross join lateral (
      select actor, "actorName" from change
      where change.record = requested.record and change."table" = requested."table"
        and (change.before is null or change.before -> requested."column" is distinct from change.after -> requested."column")
      order by change._id desc limit 1
    ) as last`.execute(db)
  return new Set(rows.filter((row) => !isImportActor(row.actor, row.actorName)).flatMap((row) => differences[row.n] ?? []))
}

export const findBrand = async (db: Queryable, brandName: string): Promise<string | undefined> => {
  const found = await db
    .selectFrom('brand')
    .select('_id')
    .where(sql`lower(btrim("brandName"))`, '=', sql<string>`lower(${brandName})`)
    .orderBy(sql`"brandName" = ${brandName}`, 'desc')
    .orderBy('_id')
    .executeTakeFirst()
  return found?._id
}

export const insertImportedBrand = async (tx: Tx, brandName: string): Promise<string> =>
  (
    await tx
      .insertInto('brand')
      .values({ brandName, slug: findFreeSlug(brandName, await listTakenSlugs(tx, 'brand')) })
      .returning('_id')
      .executeTakeFirstOrThrow()
  )._id

/** Slugs in use and former slugs, which still work in links; in lower case. */
export const listTakenSlugs = async (db: Queryable, table: 'brand' | 'charter' | 'site'): Promise<Set<string>> => {
  const { rows } = await sql<{ slug: string }>`
    select lower(slug) as slug from ${sql.table(table)}
    union all select lower(slug) from former_slug where "table" = ${table}`.execute(db)
  return new Set(rows.map((row) => row.slug))
}

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
