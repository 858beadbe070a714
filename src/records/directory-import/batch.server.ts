import { randomUUID } from 'node:crypto'

import { findFreeSlug } from '../../contract/slugs.ts'
import { formatArchived } from '../../database/archived-records.server.ts'
import type { Queryable, Tx } from '../../database/connection.server.ts'
import { ImportError } from './import-error.ts'
import {
  insertImportedBrand,
  insertCharters,
  insertSites,
  updateSchoolRows,
  type ImportedCharter,
  type ImportedSite,
} from './mutations.server.ts'
import type { OutcomeCounter } from './outcome.ts'
import {
  type Difference,
  findDifferences,
  type StoredSchool,
  SCHOOL_TABLES,
  type Value,
  type SchoolValues,
  toSchoolValues,
} from './plan.ts'
import { findEditedSince, findBrand, findStoredSchools, listTakenSlugs } from './queries.server.ts'
import type { School } from './school.ts'

const DEFAULT_BRAND = 'Independent'

/** The regions, brand and slugs that imported rows refer to. */
interface ImportTarget {
  readonly regions: ReadonlyMap<string, string>
  /** The region of --region as stored. */
  readonly regionName: string | undefined
  readonly brandName: string
  /** True with --brand, which also moves existing charters to the brand. */
  readonly isBrandGiven: boolean
  brand: string | undefined
  readonly slugs: { readonly charter: Set<string>; readonly site: Set<string> }
  /** Names by id, for messages. */
  readonly names: Map<string, string>
}

export const readTarget = async (db: Queryable, brand: string | undefined, region: string | undefined): Promise<ImportTarget> => {
  const regions = await db.selectFrom('region').select(['_id', 'name']).where('archivedAt', 'is', null).orderBy('name').execute()
  const matchingRegion = regions.find(({ name }) => name.toLowerCase() === region?.toLowerCase())
  if (region !== undefined && matchingRegion === undefined) {
    throw new ImportError(`There is no region "${region}"; the regions are ${regions.map(({ name }) => name).join(', ')}`)
  }
  const brands = await db.selectFrom('brand').select(['_id', 'brandName']).execute()
  const brandName = brand ?? DEFAULT_BRAND
  return {
    regions: new Map(regions.map(({ _id, name }) => [name, _id])),
    regionName: matchingRegion?.name,
    brandName,
    isBrandGiven: brand !== undefined,
    brand: await findBrand(db, brandName),
    slugs: { charter: await listTakenSlugs(db, 'charter'), site: await listTakenSlugs(db, 'site') },
    names: new Map([
      ...regions.map(({ _id, name }) => [_id, name] as const),
      ...brands.map(({ _id, brandName: name }) => [_id, name] as const),
    ]),
  }
}

interface ComparedRow {
  readonly line: number
  readonly school: School
  readonly wanted: SchoolValues
  readonly stored: StoredSchool
  readonly differences: readonly Difference[]
}

const NOT_STORED: StoredSchool = { charter: null, site: null, facility: null }

/** Compares a batch with the stored records, counts the outcome, and writes it if `write` is given. */
export const processBatch = async <Row extends { readonly line: number; readonly school: School }>(
  db: Queryable,
  batch: readonly Row[],
  target: ImportTarget,
  outcome: OutcomeCounter,
  write: Tx | undefined,
  refuse: (row: Row, reason: string) => Promise<void>,
): Promise<void> => {
  if (batch.length === 0) return
  const ids = batch.map(({ school }) => school.directory_id)
  const stored = await findStoredSchools(db, ids)
  if (target.brand === undefined && (target.isBrandGiven || ids.some((id) => !stored.get(id)?.charter))) {
    outcome.newBrand = target.brandName
    // In a dry run the new brand has no id, so its name is used.
    target.brand = write ? await insertImportedBrand(write, target.brandName) : target.brandName
    target.names.set(target.brand, target.brandName)
  }

  const findArchived = ({ school }: Row) =>
    (['charter', 'site'] as const).find((table) => stored.get(school.directory_id)?.[table]?.isArchived)
  for (const row of batch) {
    const archived = findArchived(row)
    if (archived) await refuse(row, `${formatArchived(archived)}. Restore it first.`)
  }
  const inUse = batch.filter((row) => findArchived(row) === undefined)
  const compared = inUse.map(({ line, school }): ComparedRow => {
    const region = target.regions.get(school.region)
    if (region === undefined) throw new ImportError(`There is no region ${school.region} anymore (line ${line})`)
    const wanted = toSchoolValues(school, { brand: target.isBrandGiven ? (target.brand ?? null) : null, region })
    const found = stored.get(school.directory_id) ?? NOT_STORED
    return { line, school, wanted, stored: found, differences: findDifferences(found, wanted) }
  })
  const all = compared.flatMap(({ differences }) => differences)
  const edited = await findEditedSince(db, all)
  for (const { line, school, stored: found, differences } of compared) {
    outcome.addRow({
      line,
      school,
      added: { charter: !found.charter, site: !found.site },
      changed: differences.filter((difference) => !edited.has(difference)),
      kept: differences.filter((difference) => edited.has(difference)),
      names: target.names,
    })
  }
  if (!write) return
  await insertMissing(write, compared, target)
  for (const table of SCHOOL_TABLES) {
    await updateSchoolRows(write, table, groupByRecord(all.filter((difference) => difference.table === table && !edited.has(difference))))
  }
}

/** Inserts the missing charter, site or both of each school. */
const insertMissing = async (tx: Tx, compared: readonly ComparedRow[], { slugs, brand }: ImportTarget): Promise<void> => {
  const charters: ImportedCharter[] = []
  const sites: ImportedSite[] = []
  const counties = new Map<string, Record<string, Value>>()
  for (const { school, wanted, stored } of compared) {
    const { directory_id, name } = school
    const charter = stored.charter?._id ?? randomUUID()
    if (!stored.charter) {
      const values = { ...wanted.charter, brand: brand ?? null }
      charters.push({ _id: charter, slug: findFreeSlug(name, slugs.charter), directory_id, values })
    }
    if (stored.site) continue
    const site = randomUUID()
    sites.push({ _id: site, slug: findFreeSlug(name, slugs.site), directory_id, charter, values: wanted.site })
    if (school.county !== null) counties.set(site, wanted.facility)
  }
  await insertCharters(tx, charters)
  await insertSites(tx, sites)
  await updateSchoolRows(tx, 'facility', counties)
}

const groupByRecord = (differences: readonly Difference[]): Map<string, Record<string, Value>> => {
  const changes = new Map<string, Record<string, Value>>()
  for (const { record, column, to } of differences) changes.set(record, { ...changes.get(record), [column]: to })
  return changes
}
