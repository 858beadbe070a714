import { DAY_MS } from '../../../contract/dates.ts'
import { readDay } from '../../../contract/read-day.ts'

/** As many words as a day has: "March 1, 2026". */
const MAX_WORDS = 3
const LINKS: ReadonlySet<string> = new Set(['in', 'on', 'at', 'of', 'as', 'since', 'end'])

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The last day of a month that its first day names. */
const endMonth = (first: string): string => {
  const [year = 0, month = 0] = first.split('-').map(Number)
  return toDay(Date.UTC(year, month, 1) - DAY_MS)
}

/** "march 2026", "last march" and "2026-03" mean the end of the month. */
const readMonth = (text: string, getToday: () => string): string | undefined => {
  const [, name = '', year = ''] = /^([a-z]{3,9})\.?,? (\d{4})$/i.exec(text) ?? /^(\d{4})-(\d{2})$/.exec(text) ?? []
  const first = /^\d/.test(name) ? readDay(`${name}-${year}-01`) : readDay(`${name} 1, ${year}`)
  if (first !== undefined) return endMonth(first)
  const [, last] = /^last ([a-z]{3,9})$/i.exec(text) ?? []
  if (last === undefined) return undefined
  const today = getToday()
  const thisYear = Number(today.slice(0, 4))
  const ends = [thisYear, thisYear - 1].flatMap((one) => readDay(`${last} 1, ${one}`) ?? []).map(endMonth)
  return ends.find((end) => end < today)
}

/** A search for records as they were on a day. */
export interface DaySearch {
  /** What is searched for, without the day. */
  readonly text: string
  readonly on: string
}

/** The past day in a typed search, such as "principal lodi march 2026"; undefined if it has none, or nothing else. Few searches ask for the present day. */
export const readSearchDay = (typed: string, getToday: () => string): DaySearch | undefined => {
  const words = typed.trim().split(/\s+/)
  for (let count = Math.min(MAX_WORDS, words.length - 1); count > 0; count--)
    for (let at = words.length - count; at >= 0; at--) {
      const text = words.slice(at, at + count).join(' ')
      // Other numbers, such as parts of a phone number, look like a day with two digits for its year.
      const on = /\d{4}/.test(text) ? (readMonth(text, getToday) ?? readDay(text)) : readMonth(text, getToday)
      if (on === undefined || on >= getToday()) continue
      const before = words.slice(0, at)
      while (LINKS.has(before.at(-1)?.toLowerCase() ?? '')) before.pop()
      const rest = [...before, ...words.slice(at + count)]
      if (rest.length > 0) return { text: rest.join(' '), on }
    }
  return undefined
}
