import { formatDay, toIsoDay, toMomentParts } from '../../../contract/dates.ts'

/** '9:41 AM' of today, '11/27/2026 9:41 AM' of another day. */
export const formatAsOf = (moment: string, timeZone: string, now: Date = new Date()): string => {
  const { hour, minute } = toMomentParts(moment, timeZone)
  const time = `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
  const day = toIsoDay(moment, timeZone)
  return day === toIsoDay(now, timeZone) ? time : `${formatDay(day)} ${time}`
}
