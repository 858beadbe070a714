import { expect, test } from 'vitest'

import { readDay } from './read-day.ts'

test.each([
  '2028-06-24',
  '2028/6/24',
  '2028-06-24T00:00:00.000Z',
  '6/24/2028',
  '06/24/2028',
  '6/24/28',
  '06/24/28',
  '6-24-2028',
  '6.24.2028',
  '6/24/2028 0:00',
  '6/24/2028 12:00:00 AM',
  'June 24, 2028',
  'june 24 2028',
  'Jun. 24th, 2028',
  'Saturday, June 24, 2028',
  'Sat 6/24/2028',
  '24 June 2028',
  '24-Jun-2028',
  '24-Jun-28',
])('%j is June 24, 2028', (text) => {
  expect(readDay(text)).toBe('2028-06-24')
})

test.each([
  ['7/1/98', '1998-07-01'],
  ['Sept. 1, 2027', '2027-09-01'],
  ['May 1, 2027', '2027-05-01'],
  ['2/29/2028', '2028-02-29'],
])('%j is %j', (text, day) => {
  expect(readDay(text)).toBe(day)
})

test.each([
  '',
  '6/31/2027',
  '13/1/2027',
  '2/29/2027',
  '24/6/2028',
  '6/24',
  'June 2028',
  'June 24',
  'Friday, June 24, 2028',
  '6/24-2028',
  '6/24/2028?',
  'Foo 24, 2028',
  '20280624',
  '47299',
  '6/24/2028 or 7/1/2028',
  'l2/15/2026',
])('%j is not certain', (text) => {
  expect(readDay(text)).toBeUndefined()
})
