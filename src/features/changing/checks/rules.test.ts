import { describe, expect, test } from 'vitest'

import { isDue, matchesNotChecked, NOT_CHECKED_PATTERN } from '../../../contract/checks.ts'
import { countChecked, findDueMail, findMailPause, formatNotChecked, formatTimeSince, getDueSince, listNotCheckedFilters } from './rules.ts'

const NOW = new Date('2026-11-23T20:00:00Z')
const ago = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString()

test.each([
  [179.9, 180, false, null],
  [180, 180, true, NOW.toISOString()],
  [400, null, false, null],
] as const)('checked %s days ago, every %s days: due %s', (days, interval, due, since) => {
  expect([isDue(ago(days), interval, NOW), getDueSince(ago(days), interval, NOW)]).toEqual([due, since])
})

test('a record that was never checked is due, without a date', () => {
  expect([isDue(null, 180, NOW), getDueSince(null, 180, NOW), isDue(null, null, NOW)]).toEqual([true, null, false])
})

test.each([
  [0, 'today'],
  [1, 'yesterday'],
  [12, '12 days ago'],
  [59, '59 days ago'],
  [95, '3 months ago'],
  [400, '13 months ago'],
  [800, '2 years ago'],
])('%s days ago is "%s"', (days, words) => {
  expect(formatTimeSince(ago(days), 'America/Los_Angeles', NOW)).toBe(words)
})

test('a day is in the organization’s time zone: late yesterday there is today in UTC', () => {
  expect(formatTimeSince('2026-11-23T07:30:00Z', 'America/Los_Angeles', NOW)).toBe('yesterday')
})

describe('a filter by the last check', () => {
  test('finds records not checked for that many days, and those never checked', () => {
    const matches = (filter: string | undefined, record: Parameters<typeof matchesNotChecked>[1]) => matchesNotChecked(filter, record, NOW)
    expect(matches('90', { checkedAt: ago(91), status: 'ACTIVE' })).toBe(true)
    expect(matches('90', { checkedAt: ago(89), status: 'ACTIVE' })).toBe(false)
    expect(matches('90', { checkedAt: null, status: 'PENDING' })).toBe(true)
    expect(matches('never', { checkedAt: null, leftAt: null })).toBe(true)
    expect(matches('never', { checkedAt: ago(900), leftAt: null })).toBe(false)
    // Closed sites and people who left are not checked.
    expect(matches('never', { checkedAt: null, status: 'CLOSED - TEMPORARILY' })).toBe(false)
    expect(matches('90', { checkedAt: null, leftAt: ago(3) })).toBe(false)
    expect(matches(undefined, { checkedAt: ago(1), status: 'CLOSED - PERMANENTLY' })).toBe(true)
  })

  test('offers the interval of the kind among other numbers of days', () => {
    expect(listNotCheckedFilters(180)).toEqual(['30', '90', '180', '365', 'never'])
    expect(listNotCheckedFilters(90)).toEqual(['30', '90', '365', 'never'])
    expect(listNotCheckedFilters(null)).toEqual(['30', '90', '365', 'never'])
    expect(['1', '180', 'never'].map(formatNotChecked)).toEqual(['Not checked for 1 day', 'Not checked for 180 days', 'Never checked'])
    expect(['0', '-1', '12345', 'ever', ''].filter((text) => NOT_CHECKED_PATTERN.test(text))).toEqual([])
  })
})

test('the share of a region counts only open sites', () => {
  const sites = [
    { status: 'ACTIVE', checkedAt: ago(10) },
    { status: 'PENDING', checkedAt: ago(181) },
    { status: 'ACTIVE - TEMPORARY', checkedAt: null },
    { status: 'CLOSED - PERMANENTLY', checkedAt: ago(10) },
  ] as const
  expect(countChecked(sites, 180, NOW)).toEqual({ checked: 1, all: 3 })
})

describe('mails about checks', () => {
  const at = (days: number): Date => new Date(ago(days))

  test('are sent twice about the same check, the second after 14 days', () => {
    expect(findDueMail({ first: null, second: null }, NOW)).toBe('first')
    expect(findDueMail({ first: at(13), second: null }, NOW)).toEqual(at(-1))
    expect(findDueMail({ first: at(14), second: null }, NOW)).toBe('second')
    expect(findDueMail({ first: at(90), second: at(76) }, NOW)).toBeNull()
  })

  test('are at least a week apart', () => {
    expect([findMailPause(null, NOW), findMailPause(at(7), NOW), findMailPause(at(6), NOW)]).toEqual([null, null, at(-1)])
  })
})
