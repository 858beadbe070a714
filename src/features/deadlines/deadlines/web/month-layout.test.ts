import { describe, expect, test } from 'vitest'

import type { Deadline } from '../contract.ts'
import { countMonth, getDayOfKey, limitEntries, listWeeks, moveMonths } from './month-layout.ts'

describe('the weeks of a month', () => {
  test('begin with the Sunday before and end with the Saturday after', () => {
    const weeks = listWeeks('2026-11')
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([5, '2026-11-01', '2026-12-05'])
    expect(listWeeks('2026-08').length).toBe(6)
    expect(listWeeks('2026-02').flat()).toHaveLength(28)
  })
})

test('a day moves to the same day of another month, or to its last one', () => {
  expect(moveMonths('2026-11-22', 1)).toBe('2026-12-22')
  expect(moveMonths('2027-01-31', 1)).toBe('2027-02-28')
  expect(moveMonths('2027-03-31', -1)).toBe('2027-02-28')
  expect(moveMonths('2026-12-31', 1)).toBe('2027-01-31')
})

test('arrow, page, home and end keys move between days', () => {
  const press = (key: string) =>
    getDayOfKey({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false } as KeyboardEvent, '2026-11-25', '2026-11-22')
  expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 't', 'x'].map(press)).toEqual([
    '2026-11-24',
    '2026-11-26',
    '2026-11-18',
    '2026-12-02',
    '2026-11-22',
    '2026-11-28',
    '2026-10-25',
    '2026-12-25',
    '2026-11-22',
    undefined,
  ])
})

test('a day shows two entries and counts the others', () => {
  expect(limitEntries(['a', 'b'])).toEqual({ shown: ['a', 'b'], more: 0 })
  expect(limitEntries(['a', 'b', 'c'])).toEqual({ shown: ['a', 'b'], more: 1 })
})

test('a month counts its own deadlines, those that were put off by their later day', () => {
  const due = (date: string, state: Deadline['state'] = 'open', snoozedUntil: string | null = null) =>
    ({ date, state, snoozedUntil }) as Deadline
  const deadlines = [
    due('2026-10-31'),
    due('2026-11-02', 'handled'),
    due('2026-11-13'),
    due('2026-11-15', 'snoozed', '2026-11-28'),
    due('2026-11-22'),
    due('2026-11-29', 'snoozed', '2026-12-02'),
  ]
  expect(countMonth(deadlines, '2026-11', '2026-11-22')).toEqual({ all: 4, handled: 1, overdue: 1, toCome: 2 })
})
