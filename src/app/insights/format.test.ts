import { describe, expect, test } from 'vitest'

import { createDayNames, createTickNames, formatChange, formatLink, formatShort, formatSpoken, formatValue, getStep } from './format.ts'

describe('a value', () => {
  test('is whole in a table, short in a picture, and has its unit when it is spoken', () => {
    expect(formatValue(4_102_000, 'dollars a year')).toBe('$4,102,000')
    expect(formatShort(4_102_000, 'dollars a year')).toBe('$4.1M')
    expect(formatShort(1204, 'students')).toBe('1,204')
    expect(formatValue(88.46, 'percent')).toBe('88.5%')
    expect(formatSpoken(46, 'positions')).toBe('46 positions')
    expect(formatSpoken(4100, 'dollars a month')).toBe('$4,100 a month')
    expect(formatValue(-12, 'students')).toBe('−12')
    expect(formatShort(-12_400, 'students')).toBe('−12.4K')
  })

  test('is compared with a sign, and with nothing if it is the same', () => {
    expect(formatChange(7, 'sites')).toBe('+7')
    expect(formatChange(-2.26, 'percent')).toBe('−2.3%')
    expect(formatChange(0.01, 'percent')).toBe('')
  })
})

describe('the days of a picture', () => {
  const toSeries = (days: readonly string[]) => [{ key: 'a', label: 'A', points: days.map((on) => ({ on, value: 1 })) }]

  test('are months, quarters or years, by the shortest step between two of them', () => {
    expect(getStep(['2026-01-01', '2026-02-01', '2026-08-01'])).toBe('month')
    expect(getStep(['2026-01-01', '2026-04-01'])).toBe('quarter')
    expect(getStep(['2026-01-01', '2028-01-01', '2029-01-01'])).toBe('year')
    expect(getStep(['2026-01-01'])).toBe('year')
  })

  test('are named by what bars count, and as whole days where lines have a state', () => {
    expect(createDayNames({ chart: 'bars', series: toSeries(['2026-01-01', '2026-04-01']) })('2026-04-01')).toBe('Q2 2026')
    expect(createDayNames({ chart: 'lines', series: toSeries(['2026-04-30']) })('2026-04-30')).toBe('Apr 30, 2026')
  })

  test('have the year below them only where another one begins', () => {
    const days = ['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28']
    expect(days.map(createTickNames(days))).toEqual(['Nov', 'Dec', 'Jan 2026', 'Feb'])
  })
})

test('the link to a list says how many records it has, or that it has more than was counted', () => {
  expect(formatLink({ records: 1, link: '/locations?status=active' })).toBe('1 site')
  expect(formatLink({ records: null, link: '/locations?status=active' })).toBe('Open Resource Centers')
  expect(formatLink({ records: null, link: '/requests?state=all' })).toBe('Open Requests, with those of all days')
})
