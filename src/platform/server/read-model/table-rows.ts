import { compareBytes } from '../../../contract/byte-order.ts'
import { getFirst, listItems, toCompactList } from '../../../contract/compact-list.ts'
import { KeyedValues } from '../../../contract/keyed-values.ts'
import { getTable, listOwnerColumns, type ModelRow, type ModelTable, type ReferenceColumn } from './tables.ts'

interface AnyRow {
  readonly version: number
  readonly updatedAt: string
  readonly checkVersion?: number
}
type Columns = Readonly<Record<string, unknown>>

/** What `TableRows.set` changed, as lists see it: an archived row is none. */
export interface RowChange<T extends ModelTable = ModelTable> {
  readonly table: T
  readonly key: string
  readonly before: ModelRow<T> | undefined
  readonly after: ModelRow<T> | undefined
}

/** The keys that a changed row has, or had, in a column. */
export const getReferenced = ({ before, after }: RowChange, column: string): string[] =>
  [before, after].flatMap((row) => ((row as Columns | undefined)?.[column] as string | null | undefined) ?? [])

/** Whether a row is a later state of another. A change of a site's parts updates the site's time but not its version, and a check changes neither. */
const isNewer = (row: AnyRow, than: AnyRow): boolean => {
  if (row.version !== than.version) return row.version > than.version
  if (row.updatedAt !== than.updatedAt) return row.updatedAt > than.updatedAt
  return (row.checkVersion ?? 0) > (than.checkVersion ?? 0)
}

export const getText = (row: object, column: string): string => (row as Readonly<Record<string, string>>)[column] as string

export interface TableRowsOptions {
  /** Whether a record is archived that rows of this table belong to. */
  readonly isOwnerArchived: (table: string, key: string) => boolean
  /** Whether lists have the archived records instead of the others, for which this class then uses that word. */
  readonly listsArchived: boolean
}

/**
 * The rows of one table in memory, found by their key, by their slug and by references. Archived rows, and those that belong to archived records, are
 * found by key and slug only.
 */
export class TableRows<T extends ModelTable> {
  readonly #table: T
  readonly #ownerColumns: readonly string[]
  readonly #options: TableRowsOptions
  readonly #archived = new Set<string>()
  readonly #rows: KeyedValues<ModelRow<T>>
  readonly #bySlug = new KeyedValues<ModelRow<T>>((row) => getText(row, 'slug').toLowerCase())
  readonly #byReference: ReadonlyMap<string, KeyedValues<ModelRow<T> | readonly ModelRow<T>[]>>

  constructor(table: T, options: TableRowsOptions) {
    this.#table = table
    this.#ownerColumns = listOwnerColumns(table)
    this.#options = options
    const { key, references } = getTable(table)
    this.#rows = new KeyedValues((row) => getText(row, key))
    this.#byReference = new Map(references.map((column) => [column, new KeyedValues((rows) => getText(getFirst(rows), column))]))
  }

  /** How many rows `all` has. */
  get size(): number {
    return this.#ownerColumns.length === 0 ? this.#rows.size - this.#archived.size : [...this.all()].length
  }

  get(key: string | null): ModelRow<T> | undefined {
    return key === null ? undefined : this.#rows.get(key)
  }

  /** The same, unless it is in no list. */
  getListed(key: string | null): ModelRow<T> | undefined {
    const row = this.get(key)
    return row && this.isListed(row) ? row : undefined
  }

  /** A row that a foreign key guarantees to exist. */
  need(key: string): ModelRow<T> {
    const row = this.#rows.get(key)
    if (!row) throw new Error(`The read model has no ${this.#table} ${key}`)
    return row
  }

  *all(): Generator<ModelRow<T>> {
    for (const row of this.#rows) if (this.isListed(row)) yield row
  }

  /** All rows, with those that are in no list. */
  allWithArchived(): Iterable<ModelRow<T>> {
    return this.#rows
  }

  /** The archived rows, in the order in which they were archived or read. */
  archived(): ModelRow<T>[] {
    return [...this.#archived].map((key) => this.need(key))
  }

  /** Whether a row itself is in no list. */
  #isArchived(row: object | undefined): boolean {
    const { archivedAt } = (row ?? {}) as { readonly archivedAt?: string | null }
    return archivedAt !== undefined && (archivedAt !== null) !== this.#options.listsArchived
  }

  isArchived(key: string): boolean {
    return this.#archived.has(key)
  }

  /** Whether a row is in lists: neither it nor a record that it belongs to is archived. */
  isListed(row: ModelRow<T>, ownerColumns = this.#ownerColumns): boolean {
    return !this.#isArchived(row) && !ownerColumns.some((column) => this.#options.isOwnerArchived(column, getText(row, column)))
  }

  /** The row with this slug, ignoring case. */
  findBySlug(slug: string): ModelRow<T> | undefined {
    return this.#bySlug.get(slug.toLowerCase())
  }

  /** The rows that refer to a row of another table, unordered. An archived record has its own parts. */
  where(column: ReferenceColumn<T>, key: string): readonly ModelRow<T>[] {
    return this.#listWhere(column, key)
  }

  /** How many rows refer to a row of another table; none by a column that refers to no other. */
  countWhere(column: string, key: string): number {
    return this.#listWhere(column, key).length
  }

  #listWhere(column: string, key: string): readonly ModelRow<T>[] {
    const rows = listItems(this.#byReference.get(column)?.get(key))
    const others = this.#ownerColumns.filter((owner) => owner !== column)
    return rows.every((row) => this.isListed(row, others)) ? rows : rows.filter((row) => this.isListed(row, others))
  }

  /** Sets or removes (undefined) a row; returns undefined if that changes nothing. A row older than the present one is ignored. */
  set(key: string, after: ModelRow<T> | undefined): RowChange<T> | undefined {
    const before = this.#rows.get(key)
    if (before && after ? !isNewer(after as unknown as AnyRow, before as unknown as AnyRow) : !before && !after) return undefined
    const [wasArchived, isNowArchived] = [this.#isArchived(before), this.#isArchived(after)]
    for (const [column, index] of this.#byReference) {
      const old = wasArchived ? undefined : (before as Columns | undefined)?.[column]
      const now = isNowArchived ? undefined : (after as Columns | undefined)?.[column]
      // Lists that callers hold are never mutated.
      if (typeof old === 'string') {
        const rows = listItems(index.get(old))
        const at = rows.indexOf(before as ModelRow<T>)
        const rest = toCompactList(after && old === now ? rows.with(at, after) : rows.toSpliced(at, 1))
        if (rest) index.set(rest)
        else index.delete(old)
      }
      if (after && typeof now === 'string' && old !== now) index.set(toCompactList(listItems(index.get(now)).concat([after])) ?? after)
    }
    const [oldSlug, slug] = [before, after].map((row) => (row as { readonly slug?: string } | undefined)?.slug)
    if (oldSlug !== undefined && oldSlug !== slug && this.findBySlug(oldSlug) === before) this.#bySlug.delete(oldSlug.toLowerCase())
    if (after && slug !== undefined) this.#bySlug.set(after)
    const listed = before && this.isListed(before) ? before : undefined
    if (after) this.#rows.set(after)
    else this.#rows.delete(key)
    if (isNowArchived) this.#archived.add(key)
    else this.#archived.delete(key)
    return { table: this.#table, key, before: listed, after: after && this.isListed(after) ? after : undefined }
  }
}

/** Keys sorted by a text, and by key where the texts are equal. */
export class SortedKeys {
  // Two parallel arrays: an object per entry would take five times the memory.
  readonly #texts: string[] = []
  readonly #keys: string[] = []

  #find(text: string, key: string): number {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const isBefore = (compareBytes(this.#texts[middle] as string, text) || compareBytes(this.#keys[middle] as string, key)) < 0
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Cheap if the text sorts last, as when rows are read in order. */
  add(text: string, key: string): void {
    const at = this.#find(text, key)
    this.#texts.splice(at, 0, text)
    this.#keys.splice(at, 0, key)
  }

  remove(text: string, key: string): void {
    const at = this.#find(text, key)
    if (this.#keys[at] !== key) return
    this.#texts.splice(at, 1)
    this.#keys.splice(at, 1)
  }

  keys(): string[] {
    return this.#keys.slice()
  }

  /** The keys whose text is not greater than the given one. */
  keysUpTo(text: string): string[] {
    return this.#keys.slice(0, this.#find(text, '\u{10FFFF}'))
  }
}
