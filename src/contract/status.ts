import { z } from 'zod'

/** The status of a record, as stored and sent. */
export const STATUSES = ['ACTIVE', 'ACTIVE - TEMPORARY', 'PENDING', 'CLOSED - PERMANENTLY', 'CLOSED - TEMPORARILY'] as const
export const Status = z.enum(STATUSES)
export type Status = z.infer<typeof Status>

/** The labels in badges, tables and choices. */
export const STATUS_LABELS: Record<Status, string> = {
  ACTIVE: 'Active - Permanent',
  'ACTIVE - TEMPORARY': 'Active - Temporary',
  PENDING: 'Pending',
  'CLOSED - PERMANENTLY': 'Closed - Permanently',
  'CLOSED - TEMPORARILY': 'Closed - Temporarily',
}

/** The two groups of the lists' filters: a status containing 'active' or 'pending' counts as active, one containing 'closed' as closed. */
export const isClosed = (status: Status): boolean => status.includes('CLOSED')
export const isActive = (status: Status): boolean => !isClosed(status)
export const isPending = (status: Status): boolean => status === 'PENDING'

/** The groups that a list can show. */
export const STATUS_GROUPS = ['active', 'closed', 'all'] as const
export type StatusGroup = (typeof STATUS_GROUPS)[number]
export const isInStatusGroup = (group: StatusGroup, status: Status): boolean =>
  group === 'all' || (group === 'active' ? isActive(status) : isClosed(status))

/** The text over a card's picture: 'Coming Soon' for pending, the stored status for closed, none for active. */
export const getStatusOverlay = (status: Status): string | null => (isPending(status) ? 'Coming Soon' : isClosed(status) ? status : null)
