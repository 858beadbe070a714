import { formatDay } from '../../../contract/dates.ts'
import type { DateMeaning, DeadlineSource } from '../../../contract/deadlines.ts'
import { AFTER, EARLIER_DAYS, FIELD_KINDS, MEANINGS, type Role, TERM_MEANINGS, type WordClass } from './date-grammar.ts'
import { type FoundDate, normalize, readTokens, toDay, type Token } from './date-tokens.ts'
import { addDays, countDays } from './rules.ts'

export type { FoundDate } from './date-tokens.ts'
export interface CertainDate extends FoundDate {
  readonly status: 'certain'
}
/** Dates that the text names without saying plainly that one of them is due: a person confirms one. */
export interface ProposedDates {
  readonly status: 'proposed'
  /** The likeliest first. */
  readonly dates: readonly [FoundDate, ...FoundDate[]]
  /** Why none is certain, for people. */
  readonly why: string
}
export interface NoDate {
  readonly status: 'none'
  readonly why: string
}
export type DateReading = CertainDate | ProposedDates | NoDate

/** Words with at most one date or term, up to a mark that ends them. */
interface Item {
  start: number
  end: number
  before: WordClass[]
  after: WordClass[]
  date?: FoundDate
  /** The first day of a term. */
  first?: string | null
  isList?: boolean
  /** A date without a day or a year counts from its first day. */
  isPart?: boolean
  readonly isAside: boolean
}
interface DatedItem extends Item {
  readonly date: FoundDate
  readonly role: Role | undefined
}

/** Why a text is not certain: the first reason found counts. */
type Doubts = string[]

const quote = (text: string): string => `“${text.length > 60 ? `${text.slice(0, 59).trim()}…` : text}”`
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const isDated = (token: Token | undefined) => token?.kind === 'date' || token?.kind === 'part'

/** The day of a date or a part of one; a part without a year is before `end`. */
const toStart = (token: Token, end?: string): string | null => {
  if (token.kind === 'date') return token.first ?? token.found.date
  if (token.kind !== 'part') return null
  if (token.year !== null || end === undefined) return toDay(token.year ?? 1900, token.month, token.day)
  const year = Number(end.slice(0, 4))
  const sameYear = toDay(year, token.month, token.day)
  return sameYear !== null && sameYear < end ? sameYear : toDay(year - 1, token.month, token.day)
}

/** Joins "7/1/2025 to 6/30/2030" into one date, and adds the reasons against terms that cannot be. */
const joinTerms = (tokens: readonly Token[], text: string, doubts: Doubts): Token[] => {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const [first, to, last] = [tokens[at]!, tokens[at + 1], tokens[at + 2]]
    const isTo = to?.kind === 'to' || (to?.kind === 'word' && to.does === 'through')
    if (!isDated(first) || !isTo || last?.kind !== 'date') {
      joined.push(first)
      continue
    }
    const start = toStart(first, last.found.date)
    joined.push({ ...last, start: first.start, first: start ?? last.found.date })
    const words = quote(text.slice(first.start, last.end))
    if (last.first !== null || (first.kind === 'date' && first.first !== null)) doubts.push(`${words} is not understood`)
    at += 2
  }
  return joined
}

/** Removes the weekdays, each with the mark between it and its date, after comparing them with their dates. */
const checkWeekdays = (tokens: readonly Token[], text: string, doubts: Doubts): Token[] => {
  const removed = new Set<Token>()
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'weekday') continue
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    const next = after?.kind === 'break' ? tokens[at + 2] : after
    const isMark = before?.kind === 'break' || before?.kind === 'to'
    const previous = isMark || before?.kind === 'open' ? tokens[at - 2] : before
    const date = isDated(next) ? next : previous
    const words = quote(text.slice(token.start, token.end))
    if (date?.kind !== 'date' || date.found.precision === 'month') doubts.push(`${words} is not understood`)
    else {
      const day = date.first ?? date.found.date
      const weekday = new Date(day).getUTCDay()
      if (weekday !== token.weekday) doubts.push(`${formatDay(day)} is a ${WEEKDAYS[weekday]}`)
    }
    removed.add(token)
    if (after && date === next && after !== next) removed.add(after)
    if (before && date === previous && isMark) removed.add(before)
  }
  return tokens.filter((token) => !removed.has(token))
}

const toItems = (tokens: readonly Token[]): Item[] => {
  const items: Item[] = []
  let depth = 0
  const add = (start: number, before: WordClass[] = []): Item => {
    const item = { start, end: start, before, after: [], isAside: depth > 0 }
    items.push(item)
    return item
  }
  let item = add(0)
  for (const token of tokens) {
    if (token.kind === 'open' || token.kind === 'close' || token.kind === 'break' || token.kind === 'to') {
      depth += token.kind === 'open' ? 1 : token.kind === 'close' && depth > 0 ? -1 : 0
      item = add(token.end)
      continue
    }
    if (token.kind === 'date' || token.kind === 'part') {
      // Words between two dates belong to the second.
      if (item.date) {
        const { after } = item
        item.after = []
        item = add(token.start, after)
      }
      if (token.kind === 'date') {
        item.date = token.found
        item.first = token.first
        item.isList = token.isList
      } else {
        item.date = { date: toStart(token) ?? '', precision: 'day' }
        item.isPart = true
      }
    } else if (token.kind === 'word' && token.does !== 'filler') (item.date ? item.after : item.before).push(token.does)
    item.end = token.end
  }
  return items
}

/** Words without a date belong to the next date if it has none of its own, those in parentheses to the one before. */
const attachWords = (items: readonly Item[], text: string, doubts: Doubts): void => {
  for (const [at, item] of items.entries()) {
    if (item.date || item.before.length === 0) continue
    const next = items.slice(at + 1).find(({ date }) => date)
    const previous = items.slice(0, at).findLast(({ date }) => date)
    if (previous && (item.isAside || !next)) {
      previous.after.push(...item.before)
      previous.end = item.end
    } else if (next && next.before.length === 0) {
      next.before = [...item.before]
      next.start = item.start
    } else if (item.before.some((does) => !['past', 'renewed', 'event'].includes(does)))
      doubts.push(`${quote(text.slice(item.start, item.end).trim())} is not understood`)
  }
}

const toSequence = (words: readonly WordClass[]): string => words.filter((word, at) => word !== words[at - 1]).join(' ')
/** What a date is by its words; undefined if they are not understood, or are of another kind of field ("due" in the field of an end). */
const findRole = ({ before, after, first, date, isPart }: Item, accepts: readonly Role[]): Role | undefined => {
  const meanings = first ? TERM_MEANINGS : MEANINGS
  const role = meanings[toSequence(before)]
  const later = toSequence(after) === 'confirmed' ? role : AFTER.has(toSequence(after)) ? meanings[toSequence(after)] : undefined
  const found = after.length === 0 ? role : before.length === 0 || role === later ? later : undefined
  const isForeign = [...before, ...after].some((does) => KINDS.has(does) && !accepts.includes(does as Role))
  const isVague = date?.precision === 'month' && before.includes('before')
  const isOnlyPart = isPart === true && found !== 'past' && found !== 'renewed' && found !== 'start' && found !== 'old'
  return isForeign || isVague || isOnlyPart ? undefined : found
}
const KINDS: ReadonlySet<WordClass> = new Set(['end', 'due', 'event'])
const listAccepted = (source: DeadlineSource | undefined): readonly Role[] =>
  source ? FIELD_KINDS[source.means].accepts : Object.values(FIELD_KINDS).flatMap(({ accepts }) => accepts)

const sameDates = (items: readonly DatedItem[]): boolean => items.every(({ date }) => date.date === items[0]?.date.date)

/** The date that counts, or why none does. */
const choose = (items: readonly DatedItem[], accepts: readonly Role[], means: DateMeaning | undefined): DatedItem | string => {
  const own = items.filter(({ role }) => role !== undefined && accepts.includes(role))
  const now = items.filter(({ role }) => role === 'now')
  const [chosen] = now.length > 0 ? now : own
  const others = items.filter(({ role }) => role !== 'now' && (role === undefined || !accepts.includes(role)))
  if (!chosen) {
    if (items.every(({ role }) => role === 'start')) return 'Only a start'
    if (items.some(({ role }) => role === 'term')) return 'Several days: which one counts?'
    return items.some(({ role }) => role === 'old' || role === 'past' || role === 'renewed')
      ? 'A past event or a date that no longer counts'
      : 'The date may be about something else'
  }
  const isLater = own.some((item) => items.indexOf(item) > items.indexOf(chosen) && item.date.date !== chosen.date.date)
  if (now.length > 0 ? !sameDates(now) || isLater : !sameDates(own)) return 'More than one date'
  const wrong = others.find(({ role, date }) => {
    const days = role === undefined ? undefined : EARLIER_DAYS[role]
    return role !== 'old' && (days === undefined || countDays(date.date, chosen.date.date) < days)
  })
  if (wrong)
    return wrong.role === undefined || EARLIER_DAYS[wrong.role] === undefined
      ? 'Another date beside it'
      : `${formatDay(wrong.date.date)} is not before ${formatDay(chosen.date.date)}, as the words say`
  if (chosen.role === 'plain' && others.length > 0 && items[0] !== chosen) return 'More than one date'
  if (means === 'term' && chosen.role === 'plain' && chosen.date.date.endsWith('-01')) return 'The first of a month: a start or an end?'
  return own.find(({ date }) => date.date === chosen.date.date && date.precision === 'day') ?? chosen
}

/** Reasons against a date because of what is beside it: a name, "5 years", "2025-26". */
const checkBeside = (text: string, tokens: readonly Token[], chosen: DatedItem, means: DateMeaning | undefined): string | undefined => {
  const isEnd = means === 'end' || means === 'term'
  for (const [at, token] of tokens.entries()) {
    // "Lease 8/1/2022" may be the day on which the lease was signed or starts.
    if (token.kind === 'name' && isEnd && chosen.role === 'plain' && /\p{L}/u.test(text.slice(token.start, token.end)))
      return `Is it the end of ${quote(text.slice(token.start, token.end))}?`
    if (token.kind === 'school year' && isEnd && chosen.role === 'plain') return 'Which day of the years is it?'
    if (token.kind !== 'span') continue
    const isTerm = token.isAdjective || tokens[at + 1]?.kind === 'name'
    const years = chosen.first ? Math.round((countDays(chosen.first, chosen.date.date) + 1) / 365.25) : undefined
    if (years === undefined ? chosen.role === 'plain' || (!isTerm && token.start > chosen.start) : years !== token.count)
      return `${token.count} years from or to which day?`
  }
  return undefined
}

const addSpan = (day: string, count: number, unit: 'day' | 'week' | 'month' | 'year'): string => {
  if (unit === 'day' || unit === 'week') return addDays(day, count * (unit === 'week' ? 7 : 1))
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count * (unit === 'year' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1]
  // January 31 plus a month is the last day of February.
  return toDay(year, month, Number(day.slice(8))) ?? toDay(year, month) ?? day
}

const LATER = /^ ?(?:after|following|from|past)\b/i
const SOONER = /^ ?(?:before|prior|preceding|ahead)\b/i
const UNCOUNTED = /\b(?:within|business|school|working)\b|w\/in/i
/** The day that a text counts to from its only date: "11/18/2026 + 30 days", "5 years from 7/1/2025". */
const calculate = (text: string, tokens: readonly Token[], dates: readonly DatedItem[]): FoundDate[] => {
  const spans = tokens.filter((token) => token.kind === 'span')
  const [span, from] = [spans[0], dates[0]]
  if (!span || !from || spans.length > 1 || dates.length > 1 || from.isPart || from.date.precision === 'month' || UNCOUNTED.test(text))
    return []
  const [before, after] = [text.slice(Math.max(0, span.start - 12), span.start), text.slice(span.end, span.end + 12)]
  if (span.start > from.start && (SOONER.test(after) || LATER.test(after))) return []
  const sign = SOONER.test(after) || /(?:minus|less|-) ?$/.test(before) ? -1 : 1
  const isStart = span.unit === 'year' && sign === 1 && (from.role === 'start' || /\bfor ?$/i.test(before) || LATER.test(after))
  if (sign === 1 && !isStart && !LATER.test(after) && !/(?:\+|plus|extended(?: by)?) ?$/i.test(before)) return []
  const day = addSpan(from.date.date, sign * span.count, span.unit)
  return [{ date: isStart && from.role === 'start' ? addDays(day, -1) : day, precision: 'day' }]
}

const LIKELY: readonly (Role | undefined)[] = [
  'now',
  'end',
  'due',
  'event',
  'term',
  'by',
  'through',
  'plain',
  undefined,
  'start',
  'renewed',
  'past',
  'old',
]
/** The dates of a text, the likeliest first. */
const rank = (items: readonly DatedItem[], accepts: readonly Role[], means: DateMeaning | undefined): FoundDate[] => {
  const getPlace = ({ role }: DatedItem): number =>
    LIKELY.indexOf(role) + (role === undefined || role === 'now' || accepts.includes(role) ? 0 : LIKELY.length)
  return items
    .filter(({ isPart }) => !isPart)
    .toSorted((a, b) => getPlace(a) - getPlace(b))
    .flatMap(({ date, first }) => (means === 'event' && first ? [{ date: first, precision: 'day' as const }, date] : [date]))
}

const MAX_PROPOSED = 6
const explainNone = (text: string, tokens: readonly Token[]): string => {
  const notUnderstood = (from: Token, to: Token): string => `${quote(text.slice(from.start, to.end))} is not understood`
  const wrong = tokens.find(({ kind }) => kind === 'no such day')
  if (wrong) return `${quote(text.slice(wrong.start, wrong.end))} is not a day of the calendar`
  const unread = tokens.filter(({ kind }) => kind === 'unknown' || kind === 'weekday')
  const hasWeekday = unread.some(({ kind }) => kind === 'weekday')
  const number = unread.find(({ start, end }) => {
    const words = text.slice(start, end)
    return /\d/.test(words) && !(hasWeekday && ORDINAL.test(words))
  })
  if (number) return notUnderstood(number, number)
  const parts = tokens.filter((token) => token.kind === 'part' || token.kind === 'school year')
  const first = tokens.find((token) => unread.includes(token) || (token.kind === 'part' && token.year === null))
  if (parts.some((token) => token.kind !== 'part' || token.year !== null)) {
    const last = tokens.findLast((token) => unread.includes(token) || parts.includes(token))
    return first && last ? notUnderstood(first, last) : 'A year, not a date'
  }
  if (parts.length > 0) return 'No year'
  if (tokens.some(({ kind }) => kind === 'span')) return COUNTED.test(text) ? 'Counted from another day' : 'A length of time, not a date'
  return hasWeekday ? 'A weekday, not a date' : NO_DATE
}
/** The reason for a text with nothing like a date. */
export const NO_DATE = 'No date in it'
const ORDINAL = /^\d(?:st|nd|rd|th)$/i
const COUNTED = /\b(?:after|following|from|before|prior|preceding|ahead|past|within|in|of)\b|w\/in/i

/** The words that are not in the grammar, or the day that does not exist. */
const findUnknown = (text: string, tokens: readonly Token[]): string | undefined => {
  const at = tokens.findIndex(
    (token) => token.kind === 'unknown' || token.kind === 'no such day' || (token.kind === 'span' && token.unit !== 'year'),
  )
  const first = tokens[at]
  if (!first) return tokens.at(-1)?.kind === 'to' ? 'A term without an end' : undefined
  if (first.kind === 'no such day') return `${quote(text.slice(first.start, first.end))} is not a day of the calendar`
  const known = tokens.slice(at).findIndex(({ kind }) => kind !== 'unknown' && kind !== 'span' && kind !== 'part')
  const last = known > 0 ? tokens[at + known - 1] : known < 0 ? tokens.at(-1) : first
  return `${quote(text.slice(first.start, last?.end))} is not understood`
}

/** A longer text is not a date with its words; only its beginning is read for proposals. */
const MAX_READ_LENGTH = 2000

/** The one date that a text plainly names as the field's; otherwise the dates that it may mean, or why there is none. */
export const readDate = (original: string, source?: DeadlineSource): DateReading => {
  const trimmed = original.trim()
  const text = normalize(trimmed.slice(0, MAX_READ_LENGTH))
  const all = readTokens(text, source?.names ?? [])
  if (!all.some(({ kind }) => kind === 'date')) return { status: 'none', why: explainNone(text, all) }
  const accepts = listAccepted(source)
  const doubts: Doubts = []
  const unknown = findUnknown(text, all)
  if (unknown) doubts.push(unknown)
  if (all.some((token) => token.kind === 'date' && token.isCounted)) doubts.push('Worked out from the calendar. Is it right?')
  if (trimmed.length > MAX_READ_LENGTH) doubts.push('Too long to be read whole')
  const tokens = joinTerms(checkWeekdays(all, text, doubts), text, doubts)
  const items = toItems(tokens)
  attachWords(items, text, doubts)
  const dated = items.flatMap((item): DatedItem[] => (item.date ? [{ ...item, date: item.date, role: findRole(item, accepts) }] : []))
  for (const { role, start, end, first, date, isList } of dated) {
    if (role === undefined) doubts.push(`${quote(text.slice(start, end).trim())} is not understood`)
    if (isList) doubts.push('More than one date')
    if (first && first >= date.date && role !== 'now' && role !== 'old') doubts.push('The term ends before it starts')
  }
  const chosen = choose(dated, accepts, source?.means)
  const why = doubts[0] ?? (typeof chosen === 'string' ? chosen : checkBeside(text, tokens, chosen, source?.means))
  if (why === undefined && typeof chosen !== 'string') return { status: 'certain', ...chosen.date }
  const found = [...calculate(text, tokens, dated), ...rank(dated, accepts, source?.means)]
  const [first, ...others] = found.filter(({ date }, at) => found.findIndex((one) => one.date === date) === at).slice(0, MAX_PROPOSED)
  return first ? { status: 'proposed', dates: [first, ...others], why: why ?? '' } : { status: 'none', why: why ?? '' }
}
