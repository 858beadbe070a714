import { expect, test } from 'vitest'

import { getFileName, isRunning, formatSize } from './rules.ts'

test.each([
  ['2026-11-20T22:41:00Z', 'Site Leadership - 11-20-2026_02:41PM.xlsx'],
  ['2026-11-20T08:05:00Z', 'Site Leadership - 11-20-2026_12:05AM.xlsx'],
  ['2026-11-20T20:00:59Z', 'Site Leadership - 11-20-2026_12:00PM.xlsx'],
  ['2027-01-01T07:59:00Z', 'Site Leadership - 12-31-2026_11:59PM.xlsx'],
])('a file made at %s in California is named %s', (at, name) => {
  expect(getFileName('site_leadership', new Date(at), 'America/Los_Angeles')).toBe(name)
})

test('a size is shown in KB, and from one megabyte in MB', () => {
  expect([0, 1, 61_000, 1_023_600, 1_048_576, 13_000_000].map(formatSize)).toEqual(['1 KB', '1 KB', '60 KB', '1.0 MB', '1.0 MB', '12.4 MB'])
})

test('a download without an end is no longer in progress after an hour', () => {
  const at = '2026-11-20T12:00:00.000Z'
  const minutes = (count: number) => Date.parse(at) + count * 60_000
  expect(isRunning({ outcome: null, at }, minutes(5))).toBe(true)
  expect(isRunning({ outcome: null, at }, minutes(61))).toBe(false)
  expect(isRunning({ outcome: 'whole', at }, minutes(5))).toBe(false)
})
