import { memoize } from '../../../contract/memoize.ts'
import { DATE_FORMS, PART_FORMS, SCHOOL_YEARS, TIMES, WEEKDAY_FORM, type WordClass, WORDS } from './date-grammar.ts'

/** A day as YYYY-MM-DD; `month` if the text names only a month, which counts as its last day. */
export interface FoundDate {
  readonly date: string
  readonly precision: 'day' | 'month'
}
/** A day, a month, or a term from one day to another. */
export interface DateToken {
  readonly kind: 'date'
  readonly found: FoundDate
  /** The first day of several. */
  readonly first: string | null
  /** Whether the days are a list and not a term. */
  readonly isList: boolean
  /** Whether it was counted in the calendar: the third Thursday of a month. */
  readonly isCounted: boolean
}
/** A date without a day or a year: `from` is the earliest it can be in that year, or null without a year. */
export interface PartToken {
  readonly kind: 'part'
  readonly year: number | null
  readonly month: number
  readonly day: number
}
type Meaning =
  | DateToken
  | PartToken
  | { readonly kind: 'word'; readonly does: WordClass }
  | { readonly kind: 'name' | 'time' | 'school year' | 'to' | 'break' | 'colon' | 'open' | 'close' | 'unknown' | 'no such day' }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'span'; readonly count: number; readonly unit: 'day' | 'week' | 'month' | 'year'; readonly isAdjective: boolean }
export type Token = Meaning & { readonly start: number; readonly end: number }

/** A text with more is not a date with its words. */
const MAX_TOKENS = 200
/** What may not follow a date, so that a letter or a digit that touches it (as a scanner misreads them) leaves it unread. */
const END = "(?![\\p{L}\\p{N}_%]|[/.:']\\p{N}|[/|\\\\]|\\?\\?)"
const WORD_END = "(?![\\p{L}\\p{N}_'/|\\\\])"
/** Those made of the tables, for the test of their running time. */
export const EXPRESSIONS: RegExp[] = []
const compile = (pattern: string, end = END): RegExp => {
  const expression = new RegExp(`(?:${pattern})${end}`, 'iuy')
  EXPRESSIONS.push(expression)
  return expression
}
const anyOf = (forms: readonly (readonly [string, string])[]): RegExp => compile(forms.map(([, pattern]) => pattern).join('|'))
const toPhrase = (phrase: string): string => phrase.replaceAll('.', '\\.?').replaceAll(/[ -]/g, '[ -]')
const ofPhrases = (phrases: readonly string[]): RegExp =>
  compile(
    phrases
      .toSorted((a, b) => b.length - a.length)
      .map(toPhrase)
      .join('|'),
    WORD_END,
  )

const DATES = DATE_FORMS.map(([, pattern]) => compile(pattern))
const PARTS = PART_FORMS.map(([, pattern]) => compile(pattern))
const TIME = anyOf(TIMES)
const SCHOOL_YEAR = anyOf(SCHOOL_YEARS)
const CLASSES = new Map<string, WordClass>(
  Object.entries(WORDS).flatMap(([does, { words }]) =>
    words.split(', ').map((word) => [word.replace('.', ''), does as WordClass] as const),
  ),
)
const WORD = ofPhrases(Object.values(WORDS).flatMap(({ words }) => words.split(', ')))
const WEEKDAY = compile(WEEKDAY_FORM)
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const SPAN = compile(`(\\d{1,3}|${NUMBERS.join('|')})(?: ?\\(\\d{1,3}\\))?( |-)?(?:calendar )?(day|week|wk|month|mo|year|yr)s?\\.?`)
const MARKS: readonly (readonly [RegExp, Token['kind']])[] = [
  [/[([]/uy, 'open'],
  [/[)\]]/uy, 'close'],
  [/:/uy, 'colon'],
  [/->|→/uy, 'word'],
  [/-+/uy, 'to'],
  [/[;,\n]|\.(?!\p{N})|\|(?= |\n|$)|(?:&|and)(?![\p{L}\p{N}])/iuy, 'break'],
  [/["@•]|!(?= |$)/uy, 'name'],
]
const UNREAD = /\p{L}+(?:'\p{L}+)*(?![\p{L}\p{N}'_\\|]|\/(?!\p{L}))|[^\s\p{L}\p{N}|/\\_]|\/(?=\p{L})|[^\s,;()[\]]+|\S/uy

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const toMonth = (text: string): number => (/^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1)
/** Charters have existed since 1992 and leases run for decades: 90 to 99 belong to the last century, all others to this one. */
const toYear = (text: string): number => {
  const digits = text.replace("'", '')
  return digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 90 ? 2000 : 1900)
}

/** A day of the calendar as YYYY-MM-DD, the last of the month without a day; null for a day that does not exist and for years that are typing errors. */
export const toDay = (year: number, month: number, day?: number): string | null => {
  if (year < 1900 || year >= 2200 || month < 1 || month > 12) return null
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day === 0 || (day ?? 1) > lastDay) return null
  return new Date(Date.UTC(year, month - 1, day ?? lastDay)).toISOString().slice(0, 10)
}

const toWeekday = (text = ''): number => WEEKDAYS.indexOf(text.toLowerCase())
const NTHS = ['first', 'second', 'third', 'fourth', 'fifth']
/** The day of the month that is its nth or last weekday of a kind; may be after the end of the month. */
const countWeekday = (year: number, month: number, nth: string, weekday: number): number => {
  const firstOfMonth = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const first = 1 + ((weekday - firstOfMonth + 7) % 7)
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (nth.toLowerCase() === 'last') return first + Math.floor((lastDay - first) / 7) * 7
  return first + (/^\d/.test(nth) ? Number(nth[0]) - 1 : NTHS.indexOf(nth.toLowerCase())) * 7
}

const readForms = (text: string, at: number): readonly [Meaning, number] | undefined => {
  for (const form of DATES) {
    const match = matchAt(form, text, at)
    if (!match) continue
    const { year = '', month = '', last, list, nth, weekday, ...groups } = match.groups ?? {}
    const [y, m] = [toYear(year), toMonth(month)]
    const day = nth === undefined ? groups['day'] : String(countWeekday(y, m, nth, toWeekday(weekday)))
    const first = day === undefined || last === undefined ? null : toDay(y, m, Number(day))
    const date = toDay(y, m, day === undefined ? undefined : Number(last ?? day))
    const isDate = date !== null && (last === undefined || (first !== null && first < date))
    const found = { date: date ?? '', precision: day === undefined ? 'month' : 'day' } as const
    return [
      isDate ? { kind: 'date', found, first, isList: list !== undefined, isCounted: nth !== undefined } : { kind: 'no such day' },
      form.lastIndex,
    ]
  }
  return undefined
}

const readPart = (text: string, at: number): readonly [Meaning, number] | undefined => {
  for (const form of PARTS) {
    const groups = matchAt(form, text, at)?.groups
    if (!groups) continue
    const { year, month = '1', day = '1' } = groups
    const part = { kind: 'part', year: year === undefined ? null : Number(year), month: toMonth(month), day: Number(day) } as const
    return [toDay(part.year ?? 2000, part.month, part.day) === null ? { kind: 'no such day' } : part, form.lastIndex]
  }
  return undefined
}

const readSpan = (text: string, at: number): readonly [Meaning, number] | undefined => {
  const [, number = '', mark, unit = ''] = matchAt(SPAN, text, at) ?? []
  if (unit === '') return undefined
  const count = /\d/.test(number) ? Number(number) : NUMBERS.indexOf(number.toLowerCase()) + 1
  const units = { d: 'day', w: 'week', m: 'month', y: 'year' } as const
  return [{ kind: 'span', count, unit: units[unit[0]?.toLowerCase() as keyof typeof units], isAdjective: mark === '-' }, SPAN.lastIndex]
}

const readToken = (text: string, at: number, names: RegExp | undefined): readonly [Meaning, number] => {
  const ofForm = readForms(text, at)
  if (ofForm) return ofForm
  if (names && matchAt(names, text, at)) return [{ kind: 'name' }, names.lastIndex]
  if (matchAt(TIME, text, at)) return [{ kind: 'time' }, TIME.lastIndex]
  if (matchAt(SCHOOL_YEAR, text, at)) return [{ kind: 'school year' }, SCHOOL_YEAR.lastIndex]
  const span = readSpan(text, at)
  if (span) return span
  for (const [mark, kind] of MARKS) {
    if (!matchAt(mark, text, at)) continue
    return [kind === 'word' ? { kind, does: 'now' } : ({ kind } as Meaning), mark.lastIndex]
  }
  const word = matchAt(WORD, text, at)
  if (word) {
    const does = CLASSES.get(word[0].toLowerCase().replaceAll('-', ' ').replace(/\.$/, ''))
    if (does) return [{ kind: 'word', does }, WORD.lastIndex]
  }
  const weekday = matchAt(WEEKDAY, text, at)
  if (weekday) return [{ kind: 'weekday', weekday: toWeekday(weekday.groups?.['weekday']) }, WEEKDAY.lastIndex]
  const part = readPart(text, at)
  if (part) return part
  matchAt(UNREAD, text, at)
  return [{ kind: 'unknown' }, Math.max(UNREAD.lastIndex, at + 1)]
}

/** Unifies spelling without changing the meaning: widths, dashes, apostrophes, spaces. */
export const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()

const getNamePattern = memoize((names: readonly string[]) => ofPhrases(names))

/** The words, numbers and marks of a normalized text. A token looks ahead a fixed distance, and their number is limited: the time is linear. */
export const readTokens = (text: string, names: readonly string[]): Token[] => {
  const tokens: Token[] = []
  const pattern = names.length > 0 ? getNamePattern(names) : undefined
  for (let at = 0; at < text.length;) {
    if (text[at] === ' ') {
      at++
      continue
    }
    if (tokens.length === MAX_TOKENS) return [...tokens, { kind: 'unknown', start: at, end: text.length }]
    const [meaning, end] = readToken(text, at, pattern)
    tokens.push({ ...meaning, start: at, end })
    at = end
  }
  return tokens
}
