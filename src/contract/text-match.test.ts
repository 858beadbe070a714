import { expect, test } from 'vitest'

import { matchesText } from './text-match.ts'

test('case and accents do not matter, and special characters match themselves', () => {
  expect(matchesText('renee', ['Renée Okafor'])).toBe(true)
  expect(matchesText('RENÉE', ['renee okafor'])).toBe(true)
  expect(matchesText('(k', ['Peña (K-8)'])).toBe(true)
  expect(matchesText('%', ['100 Main'])).toBe(false)
  expect(matchesText('.*', ['Lodi'])).toBe(false)
})

test('an empty search matches everything, and an empty field matches nothing else', () => {
  expect(matchesText('  ', [null])).toBe(true)
  expect(matchesText('x', [null, undefined])).toBe(false)
})
