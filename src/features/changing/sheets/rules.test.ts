import { expect, test } from 'vitest'

import { formatTimeLeft } from './rules.ts'

test.each([
  [0, 'a few seconds left'],
  [9, 'a few seconds left'],
  [11, 'about 20 seconds left'],
  [59, 'about 60 seconds left'],
  [60, 'about 1 minute left'],
  [61, 'about 2 minutes left'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatTimeLeft(seconds)).toBe(words)
})
