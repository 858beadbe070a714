import { once } from 'node:events'

import pg, { type Pool, type PoolClient } from 'pg'

import { isId, normalizeSlug } from '../../../contract/slugs.ts'
import type { AddressableTable } from '../../../database/record-lookup.server.ts'
import { limitLargeHeapGrowth } from '../heap-growth.ts'
import { type RowChange, SortedKeys, TableRows } from './table-rows.ts'
import { getTable, isModelTable, MODEL_TABLE_NAMES, type ModelRow, type ModelTable } from './tables.ts'

const ORDER_COLUMNS: Partial<Record<ModelTable, string>> = { site: 'displayName', person: 'name' }

/** What changed: some rows, or more than was worth telling. */
export type ModelChange = readonly RowChange[] | 'everything'

const REFERRED_TABLES = ['brand', 'charter', 'person', 'program_type', 'region', 'role', 'site'] as const satisfies ModelTable[]

/** So many moments and names are known again in the next row. */
const MAX_SHARED_TEXTS = 5000

type Tables = { readonly [T in ModelTable]: TableRows<T> }
const createTables = (): Tables => Object.fromEntries(MODEL_TABLE_NAMES.map((table) => [table, new TableRows(table)])) as unknown as Tables

/** The records of one moment, with the orders and slugs by which they are found. */
class Records {
  readonly tables = createTables()
  readonly #order = { site: new SortedKeys(), person: new SortedKeys() }
  readonly #slugs = new SlugMap()
  readonly #texts = new Map<string, string>()
  formerSlugs = new SlugMap()

  set<T extends ModelTable>(table: T, key: string, row: ModelRow<T> | undefined): RowChange<T> | undefined {
    if (row) this.#shareTexts(row)
    // The row's own string, so that there is no second one of each key.
    const own = (row as Readonly<Record<string, string>> | undefined)?.[getTable(table).key] ?? key
    const change = (this.tables[table] as unknown as TableRows<T>).set(own, row)
    if (change) this.#index(change as unknown as RowChange)
    return change
  }

  /** Lets a row hold the same strings as others, where it names them, or was written with them: a quarter of the memory. */
  #shareTexts(row: object): void {
    const columns = row as Record<string, unknown>
    for (const table of REFERRED_TABLES) {
      const key = columns[table]
      const other = typeof key === 'string' ? this.tables[table].get(key) : undefined
      if (other) columns[table] = other._id
    }
    for (const column of ['updatedAt', 'updatedBy', 'checkedAt', 'checkedBy']) {
      const text = columns[column]
      if (typeof text !== 'string') continue
      const known = this.#texts.get(text)
      if (known !== undefined) columns[column] = known
      else {
        if (this.#texts.size >= MAX_SHARED_TEXTS) this.#texts.clear()
        this.#texts.set(text, text)
      }
    }
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
    const [oldSlug, slug] = [text(before, 'slug'), text(after, 'slug')]
    if (oldSlug !== undefined && oldSlug !== slug && this.#slugs.get(table, oldSlug) === key) this.#slugs.delete(table, oldSlug)
    if (slug !== undefined) this.#slugs.set(table, slug, key)
  }

  getKeysInOrder(table: 'site' | 'person'): string[] {
    return this.#order[table].keys()
  }

  /** Whether a row refers to one that is not here. A column has the name of the table it refers to. */
  lacksReference(row: ModelRow<ModelTable>): boolean {
    return REFERRED_TABLES.some((table) => {
      const key = (row as Readonly<Record<string, unknown>>)[table]
      return typeof key === 'string' && !this.tables[table].get(key)
    })
  }

  findId(table: AddressableTable, idOrSlug: string): string | undefined {
    if (isId(idOrSlug) && this.tables[table].get(idOrSlug)) return idOrSlug
    const slug = normalizeSlug(idOrSlug)
    const former = (): string | undefined => {
      const _id = this.formerSlugs.get(table, slug)
      return _id !== undefined && this.tables[table].get(_id) ? _id : undefined
    }
    return this.#slugs.get(table, slug) ?? former()
  }
}

/** The keys of rows by table and slug, ignoring case. */
class SlugMap {
  readonly #tables = new Map<string, Map<string, string>>()

  get(table: string, slug: string): string | undefined {
    return this.#tables.get(table)?.get(slug.toLowerCase())
  }

  set(table: string, slug: string, key: string): void {
    let slugs = this.#tables.get(table)
    if (!slugs) this.#tables.set(table, (slugs = new Map()))
    slugs.set(slug.toLowerCase(), key)
  }

  delete(table: string, slug: string): void {
    this.#tables.get(table)?.delete(slug.toLowerCase())
  }
}

/** A notification of the database: a table's name and, if they are few, the keys of the rows that changed. */
export interface ChangedRows {
  readonly table: string
  readonly keys: readonly string[] | undefined
}

/** Reads a line of the change trigger: the table's name, and an object where it names records. */
export const parseChangeLine = (line: string): ChangedRows => {
  const [table = '', ...rest] = line.split(' ')
  const { _id: keys } = (rest.length === 0 ? {} : JSON.parse(rest.join(' '))) as { _id?: string[] }
  return { table, keys }
}

/** The rows that have to be read again; all of them if more changed than the notification names. */
class PendingChanges {
  #isEverything = false
  readonly #keys = new Map<ModelTable, Set<string>>()
  #areSlugs = false

  add({ table, keys }: ChangedRows): void {
    if (table === 'former_slug') this.#areSlugs = true
    else if (isModelTable(table)) {
      if (keys === undefined) this.#isEverything = true
      const known = this.#keys.get(table) ?? new Set()
      for (const key of keys ?? []) known.add(key)
      this.#keys.set(table, known)
    }
  }

  get isEverything(): boolean {
    return this.#isEverything
  }
  get isEmpty(): boolean {
    return !this.#isEverything && !this.#areSlugs && this.#keys.size === 0
  }
  get areSlugs(): boolean {
    return this.#areSlugs
  }
  get keys(): ReadonlyMap<ModelTable, ReadonlySet<string>> {
    return this.#keys
  }
}

const selectRow = (table: ModelTable): string => {
  const { columns, key } = getTable(table)
  const row =
    columns === undefined ? 'to_jsonb(t)' : `jsonb_build_object(${columns.map((column) => `'${column}', t."${column}"`).join(', ')})`
  return `select '${table}' as "table", t."${key}" as key, ${row} as row from ${table} as t`
}

interface FetchedRow {
  readonly table: ModelTable
  readonly key: string
  readonly row: ModelRow<ModelTable>
}

/**
 * The records that everyone signed in may read, in memory, as the database has them. Changes of this server are put in before its answer leaves;
 * those of other servers follow when the database tells of them (database-changes.ts).
 */
export class ReadModel {
  readonly #pool: Pool
  #records = new Records()
  #isWhole = false
  #isLoading = false
  /** Counts how often changes may have been missed. */
  #epoch = 0
  #pending = new PendingChanges()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  readonly #listeners: ((change: ModelChange) => void)[] = []
  /** True while the changes of other servers are heard of; otherwise nothing is good for a second read. */
  isFollowing = false
  /** Counts the changes, so that what was derived from an earlier state is known. */
  revision = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Is notified of every change, once the rows are in. */
  onChange(listener: (change: ModelChange) => void): void {
    this.#listeners.push(listener)
  }

  /** Whether everything can be read at once. */
  get isReady(): boolean {
    return this.#isWhole && this.isFollowing
  }

  /** Waits until everything can be read. */
  async ready(): Promise<void> {
    if (!this.isReady) await (this.#next ??= this.#update())
  }

  /** The rows of a table as they are now; after an `await` they may be others. */
  table<T extends ModelTable>(table: T): TableRows<T> {
    return this.#records.tables[table]
  }

  /** The `_id`s of sites by display name, or of people by name. */
  getKeysInOrder(table: 'site' | 'person'): string[] {
    return this.#records.getKeysInOrder(table)
  }

  /** The `_id` of what an address names: an `_id`, a slug (ignoring case) or a slug it once had. */
  findId(table: AddressableTable, idOrSlug: string): string | undefined {
    return this.#records.findId(table, idOrSlug)
  }

  /** Called when changes may have been missed: everything is read again before anything is answered. */
  invalidateAll(): void {
    this.#epoch++
    this.#isWhole = false
    this.#pending = new PendingChanges()
    this.#emit('everything')
  }

  /** Reads again what these lines of the change trigger name; kept once it is in. */
  refresh(lines: Iterable<string>): Promise<void> {
    const changes = [...lines].map(parseChangeLine).filter(({ table }) => isModelTable(table) || table === 'former_slug')
    if (changes.length === 0) return Promise.resolve()
    for (const change of changes) this.#pending.add(change)
    return (this.#next ??= this.#update())
  }

  /** Puts a row that a statement of this server has just written, unless a later state of it is known. */
  put<T extends ModelTable>(table: T, key: string, row: ModelRow<T>): void {
    // What is being read now may have begun before this was written.
    if (this.#isLoading) this.#pending.add({ table, keys: [key] })
    if (!this.#isWhole || !this.table(table).get(key)) return
    const change = this.#records.set(table, key, row)
    if (change) this.#emit([change as unknown as RowChange])
  }

  #emit(change: ModelChange): void {
    this.revision++
    for (const listener of this.#listeners) listener(change)
  }

  /** One reading after the other, so that a later one never brings an earlier state. */
  #update(): Promise<void> {
    const work = async (): Promise<void> => {
      this.#next = undefined
      const pending = this.#takePending()
      if (!this.#isWhole || !this.isFollowing || pending.isEverything) return this.#load()
      const changes = await this.#fetch(pending, this.#records)
      // A row of another server may be known before the one it refers to.
      if (changes.some(({ after }) => after && this.#records.lacksReference(after))) {
        this.#isWhole = false
        return this.#load()
      }
      if (changes.length > 0) this.#emit(changes)
    }
    const update = this.#running.then(work)
    this.#running = update.catch(() => {
      // What was to be read is not known anymore.
      this.#isWhole = false
      this.#isLoading = false
    })
    return update
  }

  /** Reads everything, beside what is there, and then takes its place. */
  async #load(): Promise<void> {
    const epoch = this.#epoch
    const records = new Records()
    this.#isLoading = true
    await this.#withClient(async (client) => {
      await client.query('begin transaction isolation level repeatable read, read only')
      for (const table of MODEL_TABLE_NAMES) {
        const column = ORDER_COLUMNS[table]
        const order = column === undefined ? '' : ` order by t."${column}" collate "C", t._id`
        await readRows(client, `${selectRow(table)}${order}`, ({ key, row }) => void records.set(table, key, row))
      }
      records.formerSlugs = await readFormerSlugs(client)
      await client.query('commit')
    })
    if (epoch !== this.#epoch) return this.#load()
    while (!this.#pending.isEmpty) {
      const pending = this.#takePending()
      if (pending.isEverything) return this.#load()
      await this.#fetch(pending, records)
    }
    this.#isLoading = false
    this.#records = records
    this.#isWhole = true
    limitLargeHeapGrowth()
    this.#emit('everything')
  }

  #takePending(): PendingChanges {
    const pending = this.#pending
    this.#pending = new PendingChanges()
    return pending
  }

  /** Reads the rows that changed, and puts them in at once. */
  async #fetch({ keys, areSlugs }: PendingChanges, records: Records): Promise<RowChange[]> {
    const tables = [...keys].filter(([, wanted]) => wanted.size > 0)
    const values = tables.map(([, wanted]) => [...wanted])
    const text = tables.map(([table], at) => `${selectRow(table)} where t."${getTable(table).key}" = any($${at + 1})`).join(' union all ')
    const [rows, slugs] = await this.#withClient(async (client) => [
      tables.length === 0 ? [] : (await client.query<FetchedRow>({ text, values })).rows,
      areSlugs ? await readFormerSlugs(client) : undefined,
    ])
    const found = new Map(rows.map(({ table, key, row }) => [`${table} ${key}`, row]))
    if (slugs) records.formerSlugs = slugs
    const changes: RowChange[] = []
    for (const [table, wanted] of tables)
      for (const key of wanted) {
        const change = records.set(table, key, found.get(`${table} ${key}`))
        if (change) changes.push(change)
      }
    return changes
  }

  async #withClient<R>(work: (client: PoolClient) => Promise<R>): Promise<R> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.release(broken)
    }
  }
}

const readFormerSlugs = async (client: PoolClient): Promise<SlugMap> => {
  const { rows } = await client.query<{ table: string; slug: string; record: string }>('select "table", slug, record from former_slug')
  const slugs = new SlugMap()
  for (const { table, slug, record } of rows) slugs.set(table, slug, record)
  return slugs
}

/** Hands over the rows of a query one by one as they come. */
const readRows = async (client: PoolClient, text: string, take: (row: FetchedRow) => void): Promise<void> => {
  const query = new pg.Query<FetchedRow>({ text })
  query.on('row', take)
  const over = once(query, 'end')
  client.query(query)
  await over
}
