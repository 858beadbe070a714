import { expect, test } from 'vitest'

import { isWorthLogging, canReport } from './rules.ts'

test('an Unknown error without stack and url is not reported', () => {
  expect(isWorthLogging({ errorMessage: 'Unknown error' })).toBe(false)
  expect(isWorthLogging({ errorMessage: 'Unknown error', stackTrace: 'at x' })).toBe(true)
  expect(isWorthLogging({ errorMessage: 'Unknown error', errorLocation: '/locations-api/brand' })).toBe(true)
  expect(isWorthLogging({ errorMessage: 'Another' })).toBe(true)
})

test('the same report is sent once in ten seconds', () => {
  const sent: { at: number; key: string }[] = []
  expect(canReport(sent, 'a', 1000)).toBe(true)
  expect(canReport(sent, 'a', 10_999)).toBe(false)
  expect(canReport(sent, 'b', 10_999)).toBe(true)
  expect(canReport(sent, 'a', 11_001)).toBe(true)
})

test('at most 20 reports are sent per minute', () => {
  const sent: { at: number; key: string }[] = []
  const out = Array.from({ length: 30 }, (_, n) => canReport(sent, `error ${n}`, n))
  expect(out.filter(Boolean)).toHaveLength(20)
  expect(canReport(sent, 'a minute later', 60_021)).toBe(true)
  expect(sent).toHaveLength(1)
})
