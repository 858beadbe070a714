import { findFreeSlug, isImportableSlug } from '../../../contract/slugs.ts'
import type { RecordRef, Findings } from './findings.ts'
import { toCanonicalJson, formatCell } from './raw-values.ts'
import type { ImportRow, TableName } from './rows.ts'

type StoredRow = Record<string, unknown>

/** The name of a record without one; the column is required. */
export const NAME_COLUMNS: Partial<Record<TableName, string>> = {
  region: 'name',
  role: 'name',
  program_type: 'name',
  brand: 'brandName',
  charter: 'name',
  site: 'displayName',
  person: 'name',
  sis_site: 'name',
}
export const TABLES_WITH_SLUG = new Set<TableName>(['region', 'brand', 'charter', 'site', 'person'])
/** Combinations of columns that are unique, case-insensitive. */
const UNIQUE_COLUMNS: Partial<Record<TableName, readonly string[]>> = {
  charter: ['directory_id'],
  site: ['directory_id'],
  person: ['email', 'sql_person_id'],
}
const MAX_SLUG_LENGTH = 200
export const toLower = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '')

/** Identifies a row without an `_id` in later imports. */
export const getNaturalKey = (table: TableName, values: StoredRow): unknown =>
  table === 'site_program_type'
    ? [values['site'], values['program_type']]
    : table === 'site_person'
      ? [values['site'], values['person'], values['role']]
      : values

/** Tracks unique values: slugs, addresses, names of roles, and similar. */
export class UniqueValues {
  readonly #table: TableName
  /** Owner by column and value. */
  readonly #owners = new Map<string, string>()
  readonly #slugs = new Set<string>()

  constructor(table: TableName, stored: ReadonlyMap<string, StoredRow>, former: readonly { slug: string; record: string }[]) {
    this.#table = table
    for (const { slug, record } of former) this.#own('slug', slug, record)
    for (const [id, row] of stored) this.#ownAll(id, row)
  }

  #own(column: string, value: unknown, id: string): void {
    const key = toLower(value)
    if (key === '') return
    this.#owners.set(`${column} ${column === 'slug' ? formatCell(value).toLowerCase() : key}`, id)
    if (column === 'slug') this.#slugs.add(formatCell(value).toLowerCase())
  }

  #ownAll(id: string, row: StoredRow): void {
    if (TABLES_WITH_SLUG.has(this.#table)) this.#own('slug', row['slug'], id)
    for (const column of UNIQUE_COLUMNS[this.#table] ?? []) this.#own(column, row[column], id)
    const key = this.#identity(row)
    if (key !== undefined) this.#owners.set(`identity ${key}`, id)
  }

  /** What makes two rows the same: the name of a role, a person's position, the charter of an affair. */
  #identity(row: StoredRow): string | undefined {
    if (this.#table === 'role' || this.#table === 'program_type' || this.#table === 'region') return toLower(row['name'])
    if (this.#table === 'site_person' || this.#table === 'site_program_type') return toCanonicalJson(getNaturalKey(this.#table, row))
    if (this.#table === 'charter_affair') return formatCell(row['charter'])
    if (this.#table === 'permission') return `${formatCell(row['applicationID'])} ${toLower(row['azureID'])}`
    return undefined
  }

  /** The stored row that is the same under another `_id`. */
  findDuplicate(row: StoredRow): string | undefined {
    const key = this.#identity(row)
    return key === undefined ? undefined : this.#owners.get(`identity ${key}`)
  }

  /** Assigns a slug, and removes values that another row has already. */
  resolveConflicts(
    { ref: about, table }: ImportRow,
    id: string,
    values: Record<string, unknown>,
    own: StoredRow | undefined,
    findings: Findings,
  ): void {
    if (TABLES_WITH_SLUG.has(table)) this.#slug(about, id, values, own, findings)
    for (const column of UNIQUE_COLUMNS[table] ?? []) {
      const owner = this.#owners.get(`${column} ${toLower(values[column])}`)
      if (toLower(values[column]) === '' || owner === undefined || owner === id) continue
      findings.add(about, column, 'refused', { value: values[column], stored: own?.[column], reason: `${owner} has it already` })
      if (own) delete values[column]
      else values[column] = null
    }
    this.#ownAll(id, values)
  }

  #slug(about: RecordRef, id: string, values: Record<string, unknown>, own: StoredRow | undefined, findings: Findings): void {
    const wanted = typeof values['slug'] === 'string' ? values['slug'] : ''
    const owner = this.#owners.get(`slug ${wanted.toLowerCase()}`)
    const isFree =
      isImportableSlug(wanted) && wanted.length <= MAX_SLUG_LENGTH && (owner === undefined || owner === id || owner === own?.['_id'])
    if (isFree || (own !== undefined && !('slug' in values))) return
    if (own) delete values['slug']
    else
      values['slug'] = findFreeSlug(
        !/[\p{L}\p{N}]/u.test(wanted) ? formatCell(values[NAME_COLUMNS[this.#table] ?? 'name'] ?? id) : wanted.slice(0, MAX_SLUG_LENGTH),
        this.#slugs,
      )
    const reason =
      wanted.trim() === ''
        ? 'there is none'
        : wanted.length > MAX_SLUG_LENGTH
          ? 'is longer than 200'
          : isImportableSlug(wanted)
            ? `${formatCell(owner)} has it already`
            : 'does not work in a web address'
    findings.add(about, 'slug', 'changed', { value: wanted, stored: values['slug'] ?? own?.['slug'], reason })
  }
}
