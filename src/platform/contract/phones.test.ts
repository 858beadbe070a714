import { expect, test } from 'vitest'

import { showPhone, telOf } from './phones.ts'

test.each([
  ['2095550142', '209-555-0142'],
  ['1 (209) 555-0142', '209-555-0142'],
  ['5550142', '555-0142'],
  ['209-555-0142 x123', '209-555-0142 x123'],
])('%j is shown as %j', (stored, shown) => {
  expect(showPhone(stored)).toBe(shown)
})

test('a number is called with its country code and its extension after a pause', () => {
  expect(telOf('209-555-0142')).toBe('tel:+12095550142')
  expect(telOf('209-555-0142 x123')).toBe('tel:+12095550142,123')
})
