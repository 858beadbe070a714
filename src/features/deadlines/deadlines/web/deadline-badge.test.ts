import { expect, test } from 'vitest'

import type { DeadlineText } from '../contract.ts'
import { findLatePetitions, getDeadlineBadge, getReading } from './deadline-badge.ts'

const TODAY = '2026-11-22'
const toText = (fields: Partial<DeadlineText>): DeadlineText => ({
  _id: 'text',
  section: 'overview',
  field: 'oversight_date',
  row: null,
  text: 'whatever',
  date: '2027-03-20',
  proposedDates: [],
  why: null,
  isByHand: false,
  isIgnored: false,
  state: 'open',
  snoozedUntil: null,
  responsible: { _id: 'person', name: 'Astrid Lundgren' },
  version: 1,
  updatedAt: '2026-07-14T18:00:00Z',
  updatedBy: null,
  ...fields,
})

test.each([
  [{}, 'date', 'in 118 days'],
  [{ date: '2026-11-13' }, 'overdue', '9 days overdue'],
  [{ date: '2026-07-13', state: 'handled' }, 'handled', 'Handled 07/14/2026'],
  [{ state: 'snoozed', snoozedUntil: '2027-01-05' }, 'put-off', 'Put off from 03/20/2027 to 01/05/2027'],
  [{ date: null }, 'no-date', 'No date found'],
  [{ date: null, isIgnored: true }, 'ignored', 'Not a deadline'],
  [{ date: '2026-12-02', responsible: null }, 'nobody', 'in 10 days, nobody responsible'],
] as const)('the badge of %j is %s: %s', (fields, variant, words) => {
  expect(getDeadlineBadge(toText(fields), false, TODAY, 'America/Los_Angeles')).toEqual({ variant: variant, words })
})

test('the badge of a text states the date, and whether someone set it', () => {
  expect([{}, { isByHand: true }, { date: null }].map((fields) => getReading(toText(fields)))).toEqual([
    'Read as 03/20/2027',
    'Set by hand: 03/20/2027',
    null,
  ])
})

test('a petition that is due after the charter ends shows a warning', () => {
  const petition = toText({ field: 'petition_submission_due_date', date: '2027-04-29' })
  const early = toText({ field: 'upcoming_authorizer_petition', date: '2027-01-29' })
  const late = findLatePetitions([toText({ field: 'charter_expiration_date' }), petition, early], TODAY)
  expect([...late]).toEqual([petition])
  expect(getDeadlineBadge(petition, true, TODAY, 'America/Los_Angeles').words).toBe('After the charter ends')
})

test('a date to confirm is shown with a question mark and the reason', () => {
  const text = toText({ date: null, proposedDates: [{ date: '2027-06-30', precision: 'day' }], why: 'Not certain yet' })
  expect(getReading(text)).toBe('06/30/2027?')
  expect(getDeadlineBadge(text, false, TODAY, 'America/Los_Angeles')).toEqual({ variant: 'proposed', words: 'Not certain yet' })
})
