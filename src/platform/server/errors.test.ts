import { expect, test } from 'vitest'

import { toProblem } from './errors.ts'

test.each(['28P01', '28000', '57P01', '53300'])('a database that answers %s is away for now: 503, with when to come again', (code) => {
  const problem = toProblem(Object.assign(new Error('password authentication failed for user "homeroom"'), { code }))
  expect(problem).toMatchObject({ status: 503, retryAfter: 5 })
  expect(JSON.stringify(problem.toBody())).not.toContain('homeroom')
})
