import { describe, expect, test } from 'vitest'

import { formatPhone, toFaxDigits, toSmsUrl, toTelUrl } from './phones.ts'

describe('a phone number is read', () => {
  test.each([
    '2095550142',
    '209-555-0142',
    '(209) 555-0142',
    '(209)555-0142',
    '209.555.0142',
    '209 555 0142',
    '209\u00a0555\u00a00142',
    '209/555-0142',
    '209–555–0142',
    '1 (209) 555-0142',
    '1-209-555-0142',
    '12095550142',
    '+12095550142',
    '+1 209 555 0142',
    '+1 (209) 555-0142',
    'tel:+1-209-555-0142',
    'Tel.: (209) 555-0142',
    'Phone 209-555-0142',
  ])('from %j', (text) => {
    expect(formatPhone(text)).toBe('209-555-0142')
    expect(toFaxDigits(text)).toBe('2095550142')
  })

  test.each([
    'x12',
    ' x12',
    ' x 12',
    ' ext. 12',
    ' ext 12',
    ', ext. 12',
    ' Ext: 12',
    ' extension 12',
    ' #12',
    ' (ext. 12)',
    ';ext=12',
    ' EXT.12',
  ])('with its extension from %j', (extension) => {
    for (const number of ['209.555.0142', '(209) 555-0142', '+1 209 555 0142'])
      expect(formatPhone(number + extension)).toBe('209-555-0142 x12')
  })

  test('of seven digits', () => {
    expect(formatPhone('555.0142')).toBe('555-0142')
    expect(toFaxDigits('555.0142')).toBe('5550142')
  })

  test.each([
    '209-555-014',
    '209555014',
    '1-209-555-014',
    '209-555-01422',
    '209-555-0142 / 0143',
    '209-555-0142 or 209-555-0143',
    '1-800-FLOWERS',
    '209-555-0142 x',
    '+1 209 555 014',
    '+209-555-0142',
    '+1 555 0142',
    '15550142',
    '+44 20 7946 0958',
    '22095550142',
    '806555',
    'none',
    '',
    '5',
    '-',
  ])('and %j, which is not certainly one, is unchanged', (text) => {
    expect(formatPhone(text)).toBe(text)
    expect(toFaxDigits(text)).toBe(text)
  })
})

test('an extension is never part of a fax number', () => {
  expect(toFaxDigits('209-555-0142 x12')).toBe('209-555-0142 x12')
})

test('a number is dialed with its country code, and with its extension after a pause', () => {
  expect(toTelUrl('209-555-0142')).toBe('tel:+12095550142')
  expect(toTelUrl('209-555-0142 x123')).toBe('tel:+12095550142,123')
  expect(toTelUrl('(209) 555-0142 ext. 123')).toBe('tel:+12095550142,123')
  expect(toSmsUrl('(209) 555-0142 ext. 123')).toBe('sms:+12095550142')
  expect(toTelUrl('+44-20-7946-0958 x12'), 'a stored number of another country').toBe('tel:+442079460958,12')
})
