import type { Random } from './random.ts'

export const DAY = 86_400_000

/** The start of the day on which a network is created: all dates are relative to it, so that networks created on the same day are identical. */
export const getStartOfDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY) * DAY)

/** What is done once a week is done on the same day of the week. */
export const toWeek = (daysAgo: number): number => Math.floor(daysAgo / 7) * 7

/** `2026-11-20`, a number of days after the day (before it if negative). */
export const toIsoDay = (day: Date, daysLater: number): string => new Date(day.getTime() + daysLater * DAY).toISOString().slice(0, 10)

/** `11/20/2026`, as people type it into free text. */
export const toUsDay = (day: Date, daysLater: number): string => {
  const [year, month, date] = toIsoDay(day, daysLater).split('-')
  return `${month}/${date}/${year}`
}

/**
 * A time in someone's working hours, a number of days ago. Our day begins in the afternoon of the previous day on the Pacific coast, so the eight
 * hours before it are office hours there; Saturdays and Sundays move to Friday.
 */
export const pickOfficeHour = (random: Random, day: Date, daysAgo: number): Date => {
  const end = day.getTime() - daysAgo * DAY
  const pacificDay = new Date(end - DAY / 2).getUTCDay()
  const toFriday = pacificDay === 6 ? 1 : pacificDay === 0 ? 2 : 0
  return new Date(end - toFriday * DAY - random.int(0, 8 * 3600) * 1000)
}
