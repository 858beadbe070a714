import { expect, test } from 'vitest'

import { formatDaysAgo, toIsoDay, formatDay, formatMomentTime } from './dates.ts'

test('a day is shown as MM/DD/YYYY, any other text unchanged', () => {
  expect(formatDay('2026-01-05')).toBe('01/05/2026')
  expect(formatDay('June 2027')).toBe('June 2027')
})

test('the day of a timestamp is that of the organization’s time zone, not UTC', () => {
  expect(toIsoDay('2026-11-21T05:00:00Z', 'America/Los_Angeles')).toBe('2026-11-20')
  expect(toIsoDay('2026-11-21T05:00:00Z', 'UTC')).toBe('2026-11-21')
})

test('the time of a timestamp is in the organization’s time zone', () => {
  expect(formatMomentTime('2026-11-20T17:41:00Z', 'America/Los_Angeles')).toBe('9:41 AM')
})

test.each([
  ['2026-11-20T20:00:00Z', 'today'],
  ['2026-11-19T20:00:00Z', 'yesterday'],
  ['2026-11-08T20:00:00Z', '12 days ago'],
  ['2026-09-08T20:00:00Z', 'on 09/08/2026'],
])('%s was %s', (moment, words) => {
  expect(formatDaysAgo(moment, 'America/Los_Angeles', new Date('2026-11-20T21:00:00Z'))).toBe(words)
})
