import fc from 'fast-check'
import { expect, test } from 'vitest'

import { compareBytes } from './byte-order.ts'

test('texts are sorted by their bytes, whatever characters they contain', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(compareBytes(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
  expect(compareBytes('\u{1f600}', '\uff21')).toBe(1)
})
