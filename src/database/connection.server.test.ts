import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { startApp } from '../../test/support/app.ts'
import { toProblem } from '../platform/server/errors.ts'

test('a connection lost between two queries fails only that transaction, with a temporary error', async () => {
  const { context } = await startApp()
  const failed = context.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(context.db)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sql`select 1`.execute(tx)
  })
  const error: unknown = await failed.catch((reason: unknown) => reason)
  expect(toProblem(error)).toMatchObject({ status: 503, retryAfter: 5 })
  expect((await sql<{ one: number }>`select 1 as one`.execute(context.db)).rows).toEqual([{ one: 1 }])
})
