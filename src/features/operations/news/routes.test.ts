import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { closeNews, readNews } from './contract.ts'
import { NEWS } from './rules.ts'

test('what is new is shown until it is closed, once for each account and version', async () => {
  const { as, context } = await startApp()
  const [one, other] = [as(6), as(6)]
  expect((await one.send(readNews)).lines.length).toBeGreaterThan(0)
  await one.send(closeNews)
  expect(await one.send(readNews)).toEqual({ version: NEWS.version, lines: [] })
  expect((await other.send(readNews)).lines.length).toBeGreaterThan(0)
  const { account } = await one.who()
  await context.db.updateTable('account').set({ newsSeen: '0.0.1' }).where('_id', '=', account).execute()
  expect((await one.send(readNews)).lines.length).toBeGreaterThan(0)
})

test('there are at most five lines, and each reader sees those about what they may do', async () => {
  const { as } = await startApp()
  expect(NEWS.lines.length).toBeLessThanOrEqual(5)
  const textsAt = async (level: number) => (await as(level).send(readNews)).lines.map(({ text }) => text)
  expect(await textsAt(1)).toEqual(NEWS.lines.map(({ text }) => text))
  expect(await textsAt(10)).toEqual(NEWS.lines.filter(({ capability }) => capability === undefined).map(({ text }) => text))
})
