import type { Random } from './random.ts'

export const DAY = 86_400_000

/** The day a network is made on: every date of it is counted from here, so that a network made twice in a day is the same. */
export const getStartOfDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY) * DAY)

/** `2026-11-20`, so many days after (or, negative, before) the day. */
export const toIsoDay = (day: Date, daysLater: number): string => new Date(day.getTime() + daysLater * DAY).toISOString().slice(0, 10)

/** `11/20/2026`, as people type it into free text. */
export const toUsDay = (day: Date, daysLater: number): string => {
  const [year, month, date] = toIsoDay(day, daysLater).split('-')
  return `${month}/${date}/${year}`
}

/**
 * A moment of someone's working day, so many days ago. A day of ours begins in the afternoon of the Pacific coast's day before,
 * so its eight hours before are office hours there; Saturdays and Sundays are moved to the Friday.
 */
export const pickOfficeHour = (random: Random, day: Date, daysAgo: number): Date => {
  const end = day.getTime() - daysAgo * DAY
  const pacificDay = new Date(end - DAY / 2).getUTCDay()
  const toFriday = pacificDay === 6 ? 1 : pacificDay === 0 ? 2 : 0
  return new Date(end - toFriday * DAY - random.int(0, 8 * 3600) * 1000)
}
