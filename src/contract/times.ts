/** Minutes after midnight of a time in the form's format, '9:30AM'; undefined for any other text. */
export const parseMinutes = (time: string): number | undefined => {
  const parts = /^(\d{1,2}):(\d{2})\s*(AM|PM)$/i.exec(time.trim())
  if (!parts) return undefined
  return ((Number(parts[1]) % 12) + (parts[3]?.toUpperCase() === 'PM' ? 12 : 0)) * 60 + Number(parts[2])
}

/** Whether an end is at or before its start; text that is not a time, as in some imports, is not compared. */
export const isEndBeforeStart = (start: string | null | undefined, end: string | null | undefined): boolean => {
  const [from, until] = [parseMinutes(start ?? ''), parseMinutes(end ?? '')]
  return from !== undefined && until !== undefined && until <= from
}
export const END_BEFORE_START = 'End time must be later than start time'
