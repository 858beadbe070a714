import { expect, test } from 'vitest'

import { capitalize, formatCount, formatNumber } from './format.ts'

test('a count has its noun in singular or plural, and commas from a thousand', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'site'))).toEqual(['0 sites', '1 site', '2 sites'])
  expect([1, 1234].map((count) => formatCount(count, ['person', 'people']))).toEqual(['1 person', '1,234 people'])
  expect(formatNumber(1_234_567)).toBe('1,234,567')
})

test('only the first letter gets upper case', () => {
  expect([capitalize('sIS site'), capitalize('')]).toEqual(['SIS site', ''])
})

test.each([0, 7, 999, 1000, 12_345, 1_234_567, -1, -1234, 0.5, 1234.5, 1e21, Number.NaN])('%d is written as `Intl` writes it', (number) => {
  expect(formatNumber(number)).toBe(number.toLocaleString('en-US'))
})
