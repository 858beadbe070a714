import { z } from 'zod'

import { DAY_MS } from './dates.ts'
import { isClosed, type Status } from './status.ts'

/** The record kinds that are checked. */
export const CHECKED_KINDS = ['site', 'person', 'charter'] as const
export type CheckedKind = (typeof CHECKED_KINDS)[number]
export const isCheckedKind = (kind: string): kind is CheckedKind => (CHECKED_KINDS as readonly string[]).includes(kind)

export const DEFAULT_INTERVALS = { site: 180, person: null, charter: null } as const satisfies Record<CheckedKind, number | null>
export const MAX_INTERVAL_DAYS = 3650

/** Whether a record is due for a check. */
export const isDue = (checkedAt: string | null, intervalDays: number | null, now: Date): boolean =>
  intervalDays !== null && (checkedAt === null || Date.parse(checkedAt) + intervalDays * DAY_MS <= now.getTime())

/** A list filter by the last check: not for a number of days, or never. */
export const NOT_CHECKED_PATTERN = /^(never|[1-9]\d{0,3})$/

/** A filter for records that were not checked for a number of days, or `never`. */
export const NotChecked = z.string().regex(NOT_CHECKED_PATTERN, 'Enter a number of days, or never')

/** Whether a record matches such a filter. Closed sites and charters, and people who left, never match. */
export const matchesNotChecked = (
  filter: string | undefined,
  record: { readonly checkedAt: string | null; readonly status?: Status; readonly leftAt?: string | null },
  now: Date = new Date(),
): boolean => {
  if (filter === undefined) return true
  if ((record.status !== undefined && isClosed(record.status)) || (record.leftAt ?? null) !== null) return false
  return filter === 'never' ? record.checkedAt === null : isDue(record.checkedAt, Number(filter), now)
}

const INTERVAL_MESSAGE = `Enter a number of days from 1 to ${MAX_INTERVAL_DAYS}`
/** Days after which a record is due again; null if this kind is not checked. */
const interval = z.int(INTERVAL_MESSAGE).min(1, INTERVAL_MESSAGE).max(MAX_INTERVAL_DAYS, INTERVAL_MESSAGE).nullable()

export const CheckIntervals = z.strictObject({ site: interval, person: interval, charter: interval })
export type CheckIntervals = z.infer<typeof CheckIntervals>
