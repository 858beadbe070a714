// SQL alone: a pool, asked by as many at once as the server is. Prints how many rounds a second it answers.
import { readFileSync } from 'node:fs'

import pg from 'pg'

/** A statement that is planned once a connection. `ofWorker` stands for a site that no other worker has. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | { readonly ofWorker: 'site' })[]
}

export interface SqlTask {
  readonly connection: pg.PoolConfig
  readonly seconds: number
  readonly atOnce: number
  readonly statement: Statement
  readonly sites: readonly string[]
}

const run = async ({ connection, seconds, atOnce, statement, sites }: SqlTask): Promise<number> => {
  const pool = new pg.Pool({ ...connection, max: atOnce })
  const { name, text, values } = statement
  const ask = (worker: number) =>
    pool.query({ name, text, values: values.map((value) => (typeof value === 'string' ? value : sites[worker % sites.length])) })
  for (let warm = 0; warm < 50; warm++) await ask(warm)
  let answers = 0
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      while (performance.now() < until) {
        await ask(worker)
        answers++
      }
    }),
  )
  await pool.end()
  return answers / ((performance.now() - began) / 1000)
}

process.stdout.write(`PerSecond: ${await run(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as SqlTask)}\n`)
