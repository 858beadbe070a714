import { DAY_MS, MINUTE_MS } from '../../../contract/dates.ts'
export const MAX_CALENDAR_NAME_LENGTH = 100
export const MAX_REMINDER_DAYS = 365

/** The choices in the window; API calls may use any number. */
export const REMINDER_CHOICES = [1, 7, 14, 30, 60, 90] as const

/** 'reminder 7 days before', 'no reminder'. */
export const formatReminder = (days: number | null): string => {
  if (days === null) return 'no reminder'
  if (days === 0) return 'reminder on the day'
  return `reminder ${days} ${days === 1 ? 'day' : 'days'} before`
}

const MAX_UNREAD_DAYS = 14
/** False if nothing has read it for 14 days, or since it was created. */
export const isInUse = (createdAt: Date, lastUsedAt: Date | null, now: Date): boolean =>
  now.getTime() - (lastUsedAt ?? createdAt).getTime() <= MAX_UNREAD_DAYS * DAY_MS

/** Programs by their user agents; the most specific ones first. */
const READERS: readonly (readonly [RegExp, string])[] = [
  [/Google-Calendar/i, 'Google Calendar'],
  [/Outlook|Microsoft Office|Microsoft\.Exchange|ExchangeServices|\bOWA\b/i, 'Outlook'],
  [/CalendarAgent|dataaccessd|\biCal\b|CFNetwork/i, 'Apple Calendar'],
  [/Thunderbird/i, 'Thunderbird'],
]
/** The name of a calendar program; null if unknown. */
export const findReader = (userAgent: string | null): string | null =>
  READERS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null

const HOUR_MS = 3_600_000
const ago = new Intl.RelativeTimeFormat('en-US')
/** 'just now', '5 minutes ago', '2 hours ago', '3 days ago'. */
export const formatAgo = (moment: string, now: Date = new Date()): string => {
  const ms = now.getTime() - Date.parse(moment)
  if (ms < 2 * MINUTE_MS) return 'just now'
  if (ms < HOUR_MS) return ago.format(-Math.floor(ms / MINUTE_MS), 'minute')
  return ms < DAY_MS ? ago.format(-Math.floor(ms / HOUR_MS), 'hour') : ago.format(-Math.floor(ms / DAY_MS), 'day')
}

/** Where the three programs accept a URL to subscribe to. */
export const getSubscribeUrls = (url: string, name: string): { outlook: string; google: string; apple: string } => {
  const webcal = url.replace(/^https?:/, 'webcal:')
  return {
    outlook: `https://outlook.office.com/calendar/0/addfromweb?${new URLSearchParams({ url, name })}`,
    google: `https://calendar.google.com/calendar/r?${new URLSearchParams({ cid: webcal })}`,
    apple: webcal,
  }
}
