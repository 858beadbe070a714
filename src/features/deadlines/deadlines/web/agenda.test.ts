import { describe, expect, test } from 'vitest'

import type { Deadline } from '../contract.ts'
import { AGENDA_GROUPS, addDays, getAgendaGroup } from '../rules.ts'
import { getGroupRange, getShownDate, groupDeadlines, sortDeadlines } from './agenda.ts'

const TODAY = '2026-11-22'
const deadline = (_id: string, date: string, overrides: Partial<Deadline> = {}): Deadline =>
  ({ _id, date, state: 'open', snoozedUntil: null, ...overrides }) as Deadline
const idsOf = (deadlines: readonly Deadline[] | undefined): string[] => (deadlines ?? []).map(({ _id }) => _id)

describe('the day at which a deadline is shown', () => {
  test('is the day it was put off to, if that is later than its date', () => {
    expect(getShownDate(deadline('a', '2026-12-01', { state: 'snoozed', snoozedUntil: '2026-12-15' }))).toBe('2026-12-15')
    expect(getShownDate(deadline('a', '2026-12-01', { state: 'snoozed', snoozedUntil: '2026-11-25' }))).toBe('2026-12-01')
    expect(getShownDate(deadline('a', '2026-12-01', { state: 'open', snoozedUntil: '2026-12-15' }))).toBe('2026-12-01')
  })
})

describe('the groups of the agenda', () => {
  test('contain each day in exactly one group', () => {
    for (let days = -400; days <= 800; days += 1) {
      const date = addDays(TODAY, days)
      const inRange = AGENDA_GROUPS.filter(({ name }) => {
        const { from = '0000', to = '9999' } = getGroupRange(name, TODAY)
        return from <= date && date <= to
      })
      expect(inRange.map(({ name }) => name)).toEqual([getAgendaGroup(date, TODAY)])
    }
  })

  test('contain each deadline once, by date, or by the later day until which it was put off', () => {
    const groups = groupDeadlines(
      [
        deadline('late', '2026-11-24'),
        deadline('early', '2026-11-23'),
        deadline('early', '2026-11-23'),
        deadline('gone', '2026-11-20'),
        deadline('put off', '2026-11-23', { state: 'snoozed', snoozedUntil: '2026-12-10' }),
      ],
      new Map(),
      TODAY,
    )
    expect([...groups].map(([name, rows]) => [name, idsOf(rows)])).toEqual([
      ['Overdue', ['gone']],
      ['This week', ['early', 'late']],
      ['Next 30 days', ['put off']],
    ])
  })

  test('a deadline handled during this visit stays in place; all others move to their own list', () => {
    const rows = [deadline('here', '2026-11-23', { state: 'handled' }), deadline('before', '2026-11-23', { state: 'handled' })]
    const groups = groupDeadlines(rows, new Map([['here', rows[0]]]), TODAY)
    expect(idsOf(groups.get('This week'))).toEqual(['here'])
    expect(idsOf(groups.get('Handled'))).toEqual(['before'])
  })

  test('deadlines on one day keep a stable order', () => {
    const [a, b] = [deadline('a', TODAY), deadline('b', TODAY)]
    expect(idsOf(sortDeadlines([b, a]))).toEqual(idsOf(sortDeadlines([a, b])))
  })
})
