import { expect, test, vi } from 'vitest'

import { createDayFormat, formatDaysAgo, formatMoment, toIsoDay, formatDay, formatMomentTime, subtractYear } from './dates.ts'

test('a day is shown as MM/DD/YYYY, any other text unchanged', () => {
  expect(formatDay('2026-01-05')).toBe('01/05/2026')
  expect(formatDay('June 2027')).toBe('June 2027')
})

test('the day of a timestamp is that of the organization’s time zone, not UTC', () => {
  expect(toIsoDay('2026-11-21T05:00:00Z', 'America/Los_Angeles')).toBe('2026-11-20')
  expect(toIsoDay('2026-11-21T05:00:00Z', 'UTC')).toBe('2026-11-21')
})

test('days and times are the same in a browser that writes whole dates in another way', () => {
  // ICU 72, of Safari 16.4 to 17, writes 11/20/2026 where others write 2026-11-20.
  const format = vi
    .spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get')
    .mockReturnValue(() => '11/20/2026, 9:41 a.m.')
  try {
    expect(toIsoDay('2026-11-20T17:41:00Z', 'America/Los_Angeles')).toBe('2026-11-20')
    expect(formatMoment('2026-11-20T17:41:00Z', 'America/Los_Angeles')).toBe('11/20/2026 9:41 AM')
    expect(formatDaysAgo('2026-11-08T20:00:00Z', 'America/Los_Angeles', new Date('2026-11-20T21:00:00Z'))).toBe('12 days ago')
  } finally {
    format.mockRestore()
  }
})

test('a day is written in words', () => {
  expect(createDayFormat({ month: 'short', day: 'numeric' })('2026-11-20')).toBe('Nov 20')
  expect(createDayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })('2026-11-20')).toBe(
    'Friday, November 20, 2026',
  )
})

test.each([
  ['2026-11-20T08:05:00Z', '12:05 AM'],
  ['2026-11-20T20:00:59Z', '12:00 PM'],
  ['2026-11-21T07:59:00Z', '11:59 PM'],
])('midnight and noon are 12: %s is %s', (moment, time) => expect(formatMomentTime(moment, 'America/Los_Angeles')).toBe(time))

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

test.each([
  ['2027-03-01', '2026-03-01'],
  ['2028-02-29', '2027-02-28'],
  ['0001-01-01', '0000-01-01'],
])('a year before %s is %s', (day, before) => {
  expect(subtractYear(day)).toBe(before)
})
