import { can, type Capability } from '../../../contract/capabilities.ts'

/** The kinds of records that are checked. */
export const CHECKED_KINDS = ['site', 'person', 'charter'] as const
export type CheckedKind = (typeof CHECKED_KINDS)[number]

export const DEFAULT_INTERVALS = { site: 180, person: null, charter: null } as const satisfies Record<CheckedKind, number | null>
export const MAX_INTERVAL_DAYS = 3650

const DAY_MS = 86_400_000

/** What one needs to edit a record of a kind, who can also check it. */
const EDIT_CAPABILITIES = {
  site: 'edit a site',
  person: 'edit a person',
  charter: 'manage the network',
} as const satisfies Record<CheckedKind, Capability>

export const canEdit = (level: number, kind: CheckedKind): boolean => can(level, EDIT_CAPABILITIES[kind])

/** Records whose last check is not after this moment are due; undefined where the kind is not checked. */
export const getDueMoment = (intervalDays: number | null, now: Date): Date | undefined =>
  intervalDays === null ? undefined : new Date(now.getTime() - intervalDays * DAY_MS)

/** Whether a record is due for a check. */
export const isDue = (checkedAt: string | null, intervalDays: number | null, now: Date): boolean =>
  intervalDays !== null && (checkedAt === null || Date.parse(checkedAt) + intervalDays * DAY_MS <= now.getTime())

/** Since when it is due; null where it is not, or was never checked. */
export const getDueSince = (checkedAt: string | null, intervalDays: number | null, now: Date): string | null =>
  intervalDays === null || checkedAt === null || !isDue(checkedAt, intervalDays, now)
    ? null
    : new Date(Date.parse(checkedAt) + intervalDays * DAY_MS).toISOString()

/** The second mail about a record comes so long after the first, and there is no third. */
export const SECOND_MAIL_DAYS = 14
/** Nobody gets more than one mail in so many days, for all their records together. */
export const MAIL_PAUSE_DAYS = 7

const addDaysTo = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

/** What was sent to someone about a record that is due. */
export interface SentMails {
  readonly first: Date | null
  readonly second: Date | null
}

/** Which mail about a record someone is to get now; and if none, when the next one comes, unless there is none left. */
export const findDueMail = ({ first, second }: SentMails, now: Date): 'first' | 'second' | Date | null => {
  if (first === null) return 'first'
  if (second !== null) return null
  const next = addDaysTo(first, SECOND_MAIL_DAYS)
  return next <= now ? 'second' : next
}

/** Until when someone gets no other mail; null where one can be sent. */
export const findMailPause = (last: Date | null, now: Date): Date | null => {
  const end = last === null ? null : addDaysTo(last, MAIL_PAUSE_DAYS)
  return end !== null && end > now ? end : null
}
