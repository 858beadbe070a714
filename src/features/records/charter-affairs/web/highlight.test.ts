import { expect, test } from 'vitest'

import { splitMatches } from './highlight.ts'

const marked = (text: string, typed: string) =>
  splitMatches(text, typed)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test('marks every place that matches, whatever the case', () => {
  expect(marked('Funding of the fund', 'FUND')).toBe('[Fund]ing of the [fund]')
  expect(marked('no such thing', 'fund')).toBe('no such thing')
  expect(marked('fund', 'fund')).toBe('[fund]')
})

test('accents make no difference and are kept', () => {
  expect(marked('San José Unified', 'jose')).toBe('San [José] Unified')
  expect(marked('ﬁscal year, fiscal', 'fisc')).toBe('[ﬁsc]al year, [fisc]al')
})

test('what was typed is taken letter for letter', () => {
  expect(marked('100 % (of all)', '(')).toBe('100 % [(]of all)')
  expect(marked('a.b', '.')).toBe('a[.]b')
})

test('nothing typed marks nothing, and an empty text stays empty', () => {
  expect(marked('Funding', '  ')).toBe('Funding')
  expect(marked('', 'x')).toBe('')
})
