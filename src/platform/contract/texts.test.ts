import { expect, test } from 'vitest'

import { cleanLine, cleanLines, HIDDEN_CHARACTER, lineFrom, linesFrom, ONE_LINE, wrongInLine, wrongInLines } from './texts.ts'

test.each([
  ['  Lodi  Center ', 'Lodi  Center'],
  ['\u00a0\u3000Lodi\u200b\ufeff\n', 'Lodi'],
  [' \t\r\n ', ''],
  ['\u200b\u2060', ''],
  ['\ufe0f', ''],
  ['\u3164', ''],
  ['\u0301', ''],
  ['👩‍🏫', '👩‍🏫'],
  ['❤️', '❤️'],
])('%j without its outer blanks is %j', (text, clean) => {
  expect(cleanLine(text)).toBe(clean)
})

test('a text of several lines has line feeds between them and no tabs', () => {
  expect(cleanLines(' a\r\nb\rc\u2028d\te\n')).toBe('a\nb\nc\nd e')
})

test.each([
  ['a\nb', ONE_LINE],
  ['a\rb', ONE_LINE],
  ['a\u2028b', ONE_LINE],
  ['a  b – “c” é 東 👩‍🏫', undefined],
])('%j is told %j', (text, told) => {
  expect(wrongInLine(text)).toBe(told)
})

test.each(['a\tb', 'a\u0000b', 'a\u0007b', 'a\u007fb', 'a\u0085b', 'a\u202eb', 'a\u2066b', 'a\ufffeb', '\ud800'])(
  '%j has a hidden character',
  (text) => {
    expect(wrongInLine(text)).toBe(HIDDEN_CHARACTER)
  },
)

test('a text of several lines may have line feeds, and no other control', () => {
  expect(['a\n\nb', 'a\u0007', 'a\u202e', '\udc00'].map(wrongInLines)).toEqual([
    undefined,
    HIDDEN_CHARACTER,
    HIDDEN_CHARACTER,
    HIDDEN_CHARACTER,
  ])
})

test('a cell of a file becomes text a field takes', () => {
  const cell = ' a\r\n\tb\u0007\u202e\0\ud800 '
  expect([lineFrom(cell), linesFrom(cell)]).toEqual(['a b\ufffd', 'a\n b\ufffd'])
  expect([wrongInLine(lineFrom(cell)), wrongInLines(linesFrom(cell))]).toEqual([undefined, undefined])
})

test('a long run of blanks does not hold up whoever cleans it', () => {
  const long = `a${' '.repeat(1_000_000)}b`
  expect(cleanLine(long)).toBe(long)
  expect(lineFrom(long)).toBe(long)
})
