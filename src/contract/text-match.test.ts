import { expect, test } from 'vitest'

import { isOneTypoApart, matchesText } from './text-match.ts'

test('case and accents do not matter, and special characters match themselves', () => {
  expect(matchesText('renee', ['Renée Okafor'])).toBe(true)
  expect(matchesText('RENÉE', ['renee okafor'])).toBe(true)
  expect(matchesText('(k', ['Peña (K-8)'])).toBe(true)
  expect(matchesText('%', ['100 Main'])).toBe(false)
  expect(matchesText('.*', ['Lodi'])).toBe(false)
})

test.each([
  ['maryann', 'Mary Ann Quist', true],
  ['mary ann', 'Maryann Quist', true],
  ['mary-ann q', 'Mary Ann Quist', true],
  ['deleon', 'Tomas De Leon', true],
  ['st. john', 'Iris StJohn', true],
  ['obrien', 'Pat O’Brien', true],
  ['vanderberg', 'Joost Van Der Berg', true],
  ['annquist', 'Mary Ann Quist', true],
  ['ryann', 'Mary Ann Quist', false],
  ['as', 'Ana Smith', false],
  ['anas', 'Ana Smith', false],
  ['2095550', '209-555-0142', false],
])('%s in %s: %s, because names are written with and without spaces', (typed, name, expected) => {
  expect(matchesText(typed, ['Principal', name])).toBe(expected)
})

test('an empty search matches everything, and an empty field matches nothing else', () => {
  expect(matchesText('  ', [null])).toBe(true)
  expect(matchesText('x', [null, undefined])).toBe(false)
})

test.each([
  ['lodi', 'lodi', true],
  ['lodi', 'lode', true],
  ['lodi', 'lod', true],
  ['lodi', 'loddi', true],
  ['lodi', 'oldi', true],
  ['lodi', 'lid', false],
  ['lodi', 'loid', true],
  ['lodi', 'ldio', false],
  ['lodi', 'lodges', false],
])('%s and %s are one typo apart: %s', (a, b, expected) => {
  expect([isOneTypoApart(a, b), isOneTypoApart(b, a)]).toEqual([expected, expected])
})
