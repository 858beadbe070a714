import { toIsoDay } from '../../../contract/dates.ts'
import { addDays, countDays } from '../deadlines/rules.ts'

/** No one is reminded before this hour of the day, in the organization's time zone. */
export const MORNING_HOUR = 7

const WEEK = 7

/** The clock of the organization. */
export interface LocalTime {
  readonly day: string
  readonly hour: number
}

export const toLocalTime = (moment: Date, timeZone: string): LocalTime => ({
  day: toIsoDay(moment, timeZone),
  hour: Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(moment)),
})

/** The Monday of a day's week. */
export const getMonday = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % WEEK))

/** What decides when an open deadline is reminded of. */
export interface ReminderTimes {
  readonly date: string
  readonly leadDays: readonly number[]
  /** The day since when it has this date and these lead times. */
  readonly since: string
  /** The day until which it was put off. */
  readonly snoozedUntil: string | null
}

/** The last of the weekly days since it is overdue; the first is the day after its date. */
const getOverdueDay = (date: string, today: string): string | undefined => {
  const overdue = countDays(date, today)
  return overdue < 1 ? undefined : addDays(today, -((overdue - 1) % WEEK))
}

/**
 * The last day up to now on which an open deadline was to be reminded of: at its lead times, on the day until which it was put off, and every week while it
 * is overdue. A lead time that was over when the deadline got its date does not count. A day begins in the morning, but for a deadline that is new that day.
 */
export const findReminderDay = ({ date, leadDays, since, snoozedUntil }: ReminderTimes, now: LocalTime): string | null => {
  const overdue = getOverdueDay(date, now.day)
  const days = [
    ...leadDays.map((lead) => addDays(date, -lead)).filter((day) => day >= since),
    ...(snoozedUntil === null ? [] : [snoozedUntil]),
    ...(overdue === undefined ? [] : [overdue]),
    // Before this morning it is still the week before.
    ...(overdue === now.day && countDays(date, overdue) > WEEK ? [addDays(overdue, -WEEK)] : []),
  ]
  const isOver = (day: string): boolean => day < now.day || (day === now.day && (now.hour >= MORNING_HOUR || since === now.day))
  return days.filter(isOver).reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}

/** The Monday whose digests are due: its morning has come since the last round, and they were not made yet. Before the first round there are none. */
export const findDueDigest = (now: LocalTime, lastRound: LocalTime | null, lastDigest: string | null): string | null => {
  const monday = getMonday(now.day)
  if (lastRound === null || (lastDigest !== null && lastDigest >= monday)) return null
  const hasCome = now.day > monday || now.hour >= MORNING_HOUR
  const hadCome = lastRound.day > monday || (lastRound.day === monday && lastRound.hour >= MORNING_HOUR)
  return hasCome && !hadCome ? monday : null
}
