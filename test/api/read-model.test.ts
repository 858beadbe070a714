import { expect, test } from 'vitest'

import { readSite, updateSite } from '../../src/records/sites/contract.ts'
import { startApp } from '../support/app.ts'

test('a save during a complete reload is not lost', async () => {
  const { as, context, make, catchUp } = await startApp()
  const { _id: id, slug } = await make.site()
  const administrator = as(6)
  await administrator.send(readSite, { params: { slug } })
  await catchUp()
  const holder = await context.pool.connect()
  await holder.query('begin')
  await holder.query('lock table sis_site in access exclusive mode')
  const reading = context.readModel.refresh(['site']) // reads sites, then waits for the locked table
  await expect
    .poll(async () => (await holder.query(`select from pg_locks where relation = 'sis_site'::regclass and not granted`)).rowCount)
    .toBe(1)
  await administrator.send(updateSite, { params: { id }, body: { address: { phone: '209-555-0123' } } })
  await holder.query('commit')
  holder.release()
  await reading
  expect(context.readModel.table('site').get(id)).toMatchObject({ phone: '209-555-0123' })
})
