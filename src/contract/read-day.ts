/** Shown for a day that is not certain; cells and pages show days as MM/DD/YYYY. */
export const INVALID_DAY = 'Enter a date as MM/DD/YYYY, such as 11/20/2026'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const FULL_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const toMonth = (name: string): number => {
  const plain = name.toLowerCase()
  return plain === 'sept' ? 9 : Math.max(MONTHS.indexOf(plain), FULL_MONTHS.indexOf(plain)) + 1
}
/** Two digits mean the years from 1950 to 2049, as in spreadsheets. */
const toYear = (digits: string): number => (digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 50 ? 2000 : 1900))

const TIME = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M|Z)?)?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`, 'i')
const MONTH_FIRST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`, 'i')
const MONTH_NAME = new RegExp(String.raw`^([a-z]+)\.?[- ]+(\d{1,2})(?:st|nd|rd|th)?(?:, *|[- ]+)(\d{4})${TIME}$`, 'i')
const DAY_AND_NAME = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)?[- ]+([a-z]+)\.?,?[- ]+(\d{4}|\d{2})${TIME}$`, 'i')

const readParts = (text: string): [year: number, month: number, day: number] | undefined => {
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return [Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4])]
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return [toYear(monthFirst[4] ?? ''), Number(monthFirst[1]), Number(monthFirst[3])]
  const monthName = MONTH_NAME.exec(text)
  if (monthName) return [Number(monthName[3]), toMonth(monthName[1] ?? ''), Number(monthName[2])]
  const dayAndName = DAY_AND_NAME.exec(text)
  return dayAndName ? [toYear(dayAndName[3] ?? ''), toMonth(dayAndName[2] ?? ''), Number(dayAndName[1])] : undefined
}

/** Reads a day in the forms of American spreadsheets and letters, as `2027-06-30`; undefined if it is not certain or does not exist. */
export const readDay = (text: string): string | undefined => {
  const [, weekday, rest = ''] = /^(?:([a-z]{3,9})\.?,? +)?(.*)$/is.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? []
  const isWeekday = weekday !== undefined && WEEKDAYS.some((name) => name.startsWith(weekday.toLowerCase()))
  const parts = readParts(isWeekday ? rest : text.trim().replaceAll(/\s+/g, ' '))
  if (!parts) return undefined
  const [year, month, day] = parts
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1900 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (isWeekday && !WEEKDAYS[date.getUTCDay()]?.startsWith(weekday.toLowerCase())) return undefined
  return date.toISOString().slice(0, 10)
}
