import { describe, expect, test } from 'vitest'

import { formatDay } from '../../../../contract/dates.ts'
import type { DeadlineText } from '../contract.ts'
import { getDateHint } from './date-hint.ts'

const TODAY = '2026-11-22'
const stored = (fields: Partial<DeadlineText>): DeadlineText => ({
  _id: 'text',
  section: 'overview',
  field: 'fol_visit',
  row: null,
  text: 'TBD',
  date: null,
  proposedDates: [],
  why: null,
  isByHand: false,
  isIgnored: false,
  state: 'open',
  snoozedUntil: null,
  responsible: null,
  version: 1,
  updatedAt: '2026-11-20T18:00:00Z',
  updatedBy: null,
  ...fields,
})
const hint = (typed: string, others: { stored?: DeadlineText; pending?: { text: string; date: string } } = {}) =>
  getDateHint({ typed, source: undefined, stored: others.stored, pending: others.pending, today: TODAY })

describe('the hint below a text', () => {
  test('shows the date and how far away it is', () => {
    expect(hint('Due 3/15/2027')).toMatchObject({
      tone: 'ok',
      lead: 'Read as',
      date: '2027-03-15',
      tail: 'in 113 days',
      action: null,
    })
    expect(hint('10/28/2030')).toMatchObject({ date: '2030-10-28', tail: 'in 4 years' })
    expect(hint('11/13/2026')).toMatchObject({ tail: '9 days overdue' })
  })

  test('states that a month counts as its last day', () => {
    expect(hint('June 2027')).toMatchObject({ lead: 'Read as June 2027, counts as', date: '2027-06-30' })
  })

  test('asks for a date by hand if there is none, and shows the reason', () => {
    expect(hint('TBD')).toMatchObject({ tone: 'wait', lead: 'No date found:', date: null, tail: null, action: 'set it by hand' })
    expect(hint('2/30/2027')).toMatchObject({ lead: 'No date found:', tail: '“2/30/2027” is not a day of the calendar' })
  })

  test('proposes the dates of a text that is not certain, the likeliest first, with the reason', () => {
    const proposed = hint('3/4/27 or 4/3/27')
    expect(proposed).toMatchObject({ tone: 'wait', date: null, action: 'set it by hand' })
    expect(proposed?.choices.toSorted()).toEqual(['2027-03-04', '2027-04-03'])
    expect(proposed?.lead).toBe(`${formatDay(proposed?.choices[0] ?? '')}?`)
    expect(proposed?.tail?.length).toBeGreaterThan(3)
    expect(hint('Visit 11/18/2026 + 30 days')).toMatchObject({ choices: ['2026-12-18', '2026-11-18'] })
  })

  test('shows a date that was set by hand until the text changes', () => {
    const known = { stored: stored({ isByHand: true, date: '2027-06-24' }) }
    expect(hint('TBD', known)).toMatchObject({ lead: 'Set by hand:', date: '2027-06-24', tail: 'in 214 days', action: 'Change' })
    expect(hint('TBA', known)).toMatchObject({ lead: 'No date found:' })
  })

  test('shows a date that is saved with its text, for that text only', () => {
    const waiting = { pending: { text: 'TBA', date: '2027-06-24' } }
    expect(hint('TBA', waiting)).toMatchObject({ lead: 'Set by hand with the next save:', date: '2027-06-24', action: 'Change' })
    expect(hint('TBA.', waiting)).toMatchObject({ lead: 'No date found:' })
  })

  test('marks a text as no deadline, or as handled', () => {
    expect(hint('TBD', { stored: stored({ isIgnored: true }) })).toMatchObject({ tone: 'off', lead: 'Not a deadline:' })
    expect(hint('1/4/2026', { stored: stored({ text: '1/4/2026', date: '2026-01-04', state: 'handled' }) })).toMatchObject({
      tail: 'handled',
    })
  })

  test('shows nothing for an empty field', () => {
    expect(hint('  ')).toBeNull()
  })
})
