// Runs only SQL: a pool with as many concurrent queries as the server has requests. Prints the queries per second.
import { readFileSync } from 'node:fs'

import pg from 'pg'

/** A prepared statement, planned once per connection. `ofWorker` is replaced by a site that no other worker has. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | { readonly ofWorker: 'site' })[]
}

export interface SqlTask {
  readonly connection: pg.PoolConfig
  readonly seconds: number
  readonly concurrency: number
  readonly statement: Statement
  readonly sites: readonly string[]
}

const run = async ({ connection, seconds, concurrency, statement, sites }: SqlTask): Promise<number> => {
  const pool = new pg.Pool({ ...connection, max: concurrency })
  const { name, text, values } = statement
  const query = (worker: number) =>
    pool.query({ name, text, values: values.map((value) => (typeof value === 'string' ? value : sites[worker % sites.length])) })
  for (let worker = 0; worker < 50; worker++) await query(worker)
  let queries = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      while (performance.now() < endsAt) {
        await query(worker)
        queries++
      }
    }),
  )
  await pool.end()
  return queries / ((performance.now() - startedAt) / 1000)
}

process.stdout.write(`PerSecond: ${await run(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as SqlTask)}\n`)
