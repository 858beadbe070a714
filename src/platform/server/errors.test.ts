import { expect, test } from 'vitest'

import { toProblem } from './errors.ts'

test.each(['28P01', '28000', '57P01', '53300'])('a database that answers %s is temporarily unavailable: 503 with Retry-After', (code) => {
  const problem = toProblem(Object.assign(new Error('password authentication failed for user "homeroom"'), { code }))
  expect(problem).toMatchObject({ status: 503, retryAfter: 5 })
  expect(JSON.stringify(problem.toBody())).not.toContain('homeroom')
})
