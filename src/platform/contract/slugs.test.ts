import { expect, test } from 'vitest'

import { freeSlug, isId, isUuid, slugOf } from './slugs.ts'

test.each([
  ['Lodi Resource Center', 'lodi-resource-center'],
  ['  Peña Blanca: (K–8) & More ', 'pena-blanca-k-8-more'],
  ['O’Neil St. Mary', 'oneil-st-mary'],
  ['東京', 'unnamed'],
])('the slug of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a taken slug gets the next free number', () => {
  const taken = new Set<string>()
  expect([freeSlug('Lodi', taken), freeSlug('LODI', taken), freeSlug('Lodi!', taken)]).toEqual(['lodi', 'lodi-2', 'lodi-3'])
})

test('an _id is any short text that can be stored; those made here are UUIDs', () => {
  expect(['623f10ee-2d7d-4a96-8051-69144e77c9b3', '64f0c0ffee0123456789abcd'].map(isUuid)).toEqual([true, false])
  expect(['623f10ee-2d7d-4a96-8051-69144e77c9b3', '64f0c0ffee0123456789abcd', '7'].map(isId)).toEqual([true, true, true])
  expect(['', ' 7', 'a\0b', '\ud800', '7'.repeat(101)].map(isId)).toEqual([false, false, false, false, false])
})
