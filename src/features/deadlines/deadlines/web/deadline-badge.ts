import { formatDay, formatMomentDay } from '../../../../contract/dates.ts'
import type { DeadlineText } from '../contract.ts'
import { findContradictions, formatDistance } from '../rules.ts'

export type BadgeVariant = 'date' | 'overdue' | 'handled' | 'put-off' | 'nobody' | 'no-date' | 'proposed' | 'contradiction' | 'ignored'

export interface DeadlineBadgeContent {
  readonly variant: BadgeVariant
  readonly words: string
}

/** The texts with a petition due after the end of the charter. */
export const findLatePetitions = (texts: readonly DeadlineText[], today: string): ReadonlySet<DeadlineText> => {
  const fields = texts
    .filter(({ isIgnored }) => !isIgnored)
    .map((text) => ({ text, section: text.section, field: text.field, date: text.date, subject: null }))
  const found = findContradictions({ fields, isActive: false, today }).filter(({ kind }) => kind === 'petition after expiration')
  return new Set(found.flatMap(({ fields: [petition] }) => (petition ? [petition.text] : [])))
}

/** The date found in the text, or '06/30/2027?' if it is to be confirmed; null if it has none. */
export const getReading = ({ date, isByHand, proposedDates: [likeliest] }: Pick<DeadlineText, 'date' | 'isByHand' | 'proposedDates'>) => {
  if (date !== null) return `${isByHand ? 'Set by hand:' : 'Read as'} ${formatDay(date)}`
  return likeliest === undefined ? null : `${formatDay(likeliest.date)}?`
}

type BadgeText = Pick<DeadlineText, 'isIgnored' | 'date' | 'proposedDates' | 'why' | 'state' | 'snoozedUntil' | 'updatedAt'> & {
  readonly responsible: unknown
}

/** The badge below the value of a field that has a deadline. */
export const getDeadlineBadge = (text: BadgeText, isLate: boolean, today: string, timeZone: string): DeadlineBadgeContent => {
  if (text.isIgnored) return { variant: 'ignored', words: 'Not a deadline' }
  if (text.date === null && text.proposedDates.length > 0) return { variant: 'proposed', words: text.why ?? '' }
  if (text.date === null) return { variant: 'no-date', words: 'No date found' }
  if (text.state === 'handled') return { variant: 'handled', words: `Handled ${formatMomentDay(text.updatedAt, timeZone)}` }
  if (isLate) return { variant: 'contradiction', words: 'After the charter ends' }
  if (text.state === 'snoozed')
    return { variant: 'put-off', words: `Put off from ${formatDay(text.date)} to ${formatDay(text.snoozedUntil ?? text.date)}` }
  const distance = formatDistance(text.date, today)
  if (text.date < today) return { variant: 'overdue', words: distance }
  return text.responsible === null ? { variant: 'nobody', words: `${distance}, nobody responsible` } : { variant: 'date', words: distance }
}
