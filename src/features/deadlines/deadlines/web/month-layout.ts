import { findShortcut } from '../../../../platform/web/keyboard.ts'
import type { Deadline } from '../contract.ts'
import { addDays } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { GRID_KEYS, MONTH_KEYS } from './deadline-keys.ts'
import { isOverdue } from './year-layout.ts'

/** 'YYYY-MM' */
export const getMonth = (day: string): string => day.slice(0, 7)

/** The first day of a month, plus a number of months. */
export const getMonthStart = (month: string, monthsLater = 0): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + monthsLater, 1)).toISOString().slice(0, 10)

/** The same day of another month, or its last day if it is shorter. */
export const moveMonths = (day: string, monthsLater: number): string => {
  const last = addDays(getMonthStart(getMonth(day), monthsLater + 1), -1)
  const same = `${getMonth(last)}${day.slice(7)}`
  return same < last ? same : last
}

const getWeekday = (day: string): number => new Date(day).getUTCDay()

export const isWeekend = (day: string): boolean => getWeekday(day) % 6 === 0

/** The weeks of a month, Sunday to Saturday, including days of adjacent months. */
export const listWeeks = (month: string): string[][] => {
  const first = getMonthStart(month)
  const last = addDays(getMonthStart(month, 1), -1)
  const weeks: string[][] = []
  for (let day = addDays(first, -getWeekday(first)); day <= last; day = addDays(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(day, at)))
  return weeks
}

/** The day that a shortcut moves to; undefined for any other key. */
export const getDayOfKey = (press: KeyboardEvent, day: string, today: string): string | undefined => {
  switch (findShortcut(press, { ...GRID_KEYS, ...MONTH_KEYS })) {
    case 'left':
      return addDays(day, -1)
    case 'right':
      return addDays(day, 1)
    case 'up':
      return addDays(day, -7)
    case 'down':
      return addDays(day, 7)
    case 'earlier':
      return moveMonths(day, -1)
    case 'later':
      return moveMonths(day, 1)
    case 'first':
      return addDays(day, -getWeekday(day))
    case 'last':
      return addDays(day, 6 - getWeekday(day))
    case 'today':
      return today
    case undefined:
      return undefined
  }
}

/** The number of entries that fit into a day. */
export const MAX_ENTRIES = 2

/** The visible entries of a day, and the number of others. */
export const limitEntries = <T>(entries: readonly T[]): { readonly shown: readonly T[]; readonly more: number } => ({
  shown: entries.slice(0, MAX_ENTRIES),
  more: Math.max(0, entries.length - MAX_ENTRIES),
})

/** The number of deadlines in a month, and how many of them are handled, overdue and upcoming. */
export const countMonth = (deadlines: readonly Deadline[], month: string, today: string) => {
  const own = deadlines.filter((deadline) => getMonth(getShownDate(deadline)) === month)
  const handled = own.filter(({ state }) => state === 'handled').length
  const overdue = own.filter((deadline) => isOverdue(deadline, today)).length
  return { all: own.length, handled, overdue, toCome: own.length - handled - overdue }
}
