import { describe, expect, test } from 'vitest'

import { formatBrowser, isHandheld, formatLevel, formatRelativeMoment, getTokenLevels } from './rules.ts'

describe('browser and operating system of a user agent', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on macOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) EdgiOS/130.0 Mobile/15E148 Safari/604.1',
      'Edge on iPad',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36', 'Chrome on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0',
      'Opera on Windows',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko', 'Unknown browser on Windows'],
    ['curl/8.5.0', 'Unknown browser'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('%s', (userAgent, words) => expect(formatBrowser(userAgent)).toBe(words))

  test('phones and tablets count as handheld', () => {
    expect(['Safari on iPhone', 'Chrome on Android', 'Edge on iPad', 'Edge on Windows', 'Unknown browser'].map(isHandheld)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

test('a level is described by what it allows', () => {
  expect([1, 2, 5, 6, 7, 10].map(formatLevel)).toEqual([
    'Super administrator',
    'Administrator, including charter affairs',
    'Administrator, including charter affairs',
    'Administrator',
    'View only',
    'View only',
  ])
})

test('a token can have its creator’s level or one with less access', () => {
  expect(getTokenLevels(1)).toEqual([1, 5, 6, 10])
  expect(getTokenLevels(2)).toEqual([2, 5, 6, 10])
  expect(getTokenLevels(6)).toEqual([6, 10])
  expect(getTokenLevels(10)).toEqual([10])
})

test('a timestamp is formatted as a readable text', () => {
  const now = new Date('2026-11-21T17:00:00Z')
  const format = (moment: string) => formatRelativeMoment(moment, 'America/Los_Angeles', now)
  expect(format('2026-11-21T16:59:01Z')).toBe('just now')
  expect(format('2026-11-21T16:41:00Z')).toBe('today, 8:41 AM')
  expect(format('2026-11-21T07:59:00Z')).toBe('yesterday, 11:59 PM')
  expect(format('2026-11-01T18:00:00Z')).toBe('11/01/2026, 10:00 AM')
})
