import { describe, expect, test } from 'vitest'

import { highlightPhone, highlightText } from './highlight.ts'
import type { TextSegment } from './highlight.ts'

const shown = (segments: readonly TextSegment[]): string =>
  segments.map(({ text, isHighlighted }) => (isHighlighted ? `[${text}]` : text)).join('')

describe('highlighting in a search result', () => {
  test('marks what was typed, wherever it is in a word', () => {
    expect(shown(highlightText('Elodie Vance · Lodi Resource Center', 'lodi', ['lodi']))).toBe('E[lodi]e Vance · [Lodi] Resource Center')
  })

  test('ignores accents', () => {
    expect(shown(highlightText('José Niño-Ångström', 'nino angs', []))).toBe('José [Niño]-[Ångs]tröm')
    expect(shown(highlightText('Jose\u0301 Lima', 'jose', []))).toBe('[Jose\u0301] Lima')
  })

  test('marks the whole word for a typo or a nickname', () => {
    expect(shown(highlightText('William Zebrowski', 'bill zebrovski', ['william', 'zebrowski']))).toBe('[William] [Zebrowski]')
  })

  test('marks nothing for a single letter, and never loses a letter', () => {
    expect(shown(highlightText('Principal · 12 sites', 'p', []))).toBe('Principal · 12 sites')
    expect(
      highlightText(' (a) “b”, c– ', 'ab', ['c'])
        .map(({ text }) => text)
        .join(''),
    ).toBe(' (a) “b”, c– ')
  })

  test('marks the digits of a number, whatever is between them', () => {
    expect(shown(highlightPhone('209-555-0143', '(209) 555'))).toBe('[209-555]-0143')
    expect(shown(highlightPhone('209-555-0143', '5550143'))).toBe('209-[555-0143]')
    expect(shown(highlightPhone('209-555-0143', '+1 209 555 0143'))).toBe('[209-555-0143]')
    expect(shown(highlightPhone('209-555-0143', '14'))).toBe('209-555-0143')
    expect(shown(highlightPhone('209-555-0143', 'marisol'))).toBe('209-555-0143')
  })
})
