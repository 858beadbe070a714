import { createDayFormat, formatDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import type { Deadline } from '../contract.ts'
import { addDays, countDays, formatDistance } from '../rules.ts'
import { getShownDate } from './agenda.ts'

const toIso = (year: number, month: number): string => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)

/** The first day of a day's quarter, plus a number of quarters. */
export const getQuarterStart = (day: string, quartersLater = 0): string =>
  toIso(Number(day.slice(0, 4)), Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + quartersLater * 3)

/** Twelve months: the first day, and the day after the last. */
export interface YearRange {
  readonly start: string
  readonly end: string
}

export const getYearRange = (start: string): YearRange => ({ start, end: getQuarterStart(start, 4) })

/** The position of a day in the year, from 0 to 1. */
export const toFraction = (day: string, { start, end }: YearRange): number => countDays(start, day) / countDays(start, end)

export interface YearMonth {
  /** 'Oct' */
  readonly name: string
  readonly fraction: number
  /** 'Oct – Dec', at the first month of a quarter; with the year if it is another one. */
  readonly quarter: string | null
}

const formatMonth = createDayFormat({ month: 'short' })
const formatMonthYear = createDayFormat({ month: 'short', year: 'numeric' })

export const listMonths = (range: YearRange): YearMonth[] =>
  Array.from({ length: 12 }, (_, at) => {
    const first = toIso(Number(range.start.slice(0, 4)), Number(range.start.slice(5, 7)) - 1 + at)
    const last = toIso(Number(first.slice(0, 4)), Number(first.slice(5, 7)) + 1)
    const year = first.slice(0, 4)
    return {
      name: formatMonth(first),
      fraction: toFraction(first, range),
      quarter: at % 3 > 0 ? null : `${formatMonth(first)} – ${formatMonth(last)}${year === range.start.slice(0, 4) ? '' : ` ${year}`}`,
    }
  })

/** 'Oct 2026 – Sep 2027' */
export const formatYearRange = ({ start, end }: YearRange): string => `${formatMonthYear(start)} – ${formatMonthYear(addDays(end, -1))}`

/** A record with its deadlines, as one row of the year. */
export interface YearRow {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly region: string | null
  readonly isSite: boolean
  readonly deadlines: readonly Deadline[]
  /** The first open deadline, including overdue ones. */
  readonly next: Deadline | null
  readonly termStart: string | null
  readonly termEnd: string | null
}

const TERM = /\b(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\s*(?:to|through|thru|until|[-–—])\s*\d/i

/** The first day of a term if a text names both ends. */
export const readTermStart = (text: string): string | null => {
  const [, month = '', day = '', year = ''] = TERM.exec(text) ?? []
  const iso = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return Number.isNaN(Date.parse(iso)) ? null : iso
}

/** The fields with the end of a charter's term; the first that has a date counts. */
const TERM_FIELDS = ['charter_expiration_date', 'petition_term', 'mou_term']

const findTerm = (terms: readonly Deadline[]): Pick<YearRow, 'termStart' | 'termEnd'> => {
  const current = terms.filter(({ isCurrent }) => isCurrent)
  for (const field of TERM_FIELDS) {
    const [end] = current.filter(({ source }) => source?.field === field).toSorted((a, b) => (a.date < b.date ? -1 : 1))
    if (!end) continue
    const starts = current.flatMap(({ date, source }) => (date === end.date ? (readTermStart(source?.text ?? '') ?? []) : []))
    return { termStart: starts[0] ?? null, termEnd: end.date }
  }
  return { termStart: null, termEnd: null }
}

interface YearRecords {
  readonly deadlines: readonly Deadline[]
  /** All ends of terms, regardless of filters. */
  readonly terms: readonly Deadline[]
  readonly charterOfSite: ReadonlyMap<string, { readonly _id: string; readonly slug: string; readonly name: string }>
}

/** Deadlines by charter; those of a site are in its charter's row, or in a separate one if it has none. */
export const buildYearRows = ({ deadlines, terms, charterOfSite }: YearRecords): YearRow[] => {
  const of = (deadline: Deadline) => deadline.charter ?? charterOfSite.get(deadline.site?._id ?? '') ?? deadline.site
  const termsOf = Map.groupBy(terms, ({ charter }) => charter?._id)
  return [...Map.groupBy(deadlines, (deadline) => of(deadline)?._id)].flatMap(([_id, own]): YearRow[] => {
    const [first] = own
    const record = first && of(first)
    if (!first || !record || _id === undefined) return []
    const sorted = own.toSorted((a, b) => (getShownDate(a) < getShownDate(b) ? -1 : 1))
    return [
      {
        ...record,
        isSite: record === first.site,
        region: first.region?.name ?? null,
        deadlines: sorted,
        next: sorted.find(({ state }) => state !== 'handled') ?? null,
        ...findTerm(termsOf.get(_id) ?? []),
      },
    ]
  })
}

export const YEAR_ORDERS = { next: 'next deadline', charter: 'charter', term: 'end of term' } as const
export type YearOrder = keyof typeof YEAR_ORDERS

const LAST = '9999'

export const sortYearRows = (rows: readonly YearRow[], order: YearOrder): YearRow[] => {
  const toKey = ({ next, termEnd }: YearRow): string =>
    order === 'next' ? (next ? getShownDate(next) : LAST) : order === 'term' ? (termEnd ?? LAST) : ''
  return rows.toSorted((a, b) => {
    const [keyA, keyB] = [toKey(a), toKey(b)]
    return keyA === keyB ? a.name.localeCompare(b.name) : keyA < keyB ? -1 : 1
  })
}

/** One or more deadlines drawn as one mark. */
export interface YearMark {
  readonly deadlines: readonly [Deadline, ...Deadline[]]
  /** From 0 to 1. */
  readonly fraction: number
  /** On the line, above or below it. */
  readonly lane: -1 | 0 | 1
  /** Shows a number instead of icons. */
  readonly isCount: boolean
}

interface MarkSpace {
  readonly range: YearRange
  /** The width of the year and of a mark, in the same unit. */
  readonly width: number
  readonly markWidth: number
}

/** A longer chain of marks is split into groups, so that a count stays close to its days. */
const MAX_GROUP_WIDTHS = 3
const MIN_COUNT = 4

/**
 * The positions of a row's marks. Those with the same kind, day and state are one mark; marks that would overlap are placed above and below; four or
 * more become a count.
 */
export const layoutMarks = (deadlines: readonly Deadline[], { range, width, markWidth }: MarkSpace): YearMark[] => {
  const shown = deadlines.filter((deadline) => getShownDate(deadline) >= range.start && getShownDate(deadline) < range.end)
  const same = [...Map.groupBy(shown, (deadline) => `${getShownDate(deadline)} ${deadline.kind} ${deadline.state}`).values()]
  const marks = same
    .map((own) => ({ deadlines: own as [Deadline, ...Deadline[]], fraction: toFraction(getShownDate(own[0]!), range) }))
    .toSorted((a, b) => a.fraction - b.fraction)
  const gap = markWidth / width
  const groups: (typeof marks)[] = []
  for (const mark of marks) {
    const group = groups.at(-1)
    const [first, last] = [group?.[0], group?.at(-1)]
    if (group && first && last && mark.fraction - last.fraction < gap && mark.fraction - first.fraction < gap * MAX_GROUP_WIDTHS)
      group.push(mark)
    else groups.push([mark])
  }
  return groups.flatMap((group): YearMark[] => {
    const [first, last] = [group[0]!, group.at(-1)!]
    if (group.length === 1) return [{ ...first, lane: 0, isCount: false }]
    if (group.length >= MIN_COUNT || (group.length === 3 && last.fraction - first.fraction < gap)) {
      const all = group.flatMap((mark) => mark.deadlines) as unknown as [Deadline, ...Deadline[]]
      return [{ deadlines: all, fraction: (first.fraction + last.fraction) / 2, lane: 0, isCount: true }]
    }
    return group.map((mark, at) => ({ ...mark, lane: at % 2 === 0 ? -1 : 1, isCount: false }))
  })
}

/** The line of a row: the current term, and what follows without one. From 0 to 1; null if there is none. */
export const layoutTerm = (
  { termStart, termEnd }: Pick<YearRow, 'termStart' | 'termEnd'>,
  range: YearRange,
): { readonly term: readonly [number, number] | null; readonly none: readonly [number, number] | null; readonly hasStart: boolean } => {
  if (termEnd === null || termEnd < range.start) return { term: null, none: [0, 1], hasStart: false }
  const from = termStart !== null && termStart > range.start ? Math.min(1, toFraction(termStart, range)) : 0
  const to = Math.min(1, toFraction(termEnd, range))
  return { term: from < to ? [from, to] : null, none: to < 1 ? [to, 1] : null, hasStart: from > 0 && from < to }
}

export const isOverdue = (deadline: Deadline, today: string): boolean => deadline.state !== 'handled' && getShownDate(deadline) < today

/** 'Oversight report, Bright Harbor - Grand River, 11/13/2026, 9 days overdue' */
export const formatMarkName = (deadline: Deadline, record: string, today: string): string =>
  [deadline.title, record, formatDay(getShownDate(deadline)), formatState(deadline, today)].join(', ')

/** '9 days overdue', 'handled', 'put off', 'in 12 days' */
export const formatState = (deadline: Deadline, today: string): string => {
  if (deadline.state === 'handled') return 'handled'
  const distance = formatDistance(getShownDate(deadline), today)
  return deadline.state === 'snoozed' ? `put off, ${distance}` : distance
}

/** '3 deadlines, Bright Harbor - Grand River, 01/04/2027 to 01/09/2027: Oversight, Funding' */
export const formatCountName = (deadlines: readonly Deadline[], record: string): string => {
  const days = deadlines.map(getShownDate).toSorted()
  const kinds = [...new Set(deadlines.map(({ kind }) => DEADLINE_KINDS[kind].name))]
  return `${deadlines.length} deadlines, ${record}, ${formatDay(days[0] ?? '')} to ${formatDay(days.at(-1) ?? '')}: ${kinds.join(', ')}`
}
