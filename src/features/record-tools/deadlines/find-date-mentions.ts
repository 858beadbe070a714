/** Why a mention is not a usable date. */
export type MentionFault = 'no-year' | 'no-such-day' | 'unclear'

/** A part of a text that names a day or a month with its year, or appears to. */
export interface DateMention {
  readonly start: number
  readonly end: number
  readonly precision: 'day' | 'month'
  /** YYYY-MM-DD; the last day for a month. */
  readonly date?: string
  readonly fault?: MentionFault
}
type Reading = Pick<DateMention, 'precision' | 'date' | 'fault'>

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_NAME =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const ORDINAL = '(?:st|nd|rd|th)?'

const NUMBERS_OR_MONTH = new RegExp(String.raw`\d+(?:[/.-]'?\d+)*|(?<![a-z])(?:${MONTH_NAME})(?![a-z])`, 'g')
/** The month after a day: "30th day of June", "30-Jun". */
const MONTH_AFTER_DAY = new RegExp(String.raw`${ORDINAL}(?:(?: day)? of | ?[-/.]? ?)(${MONTH_NAME})\.?(?![a-z])`, 'y')
const DAY_AFTER_MONTH = new RegExp(
  String.raw`[.,]?(?: ?[-/] ?| ?(?:the )?)(\d{1,2})${ORDINAL}(?![\d:]|/\d{1,2}(?!\d)|[a-z]| ?[ap]\.?m\b)`,
  'y',
)
/** Another day of the same month: "June 28-30", "June 28, 29 and 30". */
const FURTHER_DAY = new RegExp(
  String.raw`( ?(?:-|to|thru|through|and|&|or|/|,|, and) ?)(\d{1,2})${ORDINAL}(?![\d:/]|[a-z]| ?[ap]\.?m\b)`,
  'y',
)
const YEAR_AFTER = /(?: ?[,.] ?\n?| ?|-|\/| of )('?)(\d{4}|\d{2})(?![\d%]|[/:.-]\d)/y
const CLAUSE_END = /(?:\.(?!\w)|[;)\n]| ?$)/y
const AMOUNT = / ?(?:calendar |business |school |working )?(?:days?|weeks?|months?|years?|hours?|members?|percent|%)/y
/** Numbers after these words are not dates: "Resolution 10-11-12", "grades 9/10/11". */
const NUMBERED =
  /(?:[$#§]|\b(?:resolution|res|item|no|nos|number|policy|section|element|code|phone|tel|fax|ext|id|case|form|e?in|fein|cds|room|suite)[.:#]*) ?$/
const GRADES = /\b(?:grades?|levels?|score|ratio) ?$/

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Charters have existed since 1992 and leases run for decades: 90 to 99 belong to the last century, all others to this one. */
const toYear = (digits: string): number => (digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 90 ? 2000 : 1900))
/** Years outside this range are typing errors: 1027, 2207. */
const isPlausibleYear = (year: number): boolean => year >= 1900 && year < 2200

const toReading = (year: number, month: number, day: number | undefined): Reading => {
  const precision = day === undefined ? 'month' : 'day'
  if (!isPlausibleYear(year)) return { precision, fault: 'unclear' }
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day === 0 || (day ?? 1) > lastDay) return { precision, fault: 'no-such-day' }
  return { precision, date: new Date(Date.UTC(year, month - 1, day ?? lastDay)).toISOString().slice(0, 10) }
}

/** The date of numbers separated by slashes, dots or dashes, in American order; undefined if they are not a date. */
const readNumbers = (numbers: readonly string[], separator: string | undefined): Reading | undefined => {
  const [first = '', second = '', third] = numbers
  if (numbers.length > 3 || second.length > (third === undefined ? 4 : 2)) return undefined
  if (third !== undefined) {
    if (first.length === 4) return third.length <= 2 ? toReading(Number(first), Number(second), Number(third)) : undefined
    const isDate = first.length <= 2 && (third.length === 2 || third.length === 4)
    return isDate ? toReading(toYear(third), Number(first), Number(second)) : undefined
  }
  if (separator === '.' || second === '') return undefined
  if (first.length <= 2 && second.length === 4) return toReading(Number(second), Number(first), undefined)
  // 2027-06 is a month; 2011-12 and 2007-12 are spans of years.
  if (first.length === 4 && second.length === 2) {
    const isSpan = Number(second) > 12 || Number(second) > Number(first) % 100
    return isSpan ? undefined : toReading(Number(first), Number(second), undefined)
  }
  const isDay =
    separator === '/' && first.length <= 2 && Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 31
  return isDay ? { precision: 'day', fault: 'no-year' } : undefined
}

/** The dates in a run of numbers: one, or the two of "7/1/2025-6/30/2030" and "7-1-2025-6-30-2030". */
const readRun = (text: string, start: number, run: string): DateMention[] => {
  const end = start + run.length
  const before = text.slice(Math.max(0, start - 20), start)
  const isAttached = /[a-z]$/.test(before) || /^(?!t\d)[a-z]/.test(text.slice(end, end + 2))
  if (GRADES.test(before) || /(?:[$#§]|\d:)$/.test(before) || /^(?:[%_]|:\d|x+\b)/.test(text.slice(end, end + 2))) return []
  if (!run.includes('/') && (isAttached || NUMBERED.test(before))) return []
  const isSix = /^\d{1,4}-\d{1,2}-\d{1,4}-\d{1,4}-\d{1,2}-\d{1,4}$/.test(run)
  const isMixed = /[/.]/.test(run.split('-', 1)[0] ?? '') && run.includes('-')
  const middle = isSix ? run.split('-', 3).join('-').length : isMixed ? run.indexOf('-') : run.length
  const pieces = [run.slice(0, middle), run.slice(middle + 1)].filter((piece) => piece !== '')
  let at = start
  const mentions = pieces.map((piece) => {
    const [separator, other] = new Set(piece.match(/[/.-]/g))
    const numbers = piece.replaceAll("'", '').split(/[/.-]/)
    const unclear: Reading | undefined = numbers.some(({ length }) => length === 4) ? { precision: 'day', fault: 'unclear' } : undefined
    const reading = other === undefined ? readNumbers(numbers, separator) : unclear
    const mention = reading && { start: at, end: at + piece.length, ...reading }
    at += piece.length + 1
    return mention
  })
  const isComplete = mentions.every((mention) => mention !== undefined)
  if (isComplete) return mentions
  return mentions.some((mention) => mention !== undefined) ? [{ start, end, precision: 'day', fault: 'unclear' }] : []
}

interface Year {
  readonly year: number
  readonly end: number
}
/** The year after a month or a day; two digits without an apostrophe are a year only if they cannot be another day of the month. */
const readYear = (text: string, at: number, afterDay?: number): Year | undefined => {
  const match = matchAt(YEAR_AFTER, text, at)
  const [whole = '', apostrophe, digits = ''] = match ?? []
  if (!match) return undefined
  const found = { year: toYear(digits), end: at + whole.length }
  if (digits.length === 4) return isPlausibleYear(found.year) ? found : undefined
  if (apostrophe) return found
  const isJoined = /^[-/]/.test(whole)
  const isListed = whole.includes(',') && Number(digits) <= 31 && Number(digits) > (afterDay ?? 0)
  return afterDay !== undefined && !isListed && (isJoined || matchAt(CLAUSE_END, text, found.end)) ? found : undefined
}

const toMonth = (name: string): number => MONTHS.indexOf(name.slice(0, 3)) + 1

/** "30 June 2027", "28-30 June 2027", "2027 June 30": numbers before the name of a month. */
const readBeforeMonth = (text: string, start: number, run: string): DateMention[] => {
  const name = matchAt(MONTH_AFTER_DAY, text, start + run.length)
  if (!name) return []
  const month = toMonth(name[1] ?? '')
  const nameEnd = start + run.length + name[0].length
  const day = matchAt(DAY_AFTER_MONTH, text, nameEnd)
  const dayEnd = nameEnd + (day?.[0].length ?? 0)
  if (/^\d{4}$/.test(run)) {
    const isDate = day && !readYear(text, dayEnd, Number(day[1]))
    return isDate ? [{ start, end: dayEnd, ...toReading(Number(run), month, Number(day[1])) }] : []
  }
  if (!/^\d{1,2}(?:-\d{1,2})?$/.test(run)) return []
  const days = run.split('-')
  const year = readYear(text, nameEnd, Number(days.at(-1)))
  if (!year) return day ? [] : [{ start, end: nameEnd, precision: 'day', fault: 'no-year' }]
  const lastStart = start + run.length - (days.at(-1) ?? '').length
  const last: DateMention = {
    start: days.length > 1 ? lastStart : start,
    end: year.end,
    ...toReading(year.year, month, Number(days.at(-1))),
  }
  return days.length > 1 ? [{ start, end: lastStart - 1, ...toReading(year.year, month, Number(days[0])) }, last] : [last]
}

/** "June 30, 2027", "June 28-30, 2027", "June 2027", "June 30". */
const readAfterMonth = (text: string, start: number, name: string): DateMention[] => {
  const month = toMonth(name)
  const nameEnd = start + name.length
  const first = matchAt(DAY_AFTER_MONTH, text, nameEnd)
  const monthYear = readYear(text, nameEnd + (text[nameEnd] === '.' ? 1 : 0))
  if (!first) return monthYear ? [{ start, end: monthYear.end, ...toReading(monthYear.year, month, undefined) }] : []
  const days = [{ day: Number(first[1]), start, end: nameEnd + first[0].length }]
  for (let more = matchAt(FURTHER_DAY, text, days[0]!.end); more && days.length < 6; more = matchAt(FURTHER_DAY, text, days.at(-1)!.end)) {
    const at = days.at(-1)!.end
    days.push({ day: Number(more[2]), start: at + (more[1] ?? '').length, end: at + more[0].length })
  }
  const sharedYear = days.length > 1 ? /^(?: ?[,.]? ?| of )(?:'\d\d|\d{4})/.test(text.slice(days.at(-1)!.end, days.at(-1)!.end + 10)) : true
  const named = sharedYear ? days : days.slice(0, 1)
  const year = readYear(text, named.at(-1)!.end, named.at(-1)!.day)
  if (year)
    return named.map(({ day, start, end }, at) => ({
      start,
      end: at === named.length - 1 ? year.end : end,
      ...toReading(year.year, month, day),
    }))
  // "the board may 30 days later" is not a date.
  return matchAt(AMOUNT, text, named[0]!.end) ? [] : [{ start, end: named[0]!.end, precision: 'day', fault: 'no-year' }]
}

/**
 * Everything in a text that names a day or a month with its year, in text order. Takes linear time: at each number or month it looks ahead a fixed
 * distance. @param text normalized: lower case, plain dashes, apostrophes and spaces
 */
export const findDateMentions = (text: string): DateMention[] => {
  const mentions: DateMention[] = []
  for (let match = matchAt(NUMBERS_OR_MONTH, text, 0); match; match = NUMBERS_OR_MONTH.exec(text)) {
    const { index } = match
    const [whole] = match
    // In "7/1/2025-30 June 2030" the last number belongs to the month.
    const dash = whole.lastIndexOf('-')
    const isSplit =
      dash > 0 && /[/.]/.test(whole.slice(0, dash)) && readBeforeMonth(text, index + dash + 1, whole.slice(dash + 1)).length > 0
    const word = isSplit ? whole.slice(0, dash) : whole
    let found = /^\d/.test(word) ? readBeforeMonth(text, index, word) : readAfterMonth(text, index, word)
    if (found.length === 0 && /^\d/.test(word)) found = readRun(text, index, word)
    mentions.push(...found)
    NUMBERS_OR_MONTH.lastIndex = found.at(-1)?.end ?? index + word.length
  }
  return mentions
}
