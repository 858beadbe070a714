import { RECORD_KINDS } from '../../../contract/records.ts'
import { isId, normalizeSlug } from '../../../contract/slugs.ts'
import type { AddressableTable } from '../../../database/record-lookup.server.ts'
import { getText, type RowChange, SortedKeys, TableRows, type TableRowsOptions } from './table-rows.ts'
import { getTable, listOwnerColumns, type ModelRow, type ModelTable, MODEL_TABLE_NAMES, type ReferenceColumn } from './tables.ts'

export const ORDER_COLUMNS: Partial<Record<ModelTable, string>> = { site: 'displayName', person: 'name' }

const REFERRED_TABLES = [...RECORD_KINDS, 'program_type', 'role'] as const satisfies ModelTable[]
const referredTables: ReadonlySet<string> = new Set(REFERRED_TABLES)
const isReference = (column: string): column is (typeof REFERRED_TABLES)[number] => referredTables.has(column)

/** How many texts and lists are remembered, to share them with later rows. */
const MAX_SHARED_VALUES = 5000
/** Columns whose values are different in nearly every row. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['_id', 'slug', 'name', 'displayName', 'email', 'phone', 'fax', 'sql_person_id'])
/** Longer texts are rarely equal. */
const MAX_SHARED_LENGTH = 60

type Tables = { readonly [T in ModelTable]: TableRows<T> }
const createTables = (options: TableRowsOptions): Tables =>
  Object.fromEntries(MODEL_TABLE_NAMES.map((table) => [table, new TableRows(table, options)])) as unknown as Tables

export const toFormerSlug = (table: string, slug: string): string => `${table} ${slug.toLowerCase()}`

/** A consistent set of records, with the orders and former slugs by which they are found. Pure code: a browser that keeps the directory uses it too. */
export class Records {
  readonly tables: Tables
  readonly #order = { site: new SortedKeys(), person: new SortedKeys() }
  readonly #values = new Map<string, unknown>()
  formerSlugs: ReadonlyMap<string, string> = new Map()

  constructor(listsArchived = false) {
    const isOwnerArchived = (table: string, key: string): boolean => this.tables[table as ModelTable].isArchived(key)
    this.tables = createTables({ isOwnerArchived, listsArchived })
  }

  /** The archived records with what belongs to them, and what they refer to: lists have only the former. */
  copyArchived(): Records {
    const copy = new Records(true)
    const add = (table: ModelTable, row: ModelRow<ModelTable>): void => {
      const key = getText(row, getTable(table).key)
      if (copy.tables[table].get(key)) return
      for (const referred of REFERRED_TABLES) {
        const found = this.tables[referred].get(((row as Readonly<Record<string, unknown>>)[referred] as string | undefined) ?? null)
        if (found) add(referred, found)
      }
      copy.set(table, key, row)
    }
    for (const kind of RECORD_KINDS)
      for (const row of this.tables[kind].archived()) {
        add(kind, row)
        for (const { table, after } of this.listOwned(kind, row._id)) if (after) add(table, after)
      }
    for (const table of ['role', 'program_type'] as const) for (const row of this.tables[table].all()) add(table, row)
    copy.formerSlugs = this.formerSlugs
    return copy
  }

  /** Sets or removes a row. Returns what changed in lists: the rows that belong to a record leave them and come back with it. */
  set<T extends ModelTable>(table: T, key: string, row: ModelRow<T> | undefined): RowChange[] {
    if (row) this.#shareValues(row)
    // Uses the string of the row itself, so that keys are not stored twice.
    const own = row ? getText(row, getTable(table).key) : key
    const rows = this.tables[table] as unknown as TableRows<T>
    const wasArchived = rows.isArchived(own)
    const change = rows.set(own, row) as RowChange | undefined
    if (!change) return []
    this.#index(change)
    if (rows.isArchived(own) === wasArchived) return [change]
    return [change, ...this.listOwned(table, own).map((part) => (wasArchived ? part : { ...part, before: part.after, after: undefined }))]
  }

  /** The rows that belong to a record, as if they were new. */
  listOwned(owner: ModelTable, key: string): RowChange[] {
    return MODEL_TABLE_NAMES.flatMap((table) => {
      if (!listOwnerColumns(table).includes(owner)) return []
      const rows = this.tables[table] as TableRows<ModelTable>
      const owned = getTable(table).key === owner ? [rows.get(key)] : rows.where(owner as ReferenceColumn<ModelTable>, key)
      return owned.flatMap((after) => (after ? [{ table, key: getText(after, getTable(table).key), before: undefined, after }] : []))
    })
  }

  /** Makes a row share equal values with other rows (ids, names, times, lists), which saves a quarter of the memory. */
  #shareValues(row: object): void {
    const columns = row as Record<string, unknown>
    for (const column in columns) {
      const value = columns[column]
      if (typeof value === 'string') {
        const other = isReference(column) ? this.tables[column].get(value) : undefined
        if (other) columns[column] = other._id
        else if (value.length <= MAX_SHARED_LENGTH && !OWN_COLUMNS.has(column)) columns[column] = this.#share(value, value)
      } else if (typeof value === 'object' && value !== null) columns[column] = this.#share(`\0${JSON.stringify(value)}`, value)
    }
  }

  #share(text: string, value: unknown): unknown {
    const known = this.#values.get(text)
    if (known !== undefined) return known
    if (this.#values.size >= MAX_SHARED_VALUES) this.#values.clear()
    this.#values.set(text, value)
    return value
  }

  #index({ table, key, before, after }: RowChange): void {
    const column = ORDER_COLUMNS[table]
    const text = (row: object | undefined, name: string): string | undefined => (row as Record<string, string> | undefined)?.[name]
    if (column !== undefined && (table === 'site' || table === 'person')) {
      const [old, now] = [text(before, column), text(after, column)]
      if (old !== now) {
        if (old !== undefined) this.#order[table].remove(old, key)
        if (now !== undefined) this.#order[table].add(now, key)
      }
    }
  }

  getKeysInOrder(table: 'site' | 'person'): string[] {
    return this.#order[table].keys()
  }

  /** The rows that a changed row refers to and that are missing here. A column has the name of the table it refers to. */
  listMissing(change: RowChange): { readonly table: ModelTable; readonly keys: readonly string[] }[] {
    const row = this.tables[change.table].get(change.key) as Readonly<Record<string, unknown>> | undefined
    return REFERRED_TABLES.flatMap((table) => {
      const key = row?.[table]
      return typeof key === 'string' && !this.tables[table].get(key) ? [{ table, keys: [key] }] : []
    })
  }

  /** The `_id` for a path parameter: an `_id`, a slug or a former slug. One of a merged record leads to the record that stays. */
  findId(table: AddressableTable, idOrSlug: string): string | undefined {
    const _id = this.findOwnId(table, idOrSlug)
    return _id && this.findKept(table, _id)
  }

  /** The record that stays, if one was merged; otherwise the record itself. */
  findKept(table: AddressableTable, _id: string): string {
    const kept = this.tables[table].get(_id)?.mergedInto
    return kept && kept !== _id && this.tables[table].get(kept) ? this.findKept(table, kept) : _id
  }

  /** The same as `findId`, but a merged record is found itself. */
  findOwnId(table: AddressableTable, idOrSlug: string): string | undefined {
    if (isId(idOrSlug) && this.tables[table].get(idOrSlug)) return idOrSlug
    const slug = normalizeSlug(idOrSlug)
    const former = (): string | undefined => {
      const _id = this.formerSlugs.get(toFormerSlug(table, slug))
      return _id !== undefined && this.tables[table].get(_id) ? _id : undefined
    }
    return this.tables[table].findBySlug(slug)?._id ?? former()
  }
}
