/** Minutes after midnight of a time as the forms offer it, '9:30AM'; undefined for what is none. */
export const parseMinutes = (time: string): number | undefined => {
  const parts = /^(\d{1,2}):(\d{2})\s*(AM|PM)$/i.exec(time.trim())
  if (!parts) return undefined
  return ((Number(parts[1]) % 12) + (parts[3]?.toUpperCase() === 'PM' ? 12 : 0)) * 60 + Number(parts[2])
}

/** An end at or before its start is refused; what is no time, as some import has it, is not compared. */
export const isEndBeforeStart = (start: string | null | undefined, end: string | null | undefined): boolean => {
  const [from, until] = [parseMinutes(start ?? ''), parseMinutes(end ?? '')]
  return from !== undefined && until !== undefined && until <= from
}
export const END_BEFORE_START = 'End time must be later than start time'
