import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { findCompleteChange } from './complete-changes.server.ts'

test('the number after the last change, which a restore sets without using it, belongs to the next change', async () => {
  const { context, make, stop } = await startApp()
  await make.site()
  const { rows } = await sql<{ last: number }>`
    select (setval('change__id_seq', max(_id) + 1, false) - 1)::int as last from change`.execute(context.db)
  expect(await findCompleteChange(context)).toBe(rows[0]?.last)
  await stop()
})
