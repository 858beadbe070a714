import { expect, test } from 'vitest'

import { splitMatches } from './highlight.ts'

const marked = (text: string, typed: string) =>
  splitMatches(text, typed)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test('marks every match, ignoring case', () => {
  expect(marked('Funding of the fund', 'FUND')).toBe('[Fund]ing of the [fund]')
  expect(marked('no such thing', 'fund')).toBe('no such thing')
  expect(marked('fund', 'fund')).toBe('[fund]')
})

test('ignores accents and keeps them in the text', () => {
  expect(marked('San José Unified', 'jose')).toBe('San [José] Unified')
  expect(marked('ﬁscal year, fiscal', 'fisc')).toBe('[ﬁsc]al year, [fisc]al')
})

test('matches special characters literally', () => {
  expect(marked('100 % (of all)', '(')).toBe('100 % [(]of all)')
  expect(marked('a.b', '.')).toBe('a[.]b')
})

test('marks nothing without a search, and keeps an empty text', () => {
  expect(marked('Funding', '  ')).toBe('Funding')
  expect(marked('', 'x')).toBe('')
})
