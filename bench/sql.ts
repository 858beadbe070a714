// The same SQL alone: a pool of the server's size, asked by as many at once as the server is. Prints how many rounds a second it answers.
import { readFileSync } from 'node:fs'

import pg from 'pg'

interface Task {
  readonly connection: pg.PoolConfig
  readonly seconds: number
  readonly atOnce: number
  /** What one request asks, one statement after the other; `{worker}` in a text is the number of whoever asks. */
  readonly statements: readonly { readonly name?: string; readonly text: string; readonly values: readonly unknown[] }[]
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Task
const pool = new pg.Pool({ ...task.connection, max: 10 })
let rounds = 0
const round = async (worker: number): Promise<void> => {
  for (const { values, text, ...statement } of task.statements)
    await pool.query({ ...statement, text: text.replaceAll('{worker}', String(worker)), values: [...values] })
}
for (let warm = 0; warm < 50; warm++) await round(0)
const began = performance.now()
const until = began + task.seconds * 1000
await Promise.all(
  Array.from({ length: task.atOnce }, async (_, worker) => {
    while (performance.now() < until) {
      await round(worker)
      rounds++
    }
  }),
)
process.stdout.write(`PerSecond: ${rounds / ((performance.now() - began) / 1000)}\n`)
await pool.end()
