import { ORIENTATION_DAYS } from '../../../records/enrollment/contract.ts'
import { sortDates } from '../../../records/enrollment/rules.ts'
import { day, leftOf, line, type Read, type Reader, truth } from './readers.ts'
import { inACell, isNothing, isRecord, type Raw } from './shapes.ts'

type Left = { at: string; value: unknown }[]

/** A time as the old program spelt it; nothing where none is set. */
const timeIn = (raw: unknown, at: string, left: Left): string => {
  const read = line(raw, { timeZone: 'UTC' })
  if (read.told) left.push({ at, value: raw })
  return typeof read.value === 'string' ? read.value : ''
}

/** Single dates, each with its times; one without a day that can be read finds no place. */
export const selectedDates: Reader = (raw, reading): Read => {
  const left: Left = []
  let isChanged = false
  const dates = (Array.isArray(raw) ? raw : isNothing(raw) ? [] : [raw]).flatMap((one: unknown, n) => {
    const at = inACell(n)
    const given: Raw = isRecord(one) ? one : { date: one }
    const read = day(given['date'], reading)
    if (typeof read.value !== 'string') {
      if (!isNothing(one)) left.push({ at, value: one })
      return []
    }
    isChanged ||= read.told !== undefined
    left.push(...leftOf(given, ['date', 'start_time', 'end_time'], at))
    return [{ date: read.value, start_time: timeIn(given['start_time'], at, left), end_time: timeIn(given['end_time'], at, left) }]
  })
  return { value: sortDates(dates), left, told: isChanged ? { what: 'changed', why: 'dates' } : undefined }
}

/** Days without orientation, sorted, each once. */
export const blackoutDates: Reader = (raw, reading): Read => {
  const left: Left = []
  let isChanged = raw !== null && raw !== undefined && !Array.isArray(raw)
  const given: unknown[] = Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split(/[\s,;]+/) : isNothing(raw) ? [] : [raw]
  const days = given.flatMap((one, n) => {
    const meant = isRecord(one) && 'date' in one ? one['date'] : one
    const read = day(meant, reading)
    if (typeof read.value !== 'string') {
      if (!isNothing(one)) left.push({ at: inACell(n), value: one })
      return []
    }
    isChanged ||= read.told !== undefined || meant !== one
    if (isRecord(one) && meant !== one) left.push(...leftOf(one, ['date'], inACell(n)))
    return [read.value]
  })
  return { value: [...new Set(days)].toSorted(), left, told: isChanged && given.length > 0 ? { what: 'changed', why: 'dates' } : undefined }
}

const NOT_SET = { set: false, start_time: '', end_time: '' }

/** The weekdays by their names, whatever the case; a list of days that name themselves is taken too (D47). */
export const recurringDates: Reader = (raw): Read => {
  const left: Left = []
  const named = new Map<string, unknown>()
  for (const [key, value] of Object.entries(Array.isArray(raw) || isRecord(raw) ? raw : {})) {
    const says = isRecord(value) ? (value['day'] ?? value['name'] ?? key) : key
    const weekday = ORIENTATION_DAYS.find((one) => one.toLowerCase() === inACell(says).trim().toLowerCase())
    if (weekday !== undefined && isRecord(value)) named.set(weekday, value)
    else if (!isNothing(value)) left.push({ at: key, value })
  }
  if (!isNothing(raw) && typeof raw !== 'object') left.push({ at: '', value: raw })
  const value = Object.fromEntries(
    ORIENTATION_DAYS.map((weekday) => {
      const given = named.get(weekday)
      if (!isRecord(given)) return [weekday, NOT_SET]
      const set = truth(given['set'] ?? given['checked'], { timeZone: 'UTC' })
      if (set.told?.what === 'refused') left.push({ at: `${weekday}.set`, value: given['set'] })
      left.push(...leftOf(given, ['set', 'checked', 'start_time', 'end_time', 'day', 'name'], weekday))
      return [
        weekday,
        {
          set: set.value === true,
          start_time: timeIn(given['start_time'], `${weekday}.start_time`, left),
          end_time: timeIn(given['end_time'], `${weekday}.end_time`, left),
        },
      ]
    }),
  )
  return { value, left }
}
