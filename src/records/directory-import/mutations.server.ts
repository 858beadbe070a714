import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { findFreeSlug } from '../../contract/slugs.ts'
import type { Tx } from '../../database/connection.server.ts'
import type { ImportedRow } from '../../platform/server/importer.ts'
import { findBrand, listTakenSlugs } from './queries.server.ts'
import { forEachBatch, groupByColumns, insertRows, type RowToWrite, updateRows } from './write-rows.server.ts'

const insertAll = async (tx: Tx, table: string, rows: readonly RowToWrite[]): Promise<void> => {
  for (const [columns, own] of groupByColumns(rows)) await forEachBatch(own, (chunk) => insertRows(tx, table, columns, chunk))
}
const updateAll = async (tx: Tx, table: string, rows: readonly RowToWrite[]): Promise<void> => {
  const key = table === 'facility' ? 'site' : '_id'
  for (const [columns, own] of groupByColumns(rows)) await forEachBatch(own, (chunk) => updateRows(tx, table, key, columns, chunk))
}

type Values = Record<string, unknown>

/** Writes rows of a compared file, with the cells that they have. */
export const writeImport = async (
  tx: Tx,
  rows: readonly ImportedRow[],
  note: (written: number, name: string | null) => void,
): Promise<void> => {
  const slugs = new Map<string, Set<string>>()
  const toFreeSlug = async (table: 'charter' | 'site' | 'person', name: string): Promise<string> => {
    const taken = slugs.get(table) ?? (await listTakenSlugs(tx, table))
    slugs.set(table, taken)
    return findFreeSlug(name, taken)
  }
  let brand: string | undefined
  const getDefaultBrand = async (): Promise<string> =>
    (brand ??= (await findBrand(tx, DEFAULT_BRAND)) ?? (await insertBrand(tx, randomUUID(), DEFAULT_BRAND)))
  await insertNamedRecords(tx, rows, getDefaultBrand)
  const added = new Set<string>()
  let written = 0
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    const batch = rows.slice(from, from + BATCH_SIZE)
    const inserts = new Map<string, RowToWrite[]>()
    const updates = new Map<string, RowToWrite[]>()
    const roles: Values[] = []
    for (const { cells, records } of batch) {
      const values = new Map<string, Values>()
      for (const { table, column, value } of cells.flatMap(({ writes }) => writes)) {
        const own = values.get(table) ?? {}
        own[column] = value
        values.set(table, own)
      }
      for (const table of RECORD_TABLES) {
        const record = records.get(table)
        const own = values.get(table)
        if (!record || (!own && !record.isNew) || (table === 'hr_person' && !own)) continue
        // One principal of several schools is in several rows.
        if (record.isNew && table === 'person') {
          if (!own || added.has(record._id)) continue
          added.add(record._id)
        }
        const target = record.isNew && table !== 'hr_person' ? inserts : updates
        const row = {
          id: record._id,
          values:
            record.isNew && table !== 'hr_person' ? await complete(getDefaultBrand, table, own ?? {}, records, toFreeSlug) : (own ?? {}),
        }
        target.set(table, [...(target.get(table) ?? []), row])
      }
      const { site = records.get('site')?._id, role } = values.get('site_person') ?? {}
      const person = records.get('person')?._id
      if (site !== undefined && role !== undefined && person !== undefined) roles.push({ site, role, person })
    }
    for (const table of RECORD_TABLES) {
      if (table === 'hr_person') await upsertEmployees(tx, updates.get(table) ?? [])
      else {
        await insertAll(tx, table, inserts.get(table) ?? [])
        await updateAll(tx, table, updates.get(table) ?? [])
      }
    }
    await sql`insert into site_person (site, person, role)
      select site, person, role from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) as given(site text, person text, role text)
      on conflict do nothing`.execute(tx)
    written += batch.length
    note(written, batch.at(-1)?.name ?? null)
  }
}
const BATCH_SIZE = 500
/** In the order in which they refer to each other. */
const RECORD_TABLES = ['charter', 'site', 'facility', 'person', 'sis_site', 'hr_person'] as const
const DEFAULT_BRAND = 'Independent'

/** The values of a new record, with those that the file does not have. */
const complete = async (
  getDefaultBrand: () => Promise<string>,
  table: (typeof RECORD_TABLES)[number],
  values: Values,
  records: ImportedRow['records'],
  toFreeSlug: (table: 'charter' | 'site' | 'person', name: string) => Promise<string>,
): Promise<Values> => {
  const given = values['displayName'] ?? values['name']
  const name = typeof given === 'string' ? given : ''
  switch (table) {
    case 'charter':
      return {
        status: 'ACTIVE',
        ...values,
        brand: values['brand'] ?? (await getDefaultBrand()),
        slug: await toFreeSlug('charter', name),
      }
    case 'site': {
      const charter = records.get('charter')?._id
      return {
        status: 'ACTIVE',
        ...(charter === undefined ? {} : { charter }),
        ...values,
        slug: await toFreeSlug('site', name),
      }
    }
    case 'person':
      return { ...values, slug: await toFreeSlug('person', name) }
    case 'sis_site':
      return { status: true, type_array: [], ...values }
    case 'facility':
    case 'hr_person':
      return values
  }
}

const insertBrand = async (tx: Tx, _id: string, brandName: string): Promise<string> => {
  const slug = findFreeSlug(brandName, await listTakenSlugs(tx, 'brand'))
  await tx.insertInto('brand').values({ _id, brandName, slug }).execute()
  return _id
}

/** Inserts the brands and charters that words of the file become. */
const insertNamedRecords = async (tx: Tx, rows: readonly ImportedRow[], getDefaultBrand: () => Promise<string>): Promise<void> => {
  const created = new Map(rows.flatMap(({ cells }) => cells.flatMap(({ creates }) => (creates ? [[creates._id, creates] as const] : []))))
  for (const { _id, table, name } of created.values())
    if (table === 'brand') await insertBrand(tx, _id, name)
    else {
      const slug = findFreeSlug(name, await listTakenSlugs(tx, 'charter'))
      await tx
        .insertInto('charter')
        .values({ _id, name, slug, status: 'ACTIVE', brand: await getDefaultBrand() })
        .execute()
    }
}

/** What an import of employees changes, besides the key of a row. */
const EMPLOYEE_COLUMNS = [
  'FirstName',
  'LastName',
  'Hris_EmailAddress',
  'EmailAddress',
  'Title',
  'Department',
  'Company',
  'Region',
  'goneAt',
] as const

const toStoredValues = () =>
  sql`jsonb_build_object(${sql.join(EMPLOYEE_COLUMNS.flatMap((column) => [sql.lit(column), sql.ref(`hr_person.${column}`)]))})`

/** Adds employees to the directory that Add Staff searches, or changes them; keeps what was there before for `undoEmployees`. */
const upsertEmployees = async (tx: Tx, rows: readonly RowToWrite[]): Promise<void> => {
  const { rows: current } = await sql<{ changeset: string | null }>`
    select nullif(current_setting('homeroom.changeset', true), '') as changeset`.execute(tx)
  const changeset = current[0]?.changeset ?? null
  const lastImport = sql`case when ${changeset}::text is not null then jsonb_build_object('changeset', ${changeset}::text) end`
  for (const [columns, own] of groupByColumns(rows.map(({ id, values }) => ({ id, values: { ...values, PersonID: id } })))) {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    const sets = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))
    await sql`insert into hr_person (${list}, "lastImport")
      select ${list}, ${lastImport} from jsonb_populate_recordset(null::hr_person, ${JSON.stringify(own.map(({ values }) => values))}::jsonb)
      on conflict ("PersonID") do update set ${sets}, "goneAt" = null,
        "lastImport" = excluded."lastImport" || jsonb_build_object('before', ${toStoredValues()})`.execute(tx)
  }
}

/**
 * Exchanges what a changeset wrote about employees for what was there before, unless a later one wrote them again. Who was not there is emptied and
 * gone. Undoing the new changeset exchanges it again.
 */
export const undoEmployees = async (tx: Tx, undone: string, changeset: string): Promise<void> => {
  const columns = sql.join(EMPLOYEE_COLUMNS.map((column) => sql.ref(column)))
  await sql`update hr_person set "lastImport" = jsonb_build_object('changeset', ${changeset}::text, 'before', ${toStoredValues()}), (${columns}) = (
    select ${columns} from jsonb_populate_record(null::hr_person, coalesce("lastImport" -> 'before', jsonb_build_object('goneAt', now())))
  ) where "lastImport" ->> 'changeset' = ${undone}`.execute(tx)
}

/** Marks employees that a later file does not have: Add Staff no longer finds them. */
export const markGone = async (tx: Tx, numbers: readonly string[]): Promise<void> =>
  void (await sql`update hr_person set "goneAt" = now() where "PersonID" = any(${numbers}::text[])`.execute(tx))
