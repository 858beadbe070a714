import type { Pool, PoolClient, QueryResult } from 'pg'

import { withClient } from '../../../database/connection.server.ts'
import type { AddressableTable } from '../../../database/record-lookup.server.ts'
import { limitLargeHeapGrowth } from '../heap-growth.ts'
import { createTimeSlices } from '../time-slices.ts'
import { readRowsBefore } from './past-rows.ts'
import { ORDER_COLUMNS, Records, toFormerSlug } from './records.ts'
import { getText, type RowChange, type TableRows } from './table-rows.ts'
import { getTable, isModelTable, MODEL_TABLE_NAMES, type ModelRow, type ModelTable, toRowJson } from './tables.ts'

/** What changed: some rows, or too many to list. */
export type ModelChange = readonly RowChange[] | 'everything'

/** A notification of the database: a table's name and, if they are few, the keys of the changed rows. */
export interface ChangedRows {
  readonly table: string
  readonly keys: readonly string[] | undefined
}

/** Parses a line of `notify_record_change`: the table's name, and an object if it names records. */
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

const getOrder = (table: ModelTable): string => {
  const column = ORDER_COLUMNS[table]
  return column === undefined ? '' : ` order by t."${column}" collate "C", t._id`
}
const selectAll = (table: ModelTable): string => `select ${toRowJson(table)} as row from ${table} as t${getOrder(table)}`

/** The rows with the keys that a parameter has. */
const selectByKeys = (table: ModelTable, parameter: number): string => {
  const key = `t."${getTable(table).key}"`
  return `select '${table}' as "table", ${key} as key, ${toRowJson(table)} as row from ${table} as t where ${key} = any($${parameter})`
}

interface FetchedRow {
  readonly table: ModelTable
  readonly key: string
  readonly row: ModelRow<ModelTable>
}

/**
 * The records that everyone signed in may read, in memory. Changes made by this server are applied before its response is sent; those of other
 * servers follow with the database's notification (database-changes.ts).
 */
export class ReadModel {
  readonly #pool: Pool
  #records = new Records()
  /** The model of the present, for one of the past. */
  #present: ReadModel | undefined
  #isWhole = false
  #isLoading = false
  /** Counts how often changes may have been missed. */
  #epoch = 0
  #pending = new PendingChanges()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  readonly #listeners: ((change: ModelChange) => void)[] = []
  /** Whether the changes of other servers are received; otherwise every read loads everything again. */
  isFollowing = false
  /** Whether lists have the archived records instead of the others. */
  listsArchived = false
  /** Counts the changes, so that values derived from an earlier state can be recognized. */
  revision = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** A model of these rows and those they refer to, for a search that does not wait until everything is read. */
  static async ofRows(pool: Pool, keys: Iterable<ChangedRows>): Promise<ReadModel> {
    const model = new ReadModel(pool)
    let missing = [...keys]
    while (missing.length > 0) {
      const wanted = new PendingChanges()
      for (const rows of missing) wanted.add(rows)
      const changes = await model.#fetch(wanted, model.#records)
      missing = changes.flatMap((change) => model.#records.listMissing(change))
    }
    model.#isWhole = model.isFollowing = true
    return model
  }

  /** The records just before a moment, from the history. */
  async before(moment: Date): Promise<ReadModel> {
    await this.ready()
    const past = new ReadModel(this.#pool)
    past.#present = this
    const pause = createTimeSlices()
    const present = MODEL_TABLE_NAMES.map((table) => ({ table, rows: [...this.table(table).allWithArchived()] }))
    for await (const { table, rows } of readRowsBefore(this.#pool, present, moment))
      for (const row of rows) {
        past.#records.set(table, getText(row, getTable(table).key), row)
        await pause()
      }
    past.#records.formerSlugs = this.#records.formerSlugs
    past.#isWhole = past.isFollowing = true
    return past
  }

  /** A model whose lists have the archived records instead of the others. */
  copyArchived(): ReadModel {
    const model = new ReadModel(this.#pool)
    model.#records = this.#records.copyArchived()
    model.#isWhole = model.isFollowing = model.listsArchived = true
    return model
  }

  /** Registers a listener that is called for every change, once the rows are applied. */
  onChange(listener: (change: ModelChange) => void): void {
    this.#listeners.push(listener)
  }

  /** Whether everything can be read synchronously. */
  get isReady(): boolean {
    return this.#isWhole && this.isFollowing
  }

  /** Waits until everything can be read. */
  async ready(): Promise<void> {
    if (!this.isReady) await (this.#next ??= this.#update())
  }

  /** The rows of a table; they may change during an `await`. */
  table<T extends ModelTable>(table: T): TableRows<T> {
    return this.#records.tables[table]
  }

  /** The rows that belong to a record. */
  listOwned(table: ModelTable, key: string): readonly Pick<RowChange, 'table' | 'key'>[] {
    return this.#records.listOwned(table, key)
  }

  /** The `_id`s of sites by display name, or of people by name. */
  getKeysInOrder(table: 'site' | 'person'): string[] {
    return this.#records.getKeysInOrder(table)
  }

  /** The `_id` for a path parameter: an `_id`, a slug (case-insensitive) or a former slug. Present slugs lead to past records too. A merged record leads to the one that stays. */
  findId(table: AddressableTable, idOrSlug: string): string | undefined {
    const known = this.#present ? this.#present.#records.findOwnId(table, idOrSlug) : undefined
    const isHere = known !== undefined && this.table(table).get(known) !== undefined
    return isHere ? this.#records.findKept(table, known) : this.#records.findId(table, idOrSlug)
  }

  /** Called when changes may have been missed: everything is read again before any request is answered. */
  invalidateAll(): void {
    this.#epoch++
    this.#isWhole = false
    this.#pending = new PendingChanges()
    this.#emit('everything')
  }

  /** Reloads the rows that these lines of `notify_record_change` name; resolves once they are applied. */
  refresh(lines: Iterable<string>): Promise<void> {
    const changes = [...lines].map(parseChangeLine).filter(({ table }) => isModelTable(table) || table === 'former_slug')
    if (changes.length === 0) return Promise.resolve()
    for (const change of changes) this.#pending.add(change)
    return (this.#next ??= this.#update())
  }

  /** Applies a row that a statement of this server has just written, unless a later state of it is known. */
  put<T extends ModelTable>(table: T, key: string, row: ModelRow<T>): void {
    // A read in progress may have begun before this was written.
    if (this.#isLoading) this.#pending.add({ table, keys: [key] })
    if (!this.#isWhole || !this.table(table).get(key)) return
    const changes = this.#records.set(table, key, row)
    if (changes.length > 0) this.#emit(changes)
  }

  #emit(change: ModelChange): void {
    this.revision++
    for (const listener of this.#listeners) listener(change)
  }

  /** One update at a time, so that a later one never applies an earlier state. */
  #update(): Promise<void> {
    const work = async (): Promise<void> => {
      this.#next = undefined
      const pending = this.#takePending()
      if (!this.#isWhole || !this.isFollowing || pending.isEverything) return this.#load()
      const changes = await this.#fetch(pending, this.#records)
      // A row of another server may arrive before the one it refers to.
      if (changes.some((change) => this.#records.listMissing(change).length > 0)) {
        this.#isWhole = false
        return this.#load()
      }
      if (changes.length > 0) this.#emit(changes)
    }
    const update = this.#running.then(work)
    this.#running = update.catch(() => {
      // The list of rows to read again is lost, so everything is read again.
      this.#isWhole = false
      this.#isLoading = false
    })
    return update
  }

  /** Reads everything into new records, then replaces the current ones. */
  async #load(): Promise<void> {
    const epoch = this.#epoch
    const records = new Records()
    this.#isLoading = true
    await withClient(this.#pool, async (client) => {
      // All rows are read, while PostgreSQL plans a cursor for the first rows by default.
      await client.query('begin transaction isolation level repeatable read, read only; set local cursor_tuple_fraction = 1')
      for (const table of MODEL_TABLE_NAMES) {
        const { key } = getTable(table)
        for await (const rows of readBatches(client, selectAll(table))) for (const row of rows) records.set(table, getText(row, key), row)
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

  /** Reads the rows that changed, and applies them together. */
  async #fetch({ keys, areSlugs }: PendingChanges, records: Records): Promise<RowChange[]> {
    const tables = [...keys].filter(([, changed]) => changed.size > 0)
    const values = tables.map(([, changed]) => [...changed])
    const text = tables.map(([table], at) => selectByKeys(table, at + 1)).join(' union all ')
    const [rows, slugs] = await withClient(this.#pool, async (client) => [
      tables.length === 0 ? [] : (await client.query<FetchedRow>({ text, values })).rows,
      areSlugs ? await readFormerSlugs(client) : undefined,
    ])
    const found = new Map(rows.map(({ table, key, row }) => [`${table} ${key}`, row]))
    if (slugs) records.formerSlugs = slugs
    const changes: RowChange[] = []
    for (const [table, changed] of tables)
      for (const key of changed) {
        changes.push(...records.set(table, key, found.get(`${table} ${key}`)))
      }
    return changes
  }
}

const readFormerSlugs = async (client: PoolClient): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ table: string; slug: string; record: string }>('select "table", slug, record from former_slug')
  return new Map(rows.map(({ table, slug, record }) => [toFormerSlug(table, slug), record]))
}

/** A batch is parsed in one turn of the event loop, which takes a few milliseconds. */
const BATCH_SIZE = 1000

/** The rows of a query in batches; the database prepares the next one while a batch is used. */
async function* readBatches(client: PoolClient, text: string): AsyncGenerator<ModelRow<ModelTable>[]> {
  await client.query(`declare batches no scroll cursor for ${text}`)
  const fetch = (): Promise<QueryResult<Pick<FetchedRow, 'row'>>> => client.query(`fetch ${BATCH_SIZE} from batches`)
  for (let batch = await fetch(); batch.rows.length > 0;) {
    const next = fetch()
    next.catch(() => {}) // the error is thrown where it is awaited
    yield batch.rows.map(({ row }) => row)
    batch = await next
  }
  await client.query('close batches')
}
