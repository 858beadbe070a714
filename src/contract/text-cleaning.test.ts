import { expect, test } from 'vitest'

import {
  cleanLine,
  cleanMultiline,
  HIDDEN_CHARACTER,
  sanitizeLine,
  sanitizeMultiline,
  SINGLE_LINE_REQUIRED,
  findLineError,
  findMultilineError,
} from './text-cleaning.ts'

test.each([
  ['  Lodi  Center ', 'Lodi  Center'],
  ['Lodi\u00a0Center', 'Lodi Center'],
  ['Lodi \u00a0\u2009Center', 'Lodi Center'],
  ['Lodi\u3000\u202fCen\u200bter\u00ad', 'Lodi Center'],
  ['\u00a0\u3000Lodi\u200b\ufeff\n', 'Lodi'],
  [' \t\r\n ', ''],
  ['\u200b\u2060', ''],
  ['\ufe0f', ''],
  ['\u3164', ''],
  ['\u0301', ''],
  ['👩‍🏫', '👩‍🏫'],
  ['❤️', '❤️'],
])('%j without outer spaces is %j', (text, clean) => {
  expect(cleanLine(text)).toBe(clean)
})

test('a multi-line text has line feeds as line breaks and no tabs', () => {
  expect(cleanMultiline(' a\r\nb\rc\u2028d\te\n')).toBe('a\nb\nc\nd e')
})

test.each([
  ['a\nb', SINGLE_LINE_REQUIRED],
  ['a\rb', SINGLE_LINE_REQUIRED],
  ['a\u2028b', SINGLE_LINE_REQUIRED],
  ['a  b – “c” é 東 👩‍🏫', undefined],
])('the error of %j is %j', (text, message) => {
  expect(findLineError(text)).toBe(message)
})

test.each(['a\tb', 'a\u0000b', 'a\u0007b', 'a\u007fb', 'a\u0085b', 'a\u202eb', 'a\u2066b', 'a\ufffeb', '\ud800'])(
  '%j has a hidden character',
  (text) => {
    expect(findLineError(text)).toBe(HIDDEN_CHARACTER)
  },
)

test('a multi-line text may contain line feeds and no other control character', () => {
  expect(['a\n\nb', 'a\u0007', 'a\u202e', '\udc00'].map(findMultilineError)).toEqual([
    undefined,
    HIDDEN_CHARACTER,
    HIDDEN_CHARACTER,
    HIDDEN_CHARACTER,
  ])
})

test('a cell of a file becomes a text that a field accepts', () => {
  const cell = ' a\r\n\tb\u0007\u202e\0\ud800 '
  expect([sanitizeLine(cell), sanitizeMultiline(cell)]).toEqual(['a b\ufffd', 'a\n b\ufffd'])
  expect([findLineError(sanitizeLine(cell)), findMultilineError(sanitizeMultiline(cell))]).toEqual([undefined, undefined])
})

test('a long run of spaces is cleaned without delay', () => {
  const long = `a${' '.repeat(1_000_000)}b`
  expect(cleanLine(long)).toBe(long)
  expect(sanitizeLine(long)).toBe(long)
})
