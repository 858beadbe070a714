/** Formats `2026-11-20` as `11/20/2026`; other text is returned unchanged. */
export const formatDay = (isoDay: string): string => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(isoDay)
  return parts ? `${parts[2]}/${parts[3]}/${parts[1]}` : isoDay
}

/** Formatters by time zone: they are expensive to create, and lists and workbooks format thousands of moments. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const getFormatter = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(timeZone, made)
  return made
}

/** What calendar and clock show, in digits: the year has four, the others two, the hour is 00 to 23. */
interface MomentParts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minute: string
}

/** The parts of a moment in a time zone. Browsers differ in the look of a whole date, even for one locale, but not in its parts. */
export const toMomentParts = (moment: string | Date, timeZone: string): MomentParts => {
  const parts = getFormatter(timeZone).formatToParts(new Date(moment))
  const read = (type: keyof MomentParts): string => parts.find((part) => part.type === type)?.value.padStart(2, '0') ?? ''
  return { year: read('year').padStart(4, '0'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') }
}

/** The calendar day of a moment in a time zone, as `2026-11-20`. */
export const toIsoDay = (moment: string | Date, timeZone: string): string => {
  const { year, month, day } = toMomentParts(moment, timeZone)
  return `${year}-${month}-${day}`
}

interface DayWords {
  readonly weekday?: 'short' | 'long'
  readonly month?: 'short' | 'long'
  readonly day?: 'numeric'
  readonly year?: 'numeric'
}
/**
 * Writes a day such as `2026-11-20` in words for people, `Nov 20`. Never read back: browsers differ in it. The formatter is created with the first day: a
 * page that opens on a cheap phone would wait for each.
 */
export const createDayFormat = (words: DayWords): ((isoDay: string) => string) => {
  let formatter: Intl.DateTimeFormat | undefined
  return (isoDay) => (formatter ??= new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...words })).format(Date.parse(isoDay))
}

/** 'Nov 20'. */
export const formatMonthDay = createDayFormat({ month: 'short', day: 'numeric' })

/** 'Nov 20', or 'Nov 20, 2027' in another year than today. */
export const formatShortDay = (isoDay: string, today: string): string =>
  isoDay.slice(0, 4) === today.slice(0, 4) ? formatMonthDay(isoDay) : `${formatMonthDay(isoDay)}, ${isoDay.slice(0, 4)}`

/** A moment as MM/DD/YYYY in a time zone. */
export const formatMomentDay = (moment: string | Date, timeZone: string): string => formatDay(toIsoDay(moment, timeZone))

/** A moment's time of day in a time zone: `9:41 AM`. */
export const formatMomentTime = (moment: string | Date, timeZone: string): string => {
  const { hour, minute } = toMomentParts(moment, timeZone)
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
}

/** A moment with its time of day: `11/20/2026 9:41 AM`; some texts have a comma between. */
export const formatMoment = (moment: string | Date, timeZone: string, separator = ' '): string =>
  `${formatMomentDay(moment, timeZone)}${separator}${formatMomentTime(moment, timeZone)}`

/** The same day of the year before; February 28 for February 29. */
export const subtractYear = (isoDay: string): string =>
  `${String(Number(isoDay.slice(0, 4)) - 1).padStart(4, '0')}${isoDay.slice(4)}`.replace(/-02-29$/, '-02-28')

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** 'today', 'yesterday', '12 days ago', or the date if it is more than four weeks ago. */
export const formatDaysAgo = (moment: string, timeZone: string, now: Date = new Date()): string => {
  const days = Math.round((Date.parse(toIsoDay(now, timeZone)) - Date.parse(toIsoDay(moment, timeZone))) / DAY_MS)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days <= 28 ? `${days} days ago` : `on ${formatMomentDay(moment, timeZone)}`
}
