/** Formats `2026-11-20` as `11/20/2026`; other text is returned unchanged. */
export const formatDay = (isoDay: string): string => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(isoDay)
  return parts ? `${parts[2]}/${parts[3]}/${parts[1]}` : isoDay
}

/** Formatters by time zone: they are expensive to create, and lists and workbooks format thousands of moments. */
const createFormatters = (locale: string, options: Intl.DateTimeFormatOptions): ((timeZone: string) => Intl.DateTimeFormat) => {
  const formatters = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const known = formatters.get(timeZone)
    if (known) return known
    const made = new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formatters.set(timeZone, made)
    return made
  }
}
const getDayFormatter = createFormatters('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })
const getTimeFormatter = createFormatters('en-US', { hour: 'numeric', minute: '2-digit' })

/** The calendar day of a moment in a time zone, as `2026-11-20`. */
export const toIsoDay = (moment: string | Date, timeZone: string): string => getDayFormatter(timeZone).format(new Date(moment))

/** A moment as MM/DD/YYYY in a time zone. */
export const formatMomentDay = (moment: string | Date, timeZone: string): string => formatDay(toIsoDay(moment, timeZone))

/** A moment's time of day in a time zone: `9:41 AM`. */
export const formatMomentTime = (moment: string | Date, timeZone: string): string =>
  getTimeFormatter(timeZone).format(new Date(moment)).replaceAll('\u202f', ' ')

/** A moment with its time of day: `11/20/2026 9:41 AM`; some texts have a comma between. */
export const formatMoment = (moment: string | Date, timeZone: string, separator = ' '): string =>
  `${formatMomentDay(moment, timeZone)}${separator}${formatMomentTime(moment, timeZone)}`

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** 'today', 'yesterday', '12 days ago', or the date if it is more than four weeks ago. */
export const formatDaysAgo = (moment: string, timeZone: string, now: Date = new Date()): string => {
  const days = Math.round((Date.parse(toIsoDay(now, timeZone)) - Date.parse(toIsoDay(moment, timeZone))) / DAY_MS)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days <= 28 ? `${days} days ago` : `on ${formatMomentDay(moment, timeZone)}`
}
