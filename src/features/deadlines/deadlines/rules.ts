import { formatDay, DAY_MS } from '../../../contract/dates.ts'
import type { DeadlineState } from './contract.ts'

/** The number of days from one calendar day to another. */
export const countDays = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** A calendar day some days later. */
export const addDays = (isoDay: string, days: number): string => new Date(Date.parse(isoDay) + days * DAY_MS).toISOString().slice(0, 10)

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Whether a day is in leap years only. */
export const isLeapDay = (isoDay: string): boolean => isoDay.endsWith('-02-29')

/** The same day a year later; one of February 29 is on February 28 where that year has no other. */
export const addYear = (isoDay: string, isOfLeapDay: boolean): string => {
  const year = Number(isoDay.slice(0, 4)) + 1
  const monthDay = isOfLeapDay ? (isLeapYear(year) ? '-02-29' : '-02-28') : isoDay.slice(4)
  return `${String(year).padStart(4, '0')}${monthDay}`
}

export const STATE_LABELS = { open: 'Open', snoozed: 'Put off', handled: 'Handled' } as const satisfies Record<DeadlineState, string>

/** A snoozed one is open again from its day on. */
export const getState = (stored: DeadlineState, snoozedUntil: string | null, today: string): DeadlineState =>
  stored === 'snoozed' && (snoozedUntil === null || snoozedUntil <= today) ? 'open' : stored

/** 'today', 'tomorrow', 'in 12 days', 'in 4 years', '1 day overdue'. */
export const formatDistance = (date: string, today: string): string => {
  const days = countDays(today, date)
  if (days < 0) return `${-days} ${days === -1 ? 'day' : 'days'} overdue`
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  const years = Math.round(days / 365)
  return days <= 365 ? `in ${days} days` : `in ${years} ${years === 1 ? 'year' : 'years'}`
}

/** The groups of the agenda, by distance. */
export const AGENDA_GROUPS = [
  { name: 'Overdue', upTo: -1 },
  { name: 'This week', upTo: 7 },
  { name: 'Next 30 days', upTo: 30 },
  { name: 'Next 90 days', upTo: 90 },
  { name: 'Next 365 days', upTo: 365 },
  { name: 'Later', upTo: Number.POSITIVE_INFINITY },
] as const
export type AgendaGroupName = (typeof AGENDA_GROUPS)[number]['name']

/** The count of each group in `DeadlineCounts`. */
export const AGENDA_COUNT_KEYS = {
  Overdue: 'overdue',
  'This week': 'week',
  'Next 30 days': 'days30',
  'Next 90 days': 'days90',
  'Next 365 days': 'days365',
  Later: 'later',
} as const satisfies Record<AgendaGroupName, string>

export const getAgendaGroup = (date: string, today: string): AgendaGroupName => {
  const days = countDays(today, date)
  return AGENDA_GROUPS.find(({ upTo }) => days <= upTo)?.name ?? 'Later'
}

/** A date field of a charter or site. */
export interface DatedField {
  readonly section: string | null
  readonly field: string
  readonly date: string | null
  readonly subject: string | null
}

export interface FoundContradiction<F extends DatedField> {
  readonly kind: 'petition after expiration' | 'expired but active' | 'sections disagree' | 'board term over' | 'lease over'
  readonly message: string
  readonly fields: readonly F[]
}

interface ContradictionSubject<F extends DatedField> {
  readonly fields: readonly F[]
  /** Whether the charter is active, or the site open. */
  readonly isActive: boolean
  readonly today: string
}

const IN_TWO_SECTIONS = {
  charter_expiration_date: 'charter expiration dates',
  funding_expiration: 'funding expiration dates',
  funding_submission_date: 'funding submission dates',
  fy_audit: 'FY audit dates',
}

/** Conflicting dates of one charter or one site. */
export const findContradictions = <F extends DatedField>({ fields, isActive, today }: ContradictionSubject<F>): FoundContradiction<F>[] => {
  const dated = fields.filter((one): one is F & { date: string } => one.date !== null)
  const named = (field: string) => dated.filter((one) => one.field === field)
  const found: FoundContradiction<F>[] = []
  const expirations = named('charter_expiration_date')
  const [earliest] = expirations.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  for (const petition of [...named('petition_submission_due_date'), ...named('upcoming_authorizer_petition')])
    if (earliest && petition.date > earliest.date)
      found.push({
        kind: 'petition after expiration',
        message: `The petition is due on ${formatDay(petition.date)}, after the charter expires on ${formatDay(earliest.date)}`,
        fields: [petition, earliest],
      })
  const expired = expirations.filter(({ date }) => date < today)
  if (isActive && expired.length > 0 && expired.length === expirations.length)
    found.push({
      kind: 'expired but active',
      message: `The charter expired on ${formatDay(expired[0]?.date ?? '')} and is still active`,
      fields: expired,
    })
  for (const [field, words] of Object.entries(IN_TWO_SECTIONS)) {
    const both = named(field)
    if (new Set(both.map(({ date }) => date)).size > 1)
      found.push({ kind: 'sections disagree', message: `Two sections have different ${words}`, fields: both })
  }
  for (const seat of named('board_term'))
    if (seat.date < today)
      found.push({
        kind: 'board term over',
        message: `The board term${seat.subject === null ? '' : ` of ${seat.subject}`} ended on ${formatDay(seat.date)}`,
        fields: [seat],
      })
  for (const lease of named('lease_end'))
    if (isActive && lease.date < today)
      found.push({ kind: 'lease over', message: `The lease ended on ${formatDay(lease.date)} and the site is open`, fields: [lease] })
  return found
}
