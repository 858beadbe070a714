import { addDays, countDays } from '../../features/deadlines/deadlines/rules.ts'

/** The longest period. */
export const MAX_YEARS = 20

const DAYS_OF_DAILY_POINTS = 62
const DAYS_OF_WEEKLY_POINTS = 200

const isMonday = (day: string): boolean => new Date(day).getUTCDay() === 1
const isFirstOfMonth = (day: string): boolean => day.endsWith('-01')

/** The days of a period that are drawn: its first and last day, and each day, Monday or first of a month between; none if it ends before it begins. */
export const listPoints = (from: string, to: string): string[] => {
  if (from > to) return []
  const length = countDays(from, to)
  const isDrawn = (day: string): boolean =>
    length <= DAYS_OF_DAILY_POINTS || (length <= DAYS_OF_WEEKLY_POINTS ? isMonday(day) : isFirstOfMonth(day))
  const between = Array.from({ length: Math.max(0, length - 1) }, (_, at) => addDays(from, at + 1)).filter(isDrawn)
  return from === to ? [from] : [from, ...between, to]
}

/** The days that are drawn of a long period. */
export const listMonths = (from: string, to: string): string[] =>
  [from, ...listParts(from, to, 'month').map(({ start }) => start)].filter((day) => day >= from)

/** The same period before, which ends on the day before it begins. */
export const getPeriodBefore = (from: string, to: string): { readonly from: string; readonly to: string } => {
  const end = addDays(from, -1)
  return { from: addDays(end, -countDays(from, to)), to: end }
}

/** The petition dates of a term that are more days apart are those of two petitions. */
const MAX_WINDOW_DAYS = 365

/**
 * When the next petition can be handed in: between its first and last date, or for `leadDays` before its only one. The dates are ISO days in their
 * order.
 */
export const findPetitionWindow = ([first, ...others]: readonly string[], leadDays: number): readonly [from: string, to: string] | null => {
  if (first === undefined) return null
  const last = others.findLast((date) => date > first && countDays(first, date) <= MAX_WINDOW_DAYS)
  return last === undefined ? [addDays(first, -leadDays), first] : [first, last]
}

export const PERIODS = { month: 1, quarter: 3, year: 12 } as const
export type PeriodName = keyof typeof PERIODS

/** The first day of the month, quarter or year of a day. */
export const getPeriodStart = (day: string, period: PeriodName): string => {
  const months = PERIODS[period]
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / months) * months + 1
  return `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}

/** Consecutive parts of a period: months, quarters or years, of which the first and the last may be shorter. */
export const listParts = (
  from: string,
  to: string,
  period: PeriodName,
): { readonly start: string; readonly from: string; readonly to: string }[] => {
  const parts: { start: string; from: string; to: string }[] = []
  for (let first = from; first <= to;) {
    const start = getPeriodStart(first, period)
    // A day of the next part, whatever the lengths of its months.
    const next = getPeriodStart(addDays(start, PERIODS[period] * 31 + 1), period)
    const last = addDays(next, -1)
    parts.push({ start, from: first, to: last < to ? last : to })
    first = next
  }
  return parts
}

/** The middle value; null of none. */
export const getMedian = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
