import type { DateMeaning } from '../../../contract/deadlines.ts'

// The grammar of texts that become a deadline by themselves. A word, number or mark that is not in these tables leaves the date proposed.
// `docs/users/dates.md` shows the tables, and a test compares both.

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?!\\p{L})\\.?'
const NAMED = `(?<month>${MONTH})`
const DAY = '(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const LAST = '(?<last>\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = "(?<year>\\d{4}|'\\d\\d)"
const SHORT_YEAR = "(?<year>\\d{4}|'?\\d\\d)"
export const WEEKDAY_FORM = '(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?\\.?'
/** Days of a list are never a term: "June 28 and 29, 2027". */
const TO = ' ?(?:-|to|thru|through|(?<list>,? ?and|,|&|or|/)) ?'
const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]\\.?m\\b\\.?)?|\\d{1,2} ?[ap]\\.?m\\b\\.?'

/** The forms of a day, a month, or several days of a month; the first that fits counts. Numbers are in American order. */
export const DATE_FORMS: readonly (readonly [example: string, pattern: string])[] = [
  [
    '2027-06-30',
    '(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?',
  ],
  ['6/30/2027', `(?<month>\\d{1,2})(?<mark>/| / |-|\\.)(?<day>\\d{1,2})\\k<mark>${SHORT_YEAR}`],
  ['6/28-30/2027', '(?<month>\\d{1,2})/(?<day>\\d{1,2})-(?<last>\\d{1,2})/(?<year>\\d{4})'],
  ['June 28-30, 2027', `${NAMED} ?${DAY}${TO}${LAST}(?:, ?| \\n?|\\n| of )${YEAR}`],
  ['June 30, 2027', `${NAMED}(?: |-|/|, )?${DAY}(?: ?, ?\\n?| \\n?|\\n|-|/| of )${YEAR}`],
  ['28-30 June 2027', `${DAY}${TO}${LAST}(?: of)? ${NAMED}(?:, | )${YEAR}`],
  ['30 June 2027', `${DAY}(?:(?: day)? of | ?|-|/|\\. )${NAMED}(?:, | ?|-|/| of )${SHORT_YEAR}`],
  ['2027 June 30', `(?<year>\\d{4}) ${NAMED} ${DAY}`],
  [
    'third Thursday of June 2027',
    `(?:the )?(?<nth>first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last) ${WEEKDAY_FORM},? (?:in|of) ${NAMED}(?:, ?| | of )${YEAR}`,
  ],
  ['June 2027', `${NAMED}(?:, ?| ?|-|/| of )${YEAR}`],
  ['6/2027', '(?<month>\\d{1,2})/(?<year>\\d{4})'],
]

/** Parts of a date: as the start of a term, or beside a verb of the past ("renewed 2022"). */
export const PART_FORMS: readonly (readonly [example: string, pattern: string])[] = [
  ['7/1', '(?<month>\\d{1,2})/(?<day>\\d{1,2})'],
  ['July 1', `${NAMED}(?: |-)?${DAY}`],
  ['1 July', `${DAY}(?: of | ?|-)${NAMED}`],
  ['July', NAMED],
  ['2022', '(?<year>(?:19|20)\\d\\d)(?!-\\d)'],
]

export const TIMES: readonly (readonly [example: string, pattern: string])[] = [
  [
    '6:00 PM',
    `(?:from |by )?(?:\\d{1,2}(?::\\d\\d)?(?: ?[ap]\\.?m\\.?)? ?(?:-|to|until) ?)?(?:${CLOCK})(?: ?(?:p[sd]?t|pacific(?: time)?))?`,
  ],
]

/** School years say what a date is about, and are not dates. */
export const SCHOOL_YEARS: readonly (readonly [example: string, pattern: string])[] = [
  ['FY 2026-27', "(?:fy|sy|fiscal year|school year)\\.? ?'?(?:\\d{4}|\\d\\d)(?:[-/](?:\\d{4}|\\d\\d))?"],
  ['2026-27', '(?:19|20)\\d\\d ?- ?(?:(?:19|20)\\d\\d|\\d\\d)(?!-)'],
]

/** The words of every field, by what they do. A dot at the end is optional. */
export const WORDS = {
  filler: {
    does: 'Says nothing about the date',
    words:
      'the, of, on, at, is, a, in, for, date, dates, day, final, end of, close of, noon, by noon, midnight, close of business, by close of business, by end of day, by cob, by eod, end of business, end of day, cob, eod, eob',
  },
  end: {
    does: 'An end',
    words:
      'end of term, end of the term, end of charter term, expires, expire, to expire, will expire, expiring, expiration, expiry, exp., expired, ends, end, ending, ended, terminates, sunsets, lapses, last day, valid through, valid until, valid thru, valid to, good through, good until, runs through, runs until',
  },
  through: { does: 'The last day of a term', words: 'through, thru, until, till, to' },
  due: {
    does: 'Something is due',
    words:
      'due, deadline, closes, submit, file, to be submitted, must be submitted, will be submitted, to be received, must be received, to be filed, must be filed, submission deadline, filing deadline',
  },
  by: { does: 'The last day for something', words: 'by, no later than, not later than, on or before' },
  before: { does: 'The same, for a day only', words: 'before, prior to' },
  event: {
    does: 'Something takes place',
    words: 'scheduled, set for, meets, meets on, to be held, will be held, takes place, will take place',
  },
  start: {
    does: 'A start',
    words:
      'effective, eff., start, starts, starting, started, begin, begins, beginning, began, commences, commencing, commenced, opens, opened, from, since, as of, valid from',
  },
  past: {
    does: 'An event before the date',
    words:
      'approved, adopted, submitted, received, filed, signed, granted, issued, ratified, executed, authorized, held, elected, appointed, seated, sent',
  },
  renewed: { does: 'A renewal before the date', words: 'renewed, reauthorized' },
  confirmed: { does: 'After a date: it holds', words: 'confirmed, at the latest' },
  moved: {
    does: 'With "to": another date counts',
    words: 'extended, moved, postponed, rescheduled, changed, pushed, pushed back, ext.',
  },
  now: {
    does: 'The date that counts now',
    words: 'now, currently, new date, revised date, updated date, corrected date, rescheduled for, postponed until, ->, →',
  },
  new: {
    does: 'With what is due or ends: the date that counts now',
    words: 'new, current, revised, updated, corrected, amended',
  },
  old: {
    does: 'A date that no longer counts',
    words: 'was, original, originally, orig., previous, previously, prev., former, formerly, old, prior, last, initial',
  },
} as const satisfies Record<string, { readonly does: string; readonly words: string }>
export type WordClass = keyof typeof WORDS

/** What a date is. */
export type Role = 'plain' | 'term' | 'end' | 'through' | 'due' | 'by' | 'event' | 'now' | 'start' | 'past' | 'renewed' | 'old'

/** What a date is by the words before it. Other combinations are not understood. */
export const MEANINGS: Readonly<Record<string, Role>> = {
  '': 'plain',
  end: 'end',
  'end by': 'end',
  'end through': 'end',
  'past through': 'end',
  'start through': 'end',
  through: 'through',
  due: 'due',
  'due by': 'due',
  'due before': 'due',
  by: 'by',
  before: 'by',
  event: 'event',
  now: 'now',
  'now due': 'now',
  'now end': 'now',
  'now event': 'now',
  'now through': 'now',
  'new due': 'now',
  'new end': 'now',
  'new event': 'now',
  'moved through': 'now',
  'due moved through': 'now',
  'end moved through': 'now',
  'renewed through': 'now',
  start: 'start',
  'past start': 'start',
  past: 'past',
  confirmed: 'past',
  renewed: 'renewed',
  old: 'old',
  'old due': 'old',
  'old end': 'old',
  'old event': 'old',
  'old past': 'past',
  'moved start': 'old',
}

/** The words that may stand after a date, alone. */
export const AFTER: ReadonlySet<string> = new Set<WordClass>(['end', 'due', 'event', 'start', 'past', 'renewed', 'confirmed', 'old'])

/** What a term from one day to another is by the words before it; its last day counts. */
export const TERM_MEANINGS: Readonly<Record<string, Role>> = {
  '': 'term',
  start: 'term',
  past: 'term',
  'past start': 'term',
  renewed: 'term',
  now: 'now',
  new: 'now',
  'moved start': 'now',
  'due moved start': 'now',
  'end moved start': 'now',
  old: 'old',
}

/** The kinds of fields: which dates are the field's own. Dates of other kinds beside them leave the date proposed. */
export const FIELD_KINDS = {
  end: { does: 'The end of something', accepts: ['plain', 'term', 'end', 'through', 'by'] },
  term: {
    does: 'A term: its end counts. The first of a month without a word is proposed, because it may be the start',
    accepts: ['plain', 'term', 'end', 'through', 'by'],
  },
  due: { does: 'Something to submit. Several days are proposed', accepts: ['plain', 'due', 'by'] },
  event: { does: 'A meeting or visit. Several days are proposed', accepts: ['plain', 'event', 'by'] },
} as const satisfies Record<DateMeaning, { readonly does: string; readonly accepts: readonly Role[] }>

/** Dates that may stand beside the one that counts, and by how many days they must be earlier. */
export const EARLIER_DAYS: Partial<Record<Role, number>> = { start: 1, past: 0, renewed: 730 }
