import { expect, test } from 'vitest'

import { readSearchDay } from './read-search-day.ts'

const TODAY = '2026-11-28'

test.each([
  ['principal lodi march 2026', 'principal lodi', '2026-03-31'],
  ['principal lodi in February 2024', 'principal lodi', '2024-02-29'],
  ['principal lodi as of March 1, 2026', 'principal lodi', '2026-03-01'],
  ['Mar 1 2026 lodi', 'lodi', '2026-03-01'],
  ['lodi 03/01/2026', 'lodi', '2026-03-01'],
  ['lodi on 2026-03-01', 'lodi', '2026-03-01'],
  ['lodi 2026-03', 'lodi', '2026-03-31'],
  ['who was principal lodi last march', 'who was principal lodi', '2026-03-31'],
  ['principal last december', 'principal', '2025-12-31'],
])('%s searches for %s as of %s', (typed, text, on) => {
  expect(readSearchDay(typed, () => TODAY)).toEqual({ text, on })
})

test.each([
  ['a day alone', 'march 2026'],
  ['a day to come', 'lease june 2027'],
  ['this month, which has not ended', 'principal november 2026'],
  ['a month without a year', 'march'],
  ['a phone number', 'lodi 209-555-0139'],
  ['a part of a phone number', 'lodi 5-5-01'],
  ['a finance number', 'lodi 04127'],
  ['a name and a number', 'april 2099'],
  ['a day that does not exist', 'lodi 02/30/2026'],
])('%s is searched for as it is typed', (_what, typed) => {
  expect(readSearchDay(typed, () => TODAY)).toBeUndefined()
})
