import pg from 'pg'

import { withClient } from '../../database/connection.server.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { AcquireTimeout } from './semaphore.ts'

/** A prepared statement that changes one row and returns it as JSON. */
export interface SaveStatement {
  /** Statements with one name have one text; without a name PostgreSQL plans it again. */
  readonly name?: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The JSON of the changed row; undefined if no row matched. */
type SavedRow = string | undefined

type BindValue = string | Buffer | null
// The types of `pg` do not describe these.
type BatchConnection = pg.Connection & { readonly parsedStatements: Record<string, string> }
const { prepareValue } = (pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => BindValue } }).utils

/** Statements sent together and committed together: the protocol's implicit transaction ends with the one Sync after the last of them. */
class Batch implements pg.Submittable {
  readonly #statements: readonly SaveStatement[]
  readonly #rows: SavedRow[] = []
  #row: SavedRow
  readonly #end: (error: Error | undefined, rows: readonly SavedRow[]) => void

  constructor(statements: readonly SaveStatement[], end: (error: Error | undefined, rows: readonly SavedRow[]) => void) {
    this.#statements = statements
    this.#end = end
  }

  readonly submit = (connection: pg.Connection): void => {
    const { stream, parsedStatements } = connection as BatchConnection
    stream.cork()
    for (const { name = '', text, values } of this.#statements) {
      if (name === '' || parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true)
      if (name !== '') parsedStatements[name] = text
      connection.bind({ statement: name, values: values.map(prepareValue) }, true)
      connection.execute({}, true)
    }
    connection.sync()
    stream.uncork()
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#row = fields[0] ?? undefined
  }

  handleCommandComplete(): void {
    this.#rows.push(this.#row)
    this.#row = undefined
  }

  handleError(error: Error): void {
    this.#end(error, [])
  }

  /** The transaction is committed. */
  handleReadyForQuery(): void {
    this.#end(undefined, this.#rows)
  }
}

interface Waiter {
  /** On the clock of `performance.now()`. */
  readonly deadline: number
  readonly statement: SaveStatement
  readonly resolve: (row: SavedRow) => void
  readonly reject: (error: unknown) => void
}

/** PostgreSQL itself says that it did not take the statements. */
const isRefusal = (error: Error): boolean => error instanceof pg.DatabaseError && error.code !== undefined && !isDatabaseUnavailable(error)

/** The connection was lost after the save was sent: it may or may not have been committed. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('It is not known whether the save was committed', { cause })
  }
}

/** How long a save waits to be sent, and how often that is checked. */
export const MAX_SAVE_WAIT_MS = 30_000
const CHECK_MS = 1000
const MAX_BATCH = 20

/**
 * Saves statements of one row each. Those that arrive while others are being written are written together: one message, one commit and one wait for the
 * disk for all of them. Each resolves once it is durable.
 */
export class SaveQueue {
  readonly #pool: pg.Pool
  readonly #waiting: Waiter[] = []
  #isWriting = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Rejects with `AcquireTimeout` if the database takes too long for those before. */
  save(statement: SaveStatement): Promise<SavedRow> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ deadline: performance.now() + MAX_SAVE_WAIT_MS, statement, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    const checking = setInterval(() => this.#refuseExpired(), CHECK_MS)
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, MAX_BATCH))
    clearInterval(checking)
    this.#isWriting = false
  }

  #refuseExpired(): void {
    const now = performance.now()
    while ((this.#waiting[0]?.deadline ?? Infinity) <= now) this.#waiting.shift()?.reject(new AcquireTimeout())
  }

  async #write(batch: readonly Waiter[]): Promise<void> {
    try {
      const rows = await this.#send(batch.map(({ statement }) => statement))
      for (const [at, { resolve }] of batch.entries()) resolve(rows[at])
    } catch (error) {
      // One that PostgreSQL refuses undoes those sent with it.
      const isRefused = !(error instanceof CommitUnknown) && !isDatabaseUnavailable(error)
      if (batch.length > 1 && isRefused) for (const one of batch) await this.#write([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  #send(statements: readonly SaveStatement[]): Promise<readonly SavedRow[]> {
    return withClient(
      this.#pool,
      (client) =>
        new Promise((resolve, reject) => {
          const end = (error: Error | undefined, rows: readonly SavedRow[]): void => {
            if (error) reject(isRefusal(error) ? error : new CommitUnknown(error))
            else resolve(rows)
          }
          client.query(new Batch(statements, end))
        }),
    )
  }
}
