import { expect, test } from 'vitest'

import { formatPhone, toTelUrl } from './phones.ts'

test.each([
  ['2095550142', '209-555-0142'],
  ['1 (209) 555-0142', '209-555-0142'],
  ['5550142', '555-0142'],
  ['209-555-0142 x123', '209-555-0142 x123'],
])('%j is shown as %j', (stored, shown) => {
  expect(formatPhone(stored)).toBe(shown)
})

test('a number is dialed with its country code, and with its extension after a pause', () => {
  expect(toTelUrl('209-555-0142')).toBe('tel:+12095550142')
  expect(toTelUrl('209-555-0142 x123')).toBe('tel:+12095550142,123')
})
