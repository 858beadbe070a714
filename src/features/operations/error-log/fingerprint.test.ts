import { expect, test } from 'vitest'

import { toGroupKey, toMessagePattern, toLocationPattern } from './fingerprint.ts'

test.each([
  ['Site "Fresno" has 3 rows', 'Site “…” has # rows'],
  ["Can't read 'map' of undefined", "Can't read “…” of undefined"],
  ['key 550e8400-e29b-41d4-a716-446655440000 at 12:30:05.123', 'key # at #'],
  ['request Kf3-a of 8c7d659a2feaa0c5', 'request Kf#-a of #'],
  ['feedface is a word', 'feedface is a word'],
  ['  many   blanks\nand lines ', 'many blanks and lines'],
])('%s reads as %s', (message, pattern) => {
  expect(toMessagePattern(message)).toBe(pattern)
})

test.each([
  ['/locations-api/regionbyslug/atlantis', '/locations-api/regionbyslug/…'],
  ['/location/fac/fresno?x=1', '/location/fac/…'],
  ['/location/fresno', '/location/…'],
  ['https://homeroom.test/assets/index-CTiGXbGL.js:1:2', '/assets/…'],
  ['PATCH /locations-api/sites/:id', 'PATCH /locations-api/sites/:id'],
  ['/', '/…'],
  ['', '/'],
])('%s is at %s', (location, pattern) => {
  expect(toLocationPattern(location)).toBe(pattern)
})

test('name, words and location identify a group', () => {
  const one = { errorName: 'TypeError', errorMessage: 'Site 1 is "x"', errorLocation: '/location/fresno' }
  expect(toGroupKey({ ...one, errorMessage: 'Site 22 is "y"', errorLocation: '/location/lodi' })).toBe(toGroupKey(one))
  for (const other of [{ errorName: 'Error' }, { errorMessage: 'Brand 1 is "x"' }, { errorLocation: '/charter/x' }])
    expect(toGroupKey({ ...one, ...other })).not.toBe(toGroupKey(one))
})
