import { expect, test } from 'vitest'

import { addYear, formatDistance, getAgendaGroup, getState } from './rules.ts'

const TODAY = '2026-11-22'

test.each([
  ['2026-11-22', 'today'],
  ['2026-11-23', 'tomorrow'],
  ['2026-11-21', '1 day overdue'],
  ['2026-11-13', '9 days overdue'],
  ['2026-12-04', 'in 12 days'],
  ['2027-11-22', 'in 365 days'],
  ['2027-11-23', 'in 1 year'],
  ['2030-11-20', 'in 4 years'],
])('%s is %s', (date, words) => expect(formatDistance(date, TODAY)).toBe(words))

test.each([
  ['2026-11-21', 'Overdue'],
  ['2026-11-22', 'This week'],
  ['2026-11-29', 'This week'],
  ['2026-11-30', 'Next 30 days'],
  ['2027-02-20', 'Next 90 days'],
  ['2027-11-22', 'Next 365 days'],
  ['2027-11-23', 'Later'],
])('%s is in the group %s', (date, group) => expect(getAgendaGroup(date, TODAY)).toBe(group))

test('a deadline that was put off is open again from that day on', () => {
  expect(getState('snoozed', '2026-11-23', TODAY)).toBe('snoozed')
  expect(getState('snoozed', TODAY, TODAY)).toBe('open')
  expect(getState('handled', '2026-11-01', TODAY)).toBe('handled')
})

test('a yearly day of February 29 is on February 28 in other years, and on February 29 again', () => {
  const years = ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']
  for (const [at, day] of years.slice(0, -1).entries()) expect(addYear(day, true)).toBe(years[at + 1])
  expect(addYear('2099-02-28', true)).toBe('2100-02-28')
  expect(addYear('2027-02-28', false)).toBe('2028-02-28')
  expect(addYear('2027-12-31', false)).toBe('2028-12-31')
})
