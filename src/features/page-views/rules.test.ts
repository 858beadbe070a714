import { expect, test } from 'vitest'

import { recordPageView } from './contract.ts'
import { nameOfPage, topOf } from './rules.ts'

test('a page has the name people know it by; what has none shows by its path', () => {
  expect([nameOfPage('/'), nameOfPage('/location/{slug}'), nameOfPage('/new')]).toEqual(['Home', 'One resource center', '/new'])
})

test.each(['/errors', '/usage', '/location/{slug}/sis/{id}'])('%s may be counted', (page) => {
  expect(recordPageView.body.safeParse({ page }).success).toBe(true)
})

test('the top of a picture is a round number', () => {
  expect([0, 1, 2, 3, 5, 7, 10, 11, 49, 50, 51, 999, 1001].map(topOf)).toEqual([1, 1, 2, 5, 5, 10, 10, 20, 50, 50, 100, 1000, 2000])
})
