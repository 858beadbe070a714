import { can, type Capability } from '../../../contract/capabilities.ts'
import { isDue, type CheckedKind } from '../../../contract/checks.ts'
import { toIsoDay, DAY_MS } from '../../../contract/dates.ts'
import { isClosed, type Status } from '../../../contract/status.ts'

/** The capability to edit records of a kind, which includes checking them. */
const EDIT_CAPABILITIES = {
  site: 'edit a site',
  person: 'edit a person',
  charter: 'manage the network',
} as const satisfies Record<CheckedKind, Capability>

export const canEdit = (level: number, kind: CheckedKind): boolean => can(level, EDIT_CAPABILITIES[kind])

/** Records last checked at or before this moment are due; undefined if the kind is not checked. */
export const getDueMoment = (intervalDays: number | null, now: Date): Date | undefined =>
  intervalDays === null ? undefined : new Date(now.getTime() - intervalDays * DAY_MS)

/** Since when it is due; null if it is not, or was never checked. */
export const getDueSince = (checkedAt: string | null, intervalDays: number | null, now: Date): string | null =>
  intervalDays === null || checkedAt === null || !isDue(checkedAt, intervalDays, now)
    ? null
    : new Date(Date.parse(checkedAt) + intervalDays * DAY_MS).toISOString()

const MONTH_DAYS = 30.44
const YEAR_DAYS = 365.25

/** The time since a moment, in the largest suitable unit: 'today', 'yesterday', '12 days ago', '3 months ago', '2 years ago'. */
export const formatTimeSince = (moment: string, timeZone: string, now: Date = new Date()): string => {
  const days = Math.max(0, Math.round((Date.parse(toIsoDay(now, timeZone)) - Date.parse(toIsoDay(moment, timeZone))) / DAY_MS))
  if (days === 0) return 'today'
  if (days === 1) return 'yesterday'
  const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'} ago`
  if (days < 60) return count(days, 'day')
  return days < 2 * YEAR_DAYS ? count(Math.floor(days / MONTH_DAYS), 'month') : count(Math.floor(days / YEAR_DAYS), 'year')
}

/** The second email about a record is sent this long after the first; there is no third. */
export const SECOND_MAIL_DAYS = 14
/** The minimum number of days between emails to one person, for all their records together. */
export const MAIL_PAUSE_DAYS = 7

const addDaysTo = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

/** The emails sent to someone about a due record. */
export interface SentMails {
  readonly first: Date | null
  readonly second: Date | null
}

/** Which email about a record someone should get now; otherwise when the next one is due, unless there are no more. */
export const findDueMail = ({ first, second }: SentMails, now: Date): 'first' | 'second' | Date | null => {
  if (first === null) return 'first'
  if (second !== null) return null
  const next = addDaysTo(first, SECOND_MAIL_DAYS)
  return next <= now ? 'second' : next
}

/** Until when someone gets no further email; null if one can be sent. */
export const findMailPause = (last: Date | null, now: Date): Date | null => {
  const end = last === null ? null : addDaysTo(last, MAIL_PAUSE_DAYS)
  return end !== null && end > now ? end : null
}

const NOT_CHECKED_DAYS = [30, 90, 365]

/** The filters that a list offers, including the interval of its kind. */
export const listNotCheckedFilters = (intervalDays: number | null): string[] =>
  [...new Set([...NOT_CHECKED_DAYS, ...(intervalDays === null ? [] : [intervalDays])])]
    .toSorted((a, b) => a - b)
    .map(String)
    .concat('never')

/** 'Not checked for 180 days', 'Never checked'. */
export const formatNotChecked = (filter: string): string =>
  filter === 'never' ? 'Never checked' : `Not checked for ${filter === '1' ? '1 day' : `${filter} days`}`

/** How many of the open sites were checked within the interval. */
export const countChecked = (
  sites: readonly { readonly status: Status; readonly checkedAt: string | null }[],
  intervalDays: number,
  now: Date,
): { readonly checked: number; readonly all: number } => {
  const open = sites.filter(({ status }) => !isClosed(status))
  return { checked: open.filter(({ checkedAt }) => !isDue(checkedAt, intervalDays, now)).length, all: open.length }
}
