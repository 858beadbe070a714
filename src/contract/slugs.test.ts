import fc from 'fast-check'
import { expect, test } from 'vitest'

import { normalizeSlug, findFreeSlug, isId, isImportableSlug, isReachableSlug, isUuid, toSlug } from './slugs.ts'

test.each([
  ['Lodi Resource Center', 'lodi-resource-center'],
  ['  Peña Blanca: (K–8) & More ', 'pena-blanca-k-8-more'],
  ['O’Neil St. Mary', 'oneil-st-mary'],
  ['東京', 'unnamed'],
])('the slug of %j is %j', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})

test('a taken slug gets the next free number', () => {
  const takenSlugs = new Set<string>()
  expect([findFreeSlug('Lodi', takenSlugs), findFreeSlug('LODI', takenSlugs), findFreeSlug('Lodi!', takenSlugs)]).toEqual([
    'lodi',
    'lodi-2',
    'lodi-3',
  ])
})

test('a slug made from a name is not a word that pages and calls use at that position', () => {
  expect(['Staff', 'SIS', 'Me', 'Fac', 'Enrollment!'].map((name) => findFreeSlug(name, new Set()))).toEqual([
    'staff-2',
    'sis-2',
    'me-2',
    'fac-2',
    'enrollment-2',
  ])
})

/** Any code points, including unpaired surrogates. */
const anyText = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 20 }).map((codes) => String.fromCodePoint(...codes))

test('a slug made from any name is reachable, short and not empty', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const slug = findFreeSlug(name, new Set())
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(isImportableSlug(slug)).toBe(true)
    }),
  )
})

test.each([
  '.',
  '..',
  '...',
  ' ',
  '. .',
  '|',
  '-',
  '%2e',
  '%2E%2e',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'a\nb',
  'a\u0000b',
  ' zq',
  'zq ',
  'zq\u200b',
  'z\u200dq',
  'e\u0301',
  'ｚｑ',
  '\ud800',
])('no record is found by the slug %j', (slug) => {
  expect(isReachableSlug(slug)).toBe(false)
})

test('a slug that counts as reachable stays unchanged in every URL', () => {
  const letters = fc.oneof(
    fc.constantFrom('zq', '.', 'é', ' ', '|', '-', '–', '\u00a0', '\u0301', '%', '/', '\\', '#', '?', ';', ':', '@', '&', '=', '+'),
    anyText,
  )
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), (parts) => {
      const slug = normalizeSlug(parts.join(''))
      if (!isReachableSlug(slug)) return
      const { pathname, search, hash } = new URL(`/charter/${encodeURIComponent(slug)}`, 'https://homeroom.test')
      expect([decodeURIComponent(pathname), search, hash]).toEqual([`/charter/${slug}`, '', ''])
    }),
    { numRuns: 2000 },
  )
})

test('case, outer spaces and the Unicode form of a letter do not make a different slug', () => {
  expect(['zq', ' zq', 'zq ', '\u00a0zq\u200b', 'ｚｑ'].map(normalizeSlug)).toEqual(Array.from({ length: 5 }, () => 'zq'))
  expect(normalizeSlug('Pen\u0303a')).toBe('Peña')
})

test('an _id is any short text that can be stored; new ones are UUIDs', () => {
  expect(['623f10ee-2d7d-4a96-8051-69144e77c9b3', '64f0c0ffee0123456789abcd'].map(isUuid)).toEqual([true, false])
  expect(['623f10ee-2d7d-4a96-8051-69144e77c9b3', '64f0c0ffee0123456789abcd', '7'].map(isId)).toEqual([true, true, true])
  expect(['', ' 7', 'a\0b', '\ud800', '7'.repeat(101)].map(isId)).toEqual([false, false, false, false, false])
})
