import { formatMomentTime, toMomentParts } from './dates.ts'

/** The file formats of a downloaded list. */
export const LIST_FORMATS = ['xlsx', 'csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

/** '{name} - {MM-DD-yyyy_hh:mmA}' in the organization's time zone. */
export const formatFileName = (name: string, at: Date, timeZone: string): string => {
  const { year, month, day } = toMomentParts(at, timeZone)
  const time = formatMomentTime(at, timeZone).padStart('12:00 AM'.length, '0')
  return `${name} - ${month}-${day}-${year}_${time.replace(' ', '')}`
}

/** Characters that file names cannot contain are removed from the list's name. */
export const getListFileName = (list: string, format: ListFormat, at: Date, timeZone: string): string =>
  `${formatFileName(list.replace(/[\\/:*?"<>|\s]+/g, ' ').trim() || 'List', at, timeZone)}.${format}`
