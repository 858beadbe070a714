import { expect, test } from 'vitest'

import { readGrades } from './grades.ts'

test.each([
  ['2026-06-08', '06-08'],
  ['2026-09-12', '09-12'],
  ['2026-06-08T00:00:00.000Z', '06-08'],
  ['8-Jun', '06-08'],
  ['12-Jul', '07-12'],
  ['6-8', '6-8'],
  ['TK-8', 'TK-8'],
  ['K-12', 'K-12'],
  ['2026-06-30', '2026-06-30'],
  ['31-Dec', '31-Dec'],
])('grade levels %j are %j', (text, grades) => {
  expect(readGrades(text)).toBe(grades)
})
