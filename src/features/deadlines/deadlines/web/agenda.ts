import type { Deadline, DeadlineCounts } from '../contract.ts'
import { addDays, AGENDA_COUNT_KEYS, AGENDA_GROUPS, type AgendaGroupName, getAgendaGroup } from '../rules.ts'

/** The day at which a deadline is listed: the snooze day, if it was snoozed beyond its date. */
export const getShownDate = ({ date, state, snoozedUntil }: Pick<Deadline, 'date' | 'state' | 'snoozedUntil'>): string =>
  state === 'snoozed' && snoozedUntil !== null && snoozedUntil > date ? snoozedUntil : date

/** Deadlines handled before this visit form a separate group. */
export type GroupName = AgendaGroupName | 'Handled'
export const GROUP_NAMES: readonly GroupName[] = [...AGENDA_GROUPS.map(({ name }) => name), 'Handled']

export const countOpenInGroup = (counts: DeadlineCounts, group: AgendaGroupName): number => counts[AGENDA_COUNT_KEYS[group]]

export const countOpen = (counts: DeadlineCounts): number =>
  AGENDA_GROUPS.reduce((sum, { name }) => sum + countOpenInGroup(counts, name), 0)

/** The days of a group. */
export const getGroupRange = (group: AgendaGroupName, today: string): { from?: string; to?: string } => {
  const at = AGENDA_GROUPS.findIndex(({ name }) => name === group)
  const before = AGENDA_GROUPS[at - 1]
  const { upTo } = AGENDA_GROUPS[at] ?? { upTo: Number.POSITIVE_INFINITY }
  return {
    ...(before ? { from: addDays(today, before.upTo + 1) } : {}),
    ...(Number.isFinite(upTo) ? { to: addDays(today, upTo) } : {}),
  }
}

/** Sorts by listed day, without duplicates. */
export const sortDeadlines = (deadlines: Iterable<Deadline>): Deadline[] =>
  [...new Map([...deadlines].map((deadline) => [deadline._id, deadline])).values()].toSorted((a, b) => {
    const [dayA, dayB] = [getShownDate(a), getShownDate(b)]
    return dayA === dayB ? (a._id < b._id ? -1 : 1) : dayA < dayB ? -1 : 1
  })

/** Deadlines by group, each group sorted by date. Those in `changedHere` were handled during this visit and stay in place. */
export const groupDeadlines = (
  deadlines: Iterable<Deadline>,
  changedHere: ReadonlyMap<string, unknown>,
  today: string,
): Map<GroupName, Deadline[]> =>
  Map.groupBy(sortDeadlines(deadlines), (deadline): GroupName =>
    deadline.state === 'handled' && !changedHere.has(deadline._id) ? 'Handled' : getAgendaGroup(getShownDate(deadline), today),
  )
