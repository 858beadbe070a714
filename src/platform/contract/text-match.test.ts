import { expect, test } from 'vitest'

import { matches } from './text-match.ts'

test('case and accents do not matter, and signs find themselves', () => {
  expect(matches('renee', ['Renée Okafor'])).toBe(true)
  expect(matches('RENÉE', ['renee okafor'])).toBe(true)
  expect(matches('(k', ['Peña (K-8)'])).toBe(true)
  expect(matches('%', ['100 Main'])).toBe(false)
  expect(matches('.*', ['Lodi'])).toBe(false)
})

test('an empty search matches everything, an empty field nothing', () => {
  expect(matches('  ', [null])).toBe(true)
  expect(matches('x', [null, undefined])).toBe(false)
})
