import { formatDay } from '../../../contract/dates.ts'
import type { DeadlineSource } from './fields.ts'
import { findDateMentions } from './find-date-mentions.ts'
import type { DateMention, MentionFault } from './find-date-mentions.ts'

type NoDateReason =
  | MentionFault
  | 'no-date'
  | 'several'
  | 'year-only'
  | 'school-year'
  | 'season'
  | 'relative'
  | 'vague'
  | 'weekday'
  | 'past'
  | 'replaced'
  | 'canceled'
  | 'possible'
  | 'open-term'

/** A day as YYYY-MM-DD; `month` if the text names only a month, which counts as its last day. */
export interface FoundDate {
  readonly date: string
  readonly precision: 'day' | 'month'
}
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

interface Missing {
  readonly date: null
  readonly why: NoDateReason
  readonly dates?: readonly string[]
  readonly suggestion?: string
}

/** The meaning of a date according to the words around it. `term` is the end of a term without further words. */
type Role = 'current' | 'due' | 'expected' | 'term' | 'plain' | 'past' | 'replaced' | 'canceled' | 'possible' | 'relative' | 'open-term'
interface Candidate {
  readonly mention: DateMention
  readonly role: Role
  readonly fault?: NoDateReason | undefined
  readonly suggestion?: string | undefined
  readonly isAside: boolean
}

const CURRENT =
  /\b(?:now|new|current|currently|revised|updated|corrected|extended|extension|moved|postponed|rescheduled|pushed(?: back)?|changed|amended)\b/
const MOVED =
  /\b(?:extended|moved|postponed|rescheduled|pushed(?: back)?|changed|now|new|current|currently)(?: (?:date|day|term|is|to|until|on|for))* ?[:=-]* ?$/
const CHANGED = /\b(?:extended|moved|postponed|rescheduled|pushed|changed|revised|amended|delayed)\b/
const DUE = /\b(?:due|deadlines?|expir(?!ed)\w*|exp|ends?|ending|terminates|termination|lapses|sunsets?|by|until|through|thru|valid)\b/g
const EXPECTED = /\b(?:next|upcoming|expected|scheduled|anticipated|planned|expired|ended)\b/
const PAST =
  /(?<!\bbe )\b(?:approved|adopted|submitted|received|held|signed|filed|sent|mailed|delivered|completed|done|visited|met|voted|granted|issued|recorded|ratified|executed|accepted|denied|rejected|opened|established|founded|authorized|renewed|amended|updated|revised|corrected|presented|reviewed|heard|conducted|finished|paid|posted|notified|requested|reported|closed|certified|accredited|awarded|elected|appointed|seated|sworn|hired|started|starts?|began|begins?|beginning|begun|starting|commenc\w*|effective|since|as of|took|dated)\b/g
const REPLACED =
  /\b(?:original|originally|was|were|previous|previously|former|formerly|old|initial|initially|earlier|prior(?! to)|last(?! (?:day|date))|superseded|replaced|replaces)\b/
const CANCELED =
  /\b(?:not|never|no longer|no (?:meeting|visit|hearing|deadline)|cancell?ed|voided|withdrawn|rescinded|waived|instead of|rather than|except|wrong|incorrect)\b|n't\b/
const POSSIBLE =
  /\b(?:may be|might|could|would|possible|possibly|perhaps|maybe|if|unless|proposed|pending approval|requested|option|optional)\b/
const START_BEFORE = /(?:^|[^a-z])(?:after|following|since|from|as of|starting|beginning|effective|commencing)(?: (?:on|the))? ?:? ?$/
const DUE_BEFORE =
  /(?:^|[^a-z])(?:by|before|prior to|until|'?till?|thru|through|to|ending|->|=>|→)(?: (?:the|end of|on|close of business|cob|eod|noon|midnight))* ?[:,]? ?$/
const VAGUE_BEFORE =
  /(?:(?<![a-z])(?:around|about|approx(?:imately)?|circa|ca|roughly|est(?:imated)?|(?:the )?weeks? (?:of|beginning)|near|sometime (?:in|around)))[. ]*(?:the )?(?:end of )?$|(?:tbd|tba|spring|summer|fall|winter)(?: \d{4})? or $|~ ?$/
const VAGUE_AFTER =
  /^ ?\(?(?:\?|approx|estimate|est\.|or so\b|or (?:later|after|thereafter|when|upon|as|once|tbd|tba|the|next|spring|summer|fall|winter)\b|ish\b)/
const VAGUE_MONTH_BEFORE =
  /(?<![a-z])(?:mid|middle|early|late|beginning|start|after|before|prior to|following|since|from|half|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: in)?|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?(?: ?\/| ?&|,? (?:or|and)))[- ]*(?:of |in )?$/
/** "fifth of June 2027", "28 to 30. June 2027" */
const PART_BEFORE = /(?<!\b(?:end|month|close|day)) of $|\b\d{1,2}(?:st|nd|rd|th)?\.? $/
const VAGUE_MONTH_AFTER = /^ ?[,(]? ?(?:the )?(?:1st|2nd|3rd|4th|first|second|third|fourth|last|early|late|mid|week|beginning|start)\b/
const OPEN_END =
  /^ ?(?:-+|to|thru|through|until|till?) ?(?:$|tbd|tba|present|open|ongoing|current|now|date\b|\?|(?:19|20)\d\d(?!\d)|fy|spring|summer|fall|winter)/
const TO =
  /^(?:,? ?(?:at )?\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\.?)?)?[ \n]?(?:-+>?|→|=>|to|thru|through|until|till?)[ \n]?(?:the end of )?(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]* )?(?:on )?$/
const BETWEEN = /\bbetween ?$/
const OFFSET_BEFORE =
  /(?:(\d{1,3})\)? (?:calendar )?)?\b(day|week|month|year)s? (after|following|from|before|prior to|preceding|ahead of|past)\b/g
const WEEKDAY_OFFSET = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:after|following|before|prior to|preceding)\b/
const WITHIN = /\bwithin\b[^;\n]{0,30}\b(?:days|weeks|months|years) of\b/
const OFFSET_AFTER = /^[ ,]*(\+|plus|minus|less|-) ?(\d{1,3}) (?:calendar )?(day|week|month|year)s?\b/
const OFFSET_LATER = /^[ ,]*\d{1,3} [a-z]+ (?:later|after|thereafter|prior|before)\b/
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = '(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|rs|rsday|r|urday)?'
const WEEKDAY_BEFORE = new RegExp(String.raw`(?<![a-z])${WEEKDAY}[.,]* ?\(?$`)
const WEEKDAY_AFTER = new RegExp(String.raw`^,? ?\(?${WEEKDAY}(?![a-z])`)
const STRONG_BREAK = /[;\n|]|\.(?= )/
const WEAK_BREAK = /[,()]| -+ /

/** Normalizes spelling without changing the meaning: widths, dashes, apostrophes, spaces, URLs, and the variants of "by" and "after". */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .toLowerCase()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/https?:\/\/\S*|www\.\S*/g, '')
    .replace(/(?<!\d)(\d{1,2}) ?\/ ?(\d{1,2}) ?\/ ?('?\d{2,4})(?!\d)/g, '$1/$2/$3')
    .replace(/\b(?:no|not) (?:earlier|sooner) than\b|\bnot (?:before|until)\b|\bon or after\b/g, 'after')
    .replace(/\b(?:no|not) later than\b|\bnot (?:after|beyond|past|to exceed)\b|\bon or before\b/g, 'by')
    .replace(/\bnot yet [a-z]+/g, '')
    .trim()

const addToDay = (day: string, count: number, unit: string | undefined): string => {
  const date = new Date(`${day}T00:00:00Z`)
  if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1))
  else {
    const dayOfMonth = date.getUTCDate()
    date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1))
    // January 31 plus a month is the last day of February.
    if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0)
  }
  return date.toISOString().slice(0, 10)
}

/** Whether a date is only the start of a calculation, and its result. */
const findOffset = (before: string, after: string, day: string | undefined): { suggestion?: string | undefined } | undefined => {
  const later = OFFSET_AFTER.exec(after)
  if (later)
    return {
      suggestion:
        day && later[1] !== '-' ? addToDay(day, Number(later[2]) * (/minus|less/.test(later[1] ?? '') ? -1 : 1), later[3]) : undefined,
    }
  if (OFFSET_LATER.test(after)) return {}
  const clause = before.slice(-120).split(STRONG_BREAK).at(-1) ?? ''
  if (WITHIN.test(clause) || WEEKDAY_OFFSET.test(clause)) return {}
  const earlier = [...clause.matchAll(OFFSET_BEFORE)].at(-1)
  if (!earlier) return undefined
  const sign = /before|prior|preceding|ahead/.test(earlier[3] ?? '') ? -1 : 1
  const isExact = day && earlier[1] && !clause.includes('within')
  return { suggestion: isExact ? addToDay(day, sign * Number(earlier[1]), earlier[2]) : undefined }
}

/** The meaning of a few words next to a date; undefined if they have none. */
const findRole = (words: string, side: 'before' | 'after', isTerm: boolean): Role | undefined => {
  if (CANCELED.test(words)) return 'canceled'
  const isChangedFrom = side === 'before' && !isTerm && CHANGED.test(words) && /\bfrom ?$/.test(words)
  if (isChangedFrom || REPLACED.test(words) || (side === 'after' && CHANGED.test(words) && !/\b(?:revised|amended)\b/.test(words)))
    return 'replaced'
  if (POSSIBLE.test(words)) return 'possible'
  if (side === 'before' && !isTerm && START_BEFORE.test(words)) return 'past'
  const isDueBefore = side === 'before' && !isTerm && DUE_BEFORE.test(words)
  const getPlace = (pattern: RegExp): number => {
    const distances = [...words.matchAll(pattern)].map(({ index }) => (side === 'before' ? words.length - index : index + 1))
    return distances.length > 0 ? Math.min(...distances) : Number.POSITIVE_INFINITY
  }
  const [due, past] = [isDueBefore ? 0 : getPlace(DUE), getPlace(PAST)]
  // "Approved 7/1/2025 to 6/30/2030": the event is the start of the term.
  if (past < due && !isTerm && !(side === 'after' && /\b(?:19|20)\d\d\b/.test(words))) return 'past'
  if (side === 'before' ? MOVED.test(words) || (due < Infinity && CURRENT.test(words)) : CURRENT.test(words)) return 'current'
  if (due < Infinity) return 'due'
  return EXPECTED.test(words) ? 'expected' : undefined
}

/** The nearest words with a meaning. */
const findRoleIn = (text: string, side: 'before' | 'after', isTerm: boolean): Role | undefined => {
  const clauses = text.split(STRONG_BREAK).flatMap((part) => part.split(WEAK_BREAK))
  if (side === 'after') return findRole(clauses.find((clause) => /[a-z]/.test(clause)) ?? '', side, isTerm)
  for (const clause of clauses.toReversed()) {
    const role = findRole(clause, side, isTerm)
    if (role) return role
  }
  return undefined
}

/** Splits the words between two dates into those of the first and those of the second. */
const divideWords = (words: string, isLabelAfter: boolean): [string, string] => {
  const strong = STRONG_BREAK.exec(words)
  if (strong) return [words.slice(0, strong.index), words.slice(strong.index)]
  if (/(?:[,)]| -+) ?$/.test(words)) return [words, '']
  const weak = WEAK_BREAK.exec(words)
  if (weak) return [words.slice(0, weak.index), words.slice(weak.index)]
  return isLabelAfter ? [words, ''] : ['', words]
}

const findFault = (mention: DateMention, before: string, after: string): NoDateReason | undefined => {
  if (mention.fault) return mention.fault
  if (VAGUE_BEFORE.test(before) || VAGUE_AFTER.test(after)) return 'vague'
  if (mention.precision === 'month')
    return VAGUE_MONTH_BEFORE.test(before) || PART_BEFORE.test(before) || VAGUE_MONTH_AFTER.test(after) ? 'vague' : undefined
  const weekday = (WEEKDAY_BEFORE.exec(before) ?? WEEKDAY_AFTER.exec(after))?.[1]
  return weekday && WEEKDAYS[new Date(mention.date ?? '').getUTCDay()] !== weekday ? 'weekday' : undefined
}

interface Unit {
  readonly start: number
  readonly mention: DateMention
  readonly isTerm: boolean
}
/** Joins start and end of a term; undefined if a term ends before it starts. */
const joinTerms = (mentions: readonly DateMention[], text: string): Unit[] | undefined => {
  const units: Unit[] = []
  const isJoined = (at: number): boolean => {
    const [first, second] = [mentions[at], mentions[at + 1]]
    if (!first || !second) return false
    const words = text.slice(first.end, second.start)
    return TO.test(words) || (/^ and $/.test(words) && BETWEEN.test(text.slice(Math.max(0, first.start - 10), first.start)))
  }
  for (let at = 0; at < mentions.length; at++) {
    const [first, second] = [mentions[at]!, mentions[at + 1]]
    if (!second || !isJoined(at) || isJoined(at + 1)) {
      units.push({ start: first.start, mention: first, isTerm: false })
      continue
    }
    const isBackward = (first.date ?? '') > (second.date ?? '9')
    // "moved from 6/30/2027 to 4/15/2027" is a change; a term that ends before it starts is a typing error.
    if (isBackward && !CHANGED.test(text.slice(Math.max(0, first.start - 20), first.start))) return undefined
    units.push({ start: first.start, mention: second, isTerm: true })
    at++
  }
  return units
}

const toCandidates = (units: readonly Unit[], text: string): Candidate[] => {
  const gaps = [...units.keys(), units.length].map((at) => text.slice(units[at - 1]?.mention.end ?? 0, units[at]?.start ?? text.length))
  const hasLabelsAfter =
    !findRoleIn(gaps[0] ?? '', 'before', false) &&
    findRoleIn((gaps.at(-1) ?? '').split(STRONG_BREAK)[0] ?? '', 'after', false) !== undefined
  const divided = gaps.map((gap, at): [string, string] =>
    at === 0 ? ['', gap] : at === units.length ? [gap, ''] : divideWords(gap, hasLabelsAfter),
  )
  const candidates: Candidate[] = []
  for (const [at, { mention, isTerm, start }] of units.entries()) {
    const [before, after] = [divided[at]?.[1] ?? '', divided[at + 1]?.[0] ?? '']
    const [gapBefore, gapAfter] = [gaps[at] ?? '', gaps[at + 1] ?? '']
    const offset = findOffset(gapBefore, gapAfter, mention.date)
    const words = findRoleIn(before, 'before', isTerm) ?? findRoleIn(after.split(STRONG_BREAK)[0] ?? '', 'after', isTerm)
    const isOpen = !isTerm && OPEN_END.test(at + 1 < units.length ? `${gapAfter}#` : gapAfter)
    const isListed = !isTerm && !/[a-z]/.test(before.concat(after).replace(/\b(?:and|or|also|again|then|on)\b/g, ''))
    const inherited = isListed || /\b(?:due dates|deadlines|dates)\b/.test(gaps[0] ?? '') ? candidates.at(-1)?.role : undefined
    const role: Role =
      offset && !isTerm ? 'relative' : isOpen && words !== 'due' ? 'open-term' : (words ?? inherited ?? (isTerm ? 'term' : 'plain'))
    const fault = findFault(mention, text.slice(Math.max(0, (isTerm ? mention.start : start) - 30), mention.start), gapAfter.slice(0, 30))
    candidates.push({
      mention,
      role,
      fault,
      suggestion: offset?.suggestion,
      isAside: gapBefore.lastIndexOf('(') > gapBefore.lastIndexOf(')'),
    })
  }
  return candidates
}

/** The candidates that the words point out. Replaced dates never count; dates of past events prevent using a date without words. */
const chooseCandidates = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const pick = (...roles: Role[]): Candidate[] => candidates.filter(({ role }) => roles.includes(role))
  if (pick('current').length > 0) return pick('current')
  if (pick('due').length > 0) return pick('due', 'term')
  if (pick('expected').length > 0) return pick('expected', 'term')
  const live = candidates.filter(({ role }) => role !== 'replaced' && role !== 'canceled')
  const plain = pick('term', 'plain')
  if (plain.length === 0) return live
  if (pick('term').length > 0) return plain
  // "11/18/2026 + 30 days: 12/18/2026" contains the same day twice.
  const suggested = new Set(pick('relative').map(({ suggestion }) => suggestion))
  const isConfirmed = plain.some(({ mention }) => suggested.has(mention.date))
  return live.filter(({ role, isAside, mention }) =>
    role === 'relative' ? !isConfirmed : role === 'plain' || !isAside || mention.start < plain[0]!.mention.start,
  )
}

/** Why a text without a date has none. */
const explainMissingDate = (text: string): NoDateReason => {
  if (/\b(?:spring|summer|fall|autumn|winter|quarter|semester|trimester|q[1-4])\b/.test(text)) return 'season'
  if (/\b(?:fy|sy) ?'?\d|\b(?:fiscal|school|academic) year\b|\b\d{4} ?- ?(?:\d{2}|\d{4})\b/.test(text)) return 'school-year'
  if (
    /\b(?:today|tomorrow|tonight|(?:days?|weeks?|months?) (?:after|before|from|of|prior|later)|(?:in|within) \w+ (?:days?|weeks?|months?|years?)|(?:this|next) \w+)\b/.test(
      text,
    )
  )
    return 'relative'
  if (/(?<![a-z])(?:january|february|march|april|june|july|august|september|october|november|december)(?![a-z])/.test(text))
    return 'no-year'
  return /^\D*(?:19|20)\d\d\D*$/.test(text) ? 'year-only' : 'no-date'
}

const NOT_COUNTED: Partial<Record<Role, NoDateReason>> = {
  past: 'past',
  replaced: 'replaced',
  canceled: 'canceled',
  possible: 'possible',
  relative: 'relative',
  'open-term': 'open-term',
}

/** A text with more dates is a list. */
const MAX_MENTIONS = 40

const readMeaning = (text: string): FoundDate | Missing => {
  const normalized = normalize(text)
  const mentions = findDateMentions(normalized)
  if (mentions.length === 0) return { date: null, why: explainMissingDate(normalized) }
  const dates = [...new Set(mentions.slice(0, MAX_MENTIONS).flatMap(({ date }) => date ?? []))]
  const several: Missing = { date: null, why: 'several', dates }
  if (mentions.length > MAX_MENTIONS) return several
  const units = joinTerms(mentions, normalized)
  if (!units) return several
  const candidates = toCandidates(units, normalized)
  const chosen = chooseCandidates(candidates)
  const [first = candidates[0]!, ...others] = chosen
  const why = first.fault ?? NOT_COUNTED[first.role]
  const suggestions = candidates.flatMap(({ suggestion }) => suggestion ?? [])
  const suggestion = suggestions.length === 1 ? { suggestion: suggestions[0]! } : {}
  const isOne = others.every((other) => other.mention.date === first.mention.date && (other.fault ?? NOT_COUNTED[other.role]) === why)
  if (!isOne) return { ...several, ...suggestion }
  if (why) return { date: null, why, ...suggestion }
  return { date: first.mention.date!, precision: chosen.some(({ mention }) => mention.precision === 'day') ? 'day' : 'month' }
}

const WORDS: Record<Exclude<NoDateReason, 'several'>, string> = {
  'no-date': 'No date found',
  'no-year': 'No year',
  'no-such-day': 'No such day',
  unclear: 'Not a clear date',
  'year-only': 'Only a year',
  'school-year': 'A school year, not a date',
  season: 'A part of a year, not a date',
  relative: 'Counted from another day',
  vague: 'Not an exact day',
  weekday: 'The weekday is not that of the date',
  past: 'A past event or a start, not a deadline',
  replaced: 'A date that no longer holds',
  canceled: 'The text says that it does not hold',
  possible: 'Not certain yet',
  'open-term': 'A term without an end',
}
const COUNTS = ['', '', 'Two', 'Three', 'Four']

const describeNoDate = ({ why, dates = [] }: Missing): string => {
  if (why !== 'several') return WORDS[why]
  if (dates.length < 2) return 'More than one date found'
  if (dates.length > 4) return `${dates.length} dates found`
  const formatted = dates.map(formatDay)
  return `${COUNTS[dates.length]} dates found: ${formatted.slice(0, -1).join(', ')} or ${formatted.at(-1)}`
}

/** The one date that a text definitely names as due; otherwise the dates that it may mean, or why there is none. */
export const readDate = (text: string, _source?: DeadlineSource): DateReading => {
  const meaning = readMeaning(text)
  if (meaning.date !== null) return { status: 'certain', ...meaning }
  const why = describeNoDate(meaning)
  const found = meaning.suggestion === undefined ? (meaning.dates ?? []) : [meaning.suggestion]
  const [first, ...others] = found.map((date): FoundDate => ({ date, precision: 'day' }))
  return first ? { status: 'proposed', dates: [first, ...others], why } : { status: 'none', why }
}
