import { randomUUID } from 'node:crypto'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { findFreeSlug } from '../../../platform/contract/slugs.ts'
import { ImportMistake } from './mistake.ts'
import type { OutcomeSoFar } from './outcome.ts'
import { type Difference, differencesOf, type Stored, TABLES, type Value, type Wanted, wantedOf } from './plan.ts'
import {
  addBrand,
  addCharters,
  addSites,
  changeAll,
  editedSince,
  findBrand,
  type NewCharter,
  type NewSite,
  storedSchools,
  takenSlugs,
} from './queries.server.ts'
import type { School } from './school.ts'

/** The brand of imported charters where none is named. */
const USUAL_BRAND = 'Independent'

/** What rows refer to: regions, the brand, and the slugs that are taken. */
interface Network {
  readonly regions: ReadonlyMap<string, string>
  /** The region of --region, spelled as it is stored. */
  readonly regionName: string | undefined
  readonly brandName: string
  /** True where --brand names it: then charters that are there move to it. */
  readonly brandAsked: boolean
  brand: string | undefined
  readonly slugs: { readonly charter: Set<string>; readonly site: Set<string> }
  /** Names by id, for telling what changes. */
  readonly names: Map<string, string>
}

export const readNetwork = async (db: Queryable, brand: string | undefined, region: string | undefined): Promise<Network> => {
  const regions = await db.selectFrom('region').select(['_id', 'name']).orderBy('name').execute()
  const named = regions.find(({ name }) => name.toLowerCase() === region?.toLowerCase())
  if (region !== undefined && named === undefined) {
    throw new ImportMistake(`There is no region "${region}"; the regions are ${regions.map(({ name }) => name).join(', ')}`)
  }
  const brands = await db.selectFrom('brand').select(['_id', 'brandName']).execute()
  const brandName = brand ?? USUAL_BRAND
  return {
    regions: new Map(regions.map(({ _id, name }) => [name, _id])),
    regionName: named?.name,
    brandName,
    brandAsked: brand !== undefined,
    brand: await findBrand(db, brandName),
    slugs: { charter: await takenSlugs(db, 'charter'), site: await takenSlugs(db, 'site') },
    names: new Map([
      ...regions.map(({ _id, name }) => [_id, name] as const),
      ...brands.map(({ _id, brandName: name }) => [_id, name] as const),
    ]),
  }
}

interface Compared {
  readonly line: number
  readonly school: School
  readonly wanted: Wanted
  readonly stored: Stored
  readonly differences: readonly Difference[]
}

const NOTHING: Stored = { charter: null, site: null, facility: null }

/** Compares a batch with what is stored, counts, and writes where `write` is given. */
export const takeBatch = async (
  db: Queryable,
  batch: readonly { readonly line: number; readonly school: School }[],
  network: Network,
  outcome: OutcomeSoFar,
  write: Tx | undefined,
): Promise<void> => {
  if (batch.length === 0) return
  const ids = batch.map(({ school }) => school.directory_id)
  const stored = await storedSchools(db, ids)
  if (network.brand === undefined && (network.brandAsked || ids.some((id) => !stored.get(id)?.charter))) {
    outcome.newBrand = network.brandName
    // Where nothing is written the brand has no id yet; its name stands for it.
    network.brand = write ? await addBrand(write, network.brandName) : network.brandName
    network.names.set(network.brand, network.brandName)
  }

  const compared = batch.map(({ line, school }): Compared => {
    const region = network.regions.get(school.region)
    if (region === undefined) throw new ImportMistake(`There is no region ${school.region} anymore (line ${line})`)
    const wanted = wantedOf(school, { brand: network.brandAsked ? (network.brand ?? null) : null, region })
    const found = stored.get(school.directory_id) ?? NOTHING
    return { line, school, wanted, stored: found, differences: differencesOf(found, wanted) }
  })
  const all = compared.flatMap(({ differences }) => differences)
  const edited = await editedSince(db, all)
  for (const { line, school, stored: found, differences } of compared) {
    outcome.took({
      line,
      school,
      added: { charter: !found.charter, site: !found.site },
      changed: differences.filter((difference) => !edited.has(difference)),
      kept: differences.filter((difference) => edited.has(difference)),
      names: network.names,
    })
  }
  if (!write) return
  await writeNew(write, compared, network)
  for (const table of TABLES) {
    await changeAll(write, table, byRecord(all.filter((difference) => difference.table === table && !edited.has(difference))))
  }
}

/** Adds what is missing of each school: its charter, its site, or both. */
const writeNew = async (tx: Tx, compared: readonly Compared[], { slugs, brand }: Network): Promise<void> => {
  const charters: NewCharter[] = []
  const sites: NewSite[] = []
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
  await addCharters(tx, charters)
  await addSites(tx, sites)
  await changeAll(tx, 'facility', counties)
}

const byRecord = (differences: readonly Difference[]): Map<string, Record<string, Value>> => {
  const changes = new Map<string, Record<string, Value>>()
  for (const { record, column, to } of differences) changes.set(record, { ...changes.get(record), [column]: to })
  return changes
}
