import { expect, test } from 'vitest'

import { formatAsOf } from './rules.ts'

test.for([
  ['2026-11-28T17:41:00Z', '9:41 AM'],
  ['2026-11-28T20:05:00Z', '12:05 PM'],
  ['2026-11-28T08:00:00Z', '12:00 AM'],
  ['2026-11-28T07:59:00Z', '11/27/2026 11:59 PM'],
] as const)('%s is as of %s in California', ([moment, text]) => {
  expect(formatAsOf(moment, 'America/Los_Angeles', new Date('2026-11-28T21:00:00Z'))).toBe(text)
})
