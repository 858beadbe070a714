import { describe, expect, test } from 'vitest'

import { readClipboardText, toClipboardText } from './clipboard-text.ts'

describe('text that was copied from a spreadsheet', () => {
  test('is rows of cells, without the line break after the last row', () => {
    expect(readClipboardText('209-555-0142\r\n209-555-0143\r\n')).toEqual([['209-555-0142'], ['209-555-0143']])
    expect(readClipboardText('Lodi\tCA\n\tOH')).toEqual([
      ['Lodi', 'CA'],
      ['', 'OH'],
    ])
    expect(readClipboardText('Lodi')).toEqual([['Lodi']])
    expect(readClipboardText('Lodi\n\nGalt\n')).toEqual([['Lodi'], [''], ['Galt']])
  })

  test('keeps the line breaks, tabs and quotation marks of a cell', () => {
    expect(readClipboardText('"Closed in July.\nOpen in ""August"""\tx\r\n"a\tb"\ty')).toEqual([
      ['Closed in July.\nOpen in "August"', 'x'],
      ['a\tb', 'y'],
    ])
    expect(readClipboardText('12" wide\t"x"')).toEqual([['12" wide', 'x']])
  })

  test('is what a list copies', () => {
    const rows = [
      ['Name', 'Phone'],
      ['Lodi', '209-555-0142'],
    ]
    expect(readClipboardText(toClipboardText(rows))).toEqual(rows)
  })
})
