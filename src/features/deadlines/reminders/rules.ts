import { toIsoDay, toMomentParts } from '../../../contract/dates.ts'
import { addDays, countDays } from '../deadlines/rules.ts'

/** Reminders are sent from this hour of the day on, in the organization's time zone. */
export const MORNING_HOUR = 7

const WEEK = 7

/** The local time of the organization. */
export interface LocalTime {
  readonly day: string
  readonly hour: number
}

export const toLocalTime = (moment: Date, timeZone: string): LocalTime => ({
  day: toIsoDay(moment, timeZone),
  hour: Number(toMomentParts(moment, timeZone).hour),
})

/** The Monday of a day's week. */
export const getMonday = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % WEEK))

/** What determines the reminders of an open deadline. */
export interface ReminderTimes {
  readonly date: string
  readonly leadDays: readonly number[]
  /** Since when it has had this date and these lead times. */
  readonly since: string
  /** The day until which it was snoozed. */
  readonly snoozedUntil: string | null
}

/** The last weekly reminder day since it is overdue; the first is the day after its date. */
const getOverdueDay = (date: string, today: string): string | undefined => {
  const overdue = countDays(date, today)
  return overdue < 1 ? undefined : addDays(today, -((overdue - 1) % WEEK))
}

/**
 * The last reminder day of an open deadline up to now: at its lead times, at the end of a snooze, and weekly while it is overdue. Lead times that had
 * passed when the deadline got its date do not count. A day starts in the morning, except for a deadline created on that day.
 */
export const findReminderDay = ({ date, leadDays, since, snoozedUntil }: ReminderTimes, now: LocalTime): string | null => {
  const overdue = getOverdueDay(date, now.day)
  const days = [
    ...leadDays.map((lead) => addDays(date, -lead)).filter((day) => day >= since),
    ...(snoozedUntil === null ? [] : [snoozedUntil]),
    ...(overdue === undefined ? [] : [overdue]),
    // Before the morning it still counts as the previous week.
    ...(overdue === now.day && countDays(date, overdue) > WEEK ? [addDays(overdue, -WEEK)] : []),
  ]
  const isOver = (day: string): boolean => day < now.day || (day === now.day && (now.hour >= MORNING_HOUR || since === now.day))
  return days.filter(isOver).reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}

/** The last Monday whose morning has passed. */
export const getDueMonday = ({ day, hour }: LocalTime): string => {
  const monday = getMonday(day)
  return day > monday || hour >= MORNING_HOUR ? monday : addDays(monday, -WEEK)
}

/** The Monday whose digests are due: its morning has passed since the last run, and they were not sent yet. None before the first run. */
export const findDueDigest = (now: LocalTime, lastRun: LocalTime | null, lastDigest: string | null): string | null => {
  const monday = getMonday(now.day)
  if (lastRun === null || (lastDigest !== null && lastDigest >= monday)) return null
  return getDueMonday(now) === monday && getDueMonday(lastRun) < monday ? monday : null
}
