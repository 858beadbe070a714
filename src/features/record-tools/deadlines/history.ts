import type { HistoryPart } from '../history/rules.ts'
import { DEADLINE_KINDS } from './fields.ts'

const KIND_WORDS = Object.fromEntries(Object.entries(DEADLINE_KINDS).map(([kind, { name }]) => [kind, name]))

/** The labels of a deadline in a history. */
export const deadlineHistory: HistoryPart = {
  name: 'the deadline',
  title: 'Deadlines',
  labels: {
    isByHand: 'Set by hand',
    isIgnored: 'Not a deadline',
    snoozedUntil: 'Put off until',
    yearly: 'Every year',
  },
  values: {
    kind: KIND_WORDS,
    state: { open: 'Open', handled: 'Handled', snoozed: 'Put off' },
  },
}
