import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

import type { NamedDraft } from './form/drafts.ts'
import { DATABASE } from './offline.ts'

/** Something that was written without a network, and is sent when it is back. */
export interface WaitingMessage {
  readonly id?: number
  readonly account: string
  /** What it is about: 'Phone of Lodi Resource Center'. */
  readonly about: string
  /** The page with its form. */
  readonly path: string
  readonly body: unknown
  readonly note: string | null
  /** What was typed in its form, which opens with it again if the server does not accept it. */
  readonly draft?: NamedDraft | undefined
  /** Why the server did not accept it; it waits for a decision. */
  readonly refusal?: string
}

type Row = Readonly<Record<string, unknown>>
interface Schema extends DBSchema {
  tables: { key: string; value: readonly Row[] }
  waiting: { key: number; value: WaitingMessage }
}

/** Opens the database for one piece of work, so that nothing keeps it from being deleted. */
const withDatabase = async <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
  const database = await openDB<Schema>(DATABASE, 1, {
    upgrade: (made) => {
      made.createObjectStore('tables')
      made.createObjectStore('waiting', { keyPath: 'id', autoIncrement: true })
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  return work(database).finally(() => database.close())
}

/** The tables of the copy by name. */
export const readTables = (): Promise<Map<string, readonly Row[]>> =>
  withDatabase(async (database) => {
    const { store } = database.transaction('tables')
    const [names, tables] = await Promise.all([store.getAllKeys(), store.getAll()])
    return new Map(names.map((name, at) => [name, tables[at] ?? []]))
  })

/** Writes some tables; `isWhole` removes all others. All of it or nothing. */
export const writeTables = (tables: ReadonlyMap<string, readonly Row[]>, isWhole: boolean): Promise<void> =>
  withDatabase(async (database) => {
    const transaction = database.transaction('tables', 'readwrite')
    if (isWhole) await transaction.store.clear()
    for (const [name, rows] of tables) await transaction.store.put(rows, name)
    await transaction.done
  })

export const listWaiting = (): Promise<WaitingMessage[]> => withDatabase((database) => database.getAll('waiting'))
export const putWaiting = (message: WaitingMessage): Promise<unknown> => withDatabase((database) => database.put('waiting', message))
export const deleteWaiting = (id: number): Promise<void> => withDatabase((database) => database.delete('waiting', id))
