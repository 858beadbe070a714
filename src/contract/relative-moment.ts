import { DAY_MS, formatMomentDay, formatMomentTime, MINUTE_MS, toIsoDay } from './dates.ts'

/** 'just now', 'today, 9:41 AM', '11/20/2026, 9:41 AM'. */
export const formatRelativeMoment = (moment: string, timeZone: string, now: Date = new Date()): string => {
  if (Math.abs(now.getTime() - Date.parse(moment)) < 2 * MINUTE_MS) return 'just now'
  const time = formatMomentTime(moment, timeZone)
  const days = (Date.parse(toIsoDay(now, timeZone)) - Date.parse(toIsoDay(moment, timeZone))) / DAY_MS
  if (days === 0) return `today, ${time}`
  return days === 1 ? `yesterday, ${time}` : `${formatMomentDay(moment, timeZone)}, ${time}`
}
