import { isObject } from '../../../contract/objects.ts'
import { ORIENTATION_DAYS } from '../../enrollment/fields.ts'
import { sortDates } from '../../enrollment/rules.ts'
import { formatCell, isEmpty, type RawRecord } from './raw-values.ts'
import { day, getUnreadFields, line, type ReadResult, type ValueReader, boolean } from './value-readers.ts'

type UnreadValues = { at: string; value: unknown }[]

/** A time in the old program's format; empty if it is not set. */
const readTime = (raw: unknown, at: string, left: UnreadValues): string => {
  const read = line(raw, { timeZone: 'UTC' })
  if (read.finding) left.push({ at, value: raw })
  return typeof read.value === 'string' ? read.value : ''
}

/** Single dates with their times. Entries without a readable day are reported. */
export const selectedDates: ValueReader = (raw, reading): ReadResult => {
  const left: UnreadValues = []
  let isChanged = false
  const dates = (Array.isArray(raw) ? raw : isEmpty(raw) ? [] : [raw]).flatMap((one: unknown, n) => {
    const at = formatCell(n)
    const given: RawRecord = isObject(one) ? one : { date: one }
    const read = day(given['date'], reading)
    if (typeof read.value !== 'string') {
      if (!isEmpty(one)) left.push({ at, value: one })
      return []
    }
    isChanged ||= read.finding !== undefined
    left.push(...getUnreadFields(given, ['date', 'start_time', 'end_time'], at))
    return [{ date: read.value, start_time: readTime(given['start_time'], at, left), end_time: readTime(given['end_time'], at, left) }]
  })
  return { value: sortDates(dates), unread: left, finding: isChanged ? { type: 'changed', reason: 'dates' } : undefined }
}

/** Days without orientation, sorted and unique. */
export const blackoutDates: ValueReader = (raw, reading): ReadResult => {
  const left: UnreadValues = []
  let isChanged = raw !== null && raw !== undefined && !Array.isArray(raw)
  const given: unknown[] = Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split(/[\s,;]+/) : isEmpty(raw) ? [] : [raw]
  const days = given.flatMap((one, n) => {
    const rawDate = isObject(one) && 'date' in one ? one['date'] : one
    const read = day(rawDate, reading)
    if (typeof read.value !== 'string') {
      if (!isEmpty(one)) left.push({ at: formatCell(n), value: one })
      return []
    }
    isChanged ||= read.finding !== undefined || rawDate !== one
    if (isObject(one) && rawDate !== one) left.push(...getUnreadFields(one, ['date'], formatCell(n)))
    return [read.value]
  })
  return {
    value: [...new Set(days)].toSorted(),
    unread: left,
    finding: isChanged && given.length > 0 ? { type: 'changed', reason: 'dates' } : undefined,
  }
}

const UNSET_DAY = { set: false, start_time: '', end_time: '' }

/** Weekdays by name, ignoring case, also from a list of days with names. */
export const recurringDates: ValueReader = (raw): ReadResult => {
  const left: UnreadValues = []
  const named = new Map<string, unknown>()
  for (const [key, value] of Object.entries(Array.isArray(raw) || isObject(raw) ? raw : {})) {
    const given = isObject(value) ? (value['day'] ?? value['name'] ?? key) : key
    const weekday = ORIENTATION_DAYS.find((one) => one.toLowerCase() === formatCell(given).trim().toLowerCase())
    if (weekday !== undefined && isObject(value)) named.set(weekday, value)
    else if (!isEmpty(value)) left.push({ at: key, value })
  }
  if (!isEmpty(raw) && typeof raw !== 'object') left.push({ at: '', value: raw })
  const value = Object.fromEntries(
    ORIENTATION_DAYS.map((weekday) => {
      const given = named.get(weekday)
      if (!isObject(given)) return [weekday, UNSET_DAY]
      const set = boolean(given['set'] ?? given['checked'], { timeZone: 'UTC' })
      if (set.finding?.type === 'refused') left.push({ at: `${weekday}.set`, value: given['set'] })
      left.push(...getUnreadFields(given, ['set', 'checked', 'start_time', 'end_time', 'day', 'name'], weekday))
      return [
        weekday,
        {
          set: set.value === true,
          start_time: readTime(given['start_time'], `${weekday}.start_time`, left),
          end_time: readTime(given['end_time'], `${weekday}.end_time`, left),
        },
      ]
    }),
  )
  return { value, unread: left }
}
