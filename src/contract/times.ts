const TIME = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})? *(?:([ap])\.?m\.?)?$/i
const HOUR = 60
const NOON = 12 * HOUR

/** The minutes after midnight that a time can mean: `8:30` is in the morning or in the evening. */
const readMinutes = (text: string): number[] => {
  const [, hours = '', minutes, half] = TIME.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? []
  if (hours === '' || (minutes === undefined && half === undefined)) return []
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)]
  if (hour > (half === undefined ? 23 : 12) || minute > 59 || (half !== undefined && hour === 0)) return []
  if (half !== undefined) return [(hour % 12) * HOUR + minute + (half.toLowerCase() === 'p' ? NOON : 0)]
  // A clock of 24 hours shows two digits, or an hour after noon.
  if (hour === 0 || hour > 12 || hours.startsWith('0')) return [hour * HOUR + minute]
  return [(hour % 12) * HOUR + minute, (hour % 12) * HOUR + minute + NOON]
}

/** Minutes after midnight of a time with AM or PM, such as '9:30AM'; undefined for any other text. */
export const parseMinutes = (time: string): number | undefined => (/m\.?$/i.test(time.trim()) ? readMinutes(time)[0] : undefined)

const WEEKDAYS = new Set(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
const MIN_WEEKDAY_LETTERS = 3

/** Finds the time or weekday of a list that a text certainly means: `8:30 AM`, `08:30` and `8:30` for 8:30AM, `Mon` for Monday. */
export const readFromList = (choices: readonly string[], text: string): string => {
  const plain = text.trim().toLowerCase()
  const exact = choices.find((choice) => choice.toLowerCase() === plain)
  if (exact !== undefined) return exact
  const minutes = readMinutes(text)
  const day = plain.replace(/\.$/, '')
  const meant = choices.filter((choice) => {
    const time = parseMinutes(choice)
    if (time !== undefined) return minutes.includes(time)
    return WEEKDAYS.has(choice.toLowerCase()) && day.length >= MIN_WEEKDAY_LETTERS && choice.toLowerCase().startsWith(day)
  })
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : text
}

/** Whether an end is at or before its start; text that is not a time, as in some imports, is not compared. */
export const isEndBeforeStart = (start: string | null | undefined, end: string | null | undefined): boolean => {
  const [from, until] = [parseMinutes(start ?? ''), parseMinutes(end ?? '')]
  return from !== undefined && until !== undefined && until <= from
}
export const END_BEFORE_START = 'End time must be later than start time'
