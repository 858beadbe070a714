import { expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { logError } from './contract.ts'

const rows = async () => (await network()).context.db.selectFrom('error_log').selectAll().orderBy('_id').execute()

test.each(['with a session', 'without a session'])(
  'an error of a browser is stored with every field %s, and truncated without a session',
  async (which) => {
    const { anonymous, as } = await network()
    const colleague = as(10)
    const caller = which === 'without a session' ? anonymous : colleague
    const { account } = await colleague.who()
    const report = {
      timestamp: '2026-11-20T12:00:00Z',
      context: 'save',
      errorMessage: 'It broke',
      errorName: 'TypeError',
      stackTrace: 'at somewhere',
      errorLocation: '/locations',
      requestData: { method: 'PUT' },
      responseData: 'x'.repeat(20_000),
    }
    expect((await caller.trySend(logError, { body: report })).statusCode).toBe(204)
    const stored = (await rows()).at(-1)
    expect(stored).toMatchObject({
      ...report,
      account: which === 'without a session' ? null : account,
      requestData: '{"method":"PUT"}',
      responseData: 'x'.repeat(which === 'without a session' ? 2000 : 10_000),
    })
  },
)

test('a report with a character that cannot be stored is accepted', async () => {
  const { anonymous } = await network()
  expect((await anonymous.trySend(logError, { body: { errorMessage: 'cut \ud800', stackTrace: 'a\0b' } })).statusCode).toBe(204)
  expect((await rows()).at(-1)).toMatchObject({ errorMessage: 'cut \uFFFD', stackTrace: 'a\uFFFDb' })
})

test('an Unknown error without stack and url is not stored', async () => {
  const { anonymous } = await network()
  const before = (await rows()).length
  await anonymous.send(logError, { body: { errorMessage: 'Unknown error' } })
  expect(await rows()).toHaveLength(before)
  await anonymous.send(logError, { body: { errorMessage: 'Unknown error', stackTrace: 'at x' } })
  expect(await rows()).toHaveLength(before + 1)
})
