import { toIsoDay, DAY_MS } from '../../contract/dates.ts'
import type { FieldError } from '../../contract/problem.ts'
import { isActive, isClosed, isPending } from '../../contract/status.ts'
import type { Status } from '../../contract/status.ts'
import { END_BEFORE_START, isEndBeforeStart } from '../../contract/times.ts'
import { FACILITY_TYPES } from './fields.ts'

const RECENT_DAYS = 7

/** Whether a site was changed today or on one of the seven days before, in the organization's time zone. */
export const isRecentlyUpdated = (updatedAt: string, timeZone: string, now: Date = new Date()): boolean =>
  Date.parse(toIsoDay(now, timeZone)) - Date.parse(toIsoDay(updatedAt, timeZone)) <= RECENT_DAYS * DAY_MS

/** The status filters of the list of sites. */
export const STATUS_FILTERS = ['active', 'closed', 'coming-soon', 'updated'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

/** The search phrases for the filters, and for facility types in addition to their names. */
export const STATUS_FILTER_PHRASES: Readonly<Record<StatusFilter, readonly string[]>> = {
  active: ['active', 'open'],
  closed: ['closed', 'shut'],
  'coming-soon': ['pending', 'coming soon'],
  updated: ['recently updated', 'recently', 'recent'],
}
export const FACILITY_TYPE_PHRASES: Readonly<Record<string, readonly string[]>> = {
  'Administrative Office': ['administration office', 'admin office'],
}

/** The facility types to filter by: the standard ones, and others that imported sites have. */
export const listFacilityTypes = (sites: readonly { category: string | null }[]): string[] => {
  const others = new Set(sites.map((site) => site.category).filter((category) => category !== null))
  return [...FACILITY_TYPES, ...[...others].filter((other) => !FACILITY_TYPES.some((type) => type === other)).toSorted()]
}

/** Whether a site matches a status filter. */
export const matchesStatusFilter = (
  filter: StatusFilter,
  site: { status: Status; updatedAt: string },
  timeZone: string,
  now?: Date,
): boolean => {
  switch (filter) {
    case 'active':
      return isActive(site.status)
    case 'closed':
      return isClosed(site.status)
    case 'coming-soon':
      return isPending(site.status)
    case 'updated':
      return isRecentlyUpdated(site.updatedAt, timeZone, now)
  }
}

/** Open sites first, then those coming soon, then closed ones. */
export const getStatusRank = (status: Status): number => (isClosed(status) ? 2 : isPending(status) ? 1 : 0)

type Time = string | null | undefined
/** Reports a site that closes before it opens. */
export const validateHours = (start: Time, end: Time): FieldError[] =>
  isEndBeforeStart(start, end) ? [{ path: 'address.end_time', message: END_BEFORE_START }] : []
