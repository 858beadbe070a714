import { describe, expect, test } from 'vitest'

import { markedNumber, markedText } from './marks.ts'
import type { Stretch } from './marks.ts'

const shown = (stretches: readonly Stretch[]): string => stretches.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('')

describe('a hit marks', () => {
  test('what was typed, wherever it stands in a word', () => {
    expect(shown(markedText('Elodie Vance · Lodi Resource Center', 'lodi', ['lodi']))).toBe('E[lodi]e Vance · [Lodi] Resource Center')
  })

  test('accents and all', () => {
    expect(shown(markedText('José Niño-Ångström', 'nino angs', []))).toBe('José [Niño]-[Ångs]tröm')
    expect(shown(markedText('Jose\u0301 Lima', 'jose', []))).toBe('[Jose\u0301] Lima')
  })

  test('the whole word that was found for a typo or a nickname', () => {
    expect(shown(markedText('William Zebrowski', 'bill zebrovski', ['william', 'zebrowski']))).toBe('[William] [Zebrowski]')
  })

  test('nothing for a single letter, and never loses a letter', () => {
    expect(shown(markedText('Principal · 12 sites', 'p', []))).toBe('Principal · 12 sites')
    expect(
      markedText(' (a) “b”, c– ', 'ab', ['c'])
        .map(({ text }) => text)
        .join(''),
    ).toBe(' (a) “b”, c– ')
  })

  test('the digits of a number, whatever stands between them', () => {
    expect(shown(markedNumber('209-555-0143', '(209) 555'))).toBe('[209-555]-0143')
    expect(shown(markedNumber('209-555-0143', '5550143'))).toBe('209-[555-0143]')
    expect(shown(markedNumber('209-555-0143', '+1 209 555 0143'))).toBe('[209-555-0143]')
    expect(shown(markedNumber('209-555-0143', '14'))).toBe('209-555-0143')
    expect(shown(markedNumber('209-555-0143', 'marisol'))).toBe('209-555-0143')
  })
})
