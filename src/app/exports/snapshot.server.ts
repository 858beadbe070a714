import type { RawBuilder } from 'kysely'
import type { Pool, PoolClient } from 'pg'

import type { Db } from '../../database/connection.server.ts'

/** The database ends transactions that exceed these timeouts. */
const STATEMENT_TIMEOUT = '60s'
const IDLE_TIMEOUT = '120s'

/** A read transaction in which every query sees the same state of the database. */
export interface Snapshot {
  /** The rows of a query, each as a list of values, read on demand, `atOnce` rows at a time. */
  readonly batches: <Row>(query: RawBuilder<unknown>, atOnce: number) => AsyncGenerator<Row[]>
  /** Releases the connection in any state; may be called more than once. */
  readonly close: () => void
}

/** Opens a snapshot with its own settings; the caller closes it. */
export const openSnapshot = async ({ db, pool }: { readonly db: Db; readonly pool: Pool }, settings = ''): Promise<Snapshot> => {
  const client: PoolClient = await pool.connect()
  let broken: Error | undefined
  const breaks = (error: Error): void => void (broken = error)
  // Between two batches no query is pending; a lost connection would otherwise be an uncaught error.
  client.on('error', breaks)
  let isOpen = true
  let running: Promise<unknown> = Promise.resolve()
  const runQuery = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    // The driver's own promises reference each other across queries: they would keep every row in memory until a full garbage collection.
    const answer = new Promise<Row[]>((resolve, reject) => {
      client.query<Row[]>({ text, values: [...values], rowMode: 'array' }, (error: Error | null, result) =>
        error ? reject(error) : resolve(result.rows as Row[]),
      )
    })
    running = answer.catch(breaks)
    return answer
  }
  const release = async (): Promise<void> => {
    await running
    await runQuery('rollback').catch(breaks)
    client.off('error', breaks)
    client.release(broken)
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    void release()
  }
  async function* batches<Row>(query: RawBuilder<unknown>, atOnce: number): AsyncGenerator<Row[]> {
    const { sql: text, parameters } = query.compile(db)
    await runQuery(`declare batches no scroll cursor for ${text}`, parameters)
    for (;;) {
      if (!isOpen) throw new Error('The snapshot is closed')
      const rows = await runQuery<Row>(`fetch ${atOnce} from batches`)
      if (rows.length === 0) break
      yield rows
    }
    await runQuery('close batches')
  }
  try {
    await runQuery(
      `begin transaction isolation level repeatable read read only; set local statement_timeout = '${STATEMENT_TIMEOUT}'; set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'; ${settings}`,
    )
  } catch (error) {
    close()
    throw error
  }
  return { batches, close }
}
