import type { Deadline, DeadlineCounts } from '../contract.ts'
import { addDays, AGENDA_GROUPS, type AgendaGroup, getAgendaGroup } from '../rules.ts'

/** The day a deadline is at: one that was put off beyond its date, at the day it was put off to. */
export const getShownDate = ({ date, state, snoozedUntil }: Pick<Deadline, 'date' | 'state' | 'snoozedUntil'>): string =>
  state === 'snoozed' && snoozedUntil !== null && snoozedUntil > date ? snoozedUntil : date

/** Handled ones that were handled before this visit stand by themselves. */
export type GroupName = AgendaGroup | 'Handled'
export const GROUP_NAMES: readonly GroupName[] = [...AGENDA_GROUPS.map(({ name }) => name), 'Handled']

const COUNT_KEYS = {
  Overdue: 'overdue',
  'This week': 'week',
  'Next 30 days': 'days30',
  'Next 90 days': 'days90',
  'Next 365 days': 'days365',
  Later: 'later',
} as const satisfies Record<AgendaGroup, keyof DeadlineCounts>

export const countOpenInGroup = (counts: DeadlineCounts, group: AgendaGroup): number => counts[COUNT_KEYS[group]]

export const countOpen = (counts: DeadlineCounts): number =>
  AGENDA_GROUPS.reduce((sum, { name }) => sum + countOpenInGroup(counts, name), 0)

/** The days of a group. */
export const getGroupRange = (group: AgendaGroup, today: string): { from?: string; to?: string } => {
  const at = AGENDA_GROUPS.findIndex(({ name }) => name === group)
  const before = AGENDA_GROUPS[at - 1]
  const { upTo } = AGENDA_GROUPS[at] ?? { upTo: Number.POSITIVE_INFINITY }
  return {
    ...(before ? { from: addDays(today, before.upTo + 1) } : {}),
    ...(Number.isFinite(upTo) ? { to: addDays(today, upTo) } : {}),
  }
}

/** By the day they stand at; each once. */
export const sortDeadlines = (deadlines: Iterable<Deadline>): Deadline[] =>
  [...new Map([...deadlines].map((deadline) => [deadline._id, deadline])).values()].toSorted((a, b) => {
    const [dayA, dayB] = [getShownDate(a), getShownDate(b)]
    return dayA === dayB ? (a._id < b._id ? -1 : 1) : dayA < dayB ? -1 : 1
  })

/** Deadlines by the group they stand in, each group by date. Those of `changedHere` were handled during this visit and stay where they were. */
export const groupDeadlines = (
  deadlines: Iterable<Deadline>,
  changedHere: ReadonlyMap<string, unknown>,
  today: string,
): Map<GroupName, Deadline[]> =>
  Map.groupBy(sortDeadlines(deadlines), (deadline): GroupName =>
    deadline.state === 'handled' && !changedHere.has(deadline._id) ? 'Handled' : getAgendaGroup(getShownDate(deadline), today),
  )
