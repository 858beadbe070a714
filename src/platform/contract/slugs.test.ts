import { expect, test } from 'vitest'

import { freeSlug, isId, slugOf } from './slugs.ts'

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

test('only a UUID can be an _id', () => {
  expect(isId('623f10ee-2d7d-4a96-8051-69144e77c9b3')).toBe(true)
  expect(isId('lodi-resource-center')).toBe(false)
})
