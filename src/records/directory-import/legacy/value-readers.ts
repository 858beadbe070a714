import { toIsoDay } from '../../../contract/dates.ts'
import { isEmail } from '../../../contract/emails.ts'
import { isObject } from '../../../contract/objects.ts'
import { EXTENSION_PATTERN, FAX_PATTERN, formatPhone, NOT_A_NUMBER, toFaxDigits } from '../../../contract/phones.ts'
import { readDay } from '../../../contract/read-day.ts'
import { normalizeSlug } from '../../../contract/slugs.ts'
import { STATUS_LABELS, STATUSES, type Status } from '../../../contract/status.ts'
import { sanitizeLine, sanitizeMultiline } from '../../../contract/text-cleaning.ts'
import { isSafeUrl } from '../../../contract/text-schemas.ts'
import type { FindingType } from './findings.ts'
import { formatCell, toCanonicalJson, getId, isEmpty, type RawRecord } from './raw-values.ts'

/** The value to store, and what to report about it. */
export interface ReadResult {
  readonly value: unknown
  readonly finding?: { readonly type: FindingType; readonly reason: string } | undefined
  /** Parts of the value that are not stored, with their paths. */
  readonly unread?: readonly { readonly at: string; readonly value: unknown }[] | undefined
}
export interface ReaderContext {
  /** The organization's time zone, in which moments are converted to days. */
  readonly timeZone: string
}
export type ValueReader = (raw: unknown, reading: ReaderContext) => ReadResult

/** Limited by the size of database index entries. */
export const MAX_LINE_LENGTH = 500
/** Limited by the search index of a record. */
const MAX_TEXT_LENGTH = 200_000

const refused = (reason: string, value: unknown = null): ReadResult => ({ value, finding: { type: 'refused', reason } })
const changed = (value: unknown, reason: string): ReadResult => ({ value, finding: { type: 'changed', reason } })

/** Text without outer whitespace or invisible characters; any change is reported. */
const readText =
  (most: number, clean: (text: string) => string): ValueReader =>
  (raw) => {
    if (isEmpty(raw)) return { value: null }
    if (typeof raw === 'number' || typeof raw === 'bigint') return { value: formatCell(raw) }
    if (typeof raw === 'boolean') return changed(formatCell(raw), 'was not text')
    if (typeof raw !== 'string')
      return Array.isArray(raw) && raw.every((one) => typeof one === 'string')
        ? changed(raw.join('\n'), 'was a list')
        : refused('is not text')
    const storable = clean(raw)
    if (storable === '') return changed(null, 'is blank')
    if (storable.length > most)
      return changed(storable.slice(0, most).toWellFormed(), `has more than ${most.toLocaleString('en-US')} characters`)
    return storable === raw
      ? { value: raw }
      : changed(storable, 'holds blanks at its ends, line breaks or characters that cannot be stored')
  }
export const text = readText(MAX_TEXT_LENGTH, sanitizeMultiline)
export const line = readText(MAX_LINE_LENGTH, sanitizeLine)
/** A slug in normalized form; whether it is usable is decided when it is made unique. */
export const slug = readText(MAX_LINE_LENGTH, (typed) => normalizeSlug(sanitizeLine(typed)))
/** An email address; any other value is reported and not stored. */
export const email: ValueReader = (raw, reading) => {
  const read = line(raw, reading)
  return typeof read.value === 'string' && !isEmail(read.value) ? refused('is not an email address') : read
}

export const address: ValueReader = (raw, reading) =>
  typeof raw === 'string' && !isSafeUrl(raw) ? refused('is not a web address') : line(raw, reading)

/** A number in the form in which it is stored; any other value is reported and not stored. */
const readNumber =
  (format: (text: string) => string, stored: RegExp, what: string): ValueReader =>
  (raw, reading) => {
    const read = line(raw, reading)
    if (typeof read.value !== 'string') return read
    const shown = format(read.value)
    if (!stored.test(shown)) return refused(NOT_A_NUMBER)
    return shown === read.value ? read : changed(shown, what)
  }
export const phone = readNumber(formatPhone, EXTENSION_PATTERN, 'a phone number')
/** The fax number of a site is stored without punctuation. */
export const siteFax = readNumber(toFaxDigits, FAX_PATTERN, 'a fax number')

const plain = (words: string): string =>
  words
    .toUpperCase()
    .replace(/[^A-Z]+/g, ' ')
    .trim()
const STATUS_WORDS: ReadonlyMap<string, Status> = new Map([
  ...STATUSES.flatMap((status): [string, Status][] => [
    [plain(status), status],
    [plain(STATUS_LABELS[status]), status],
  ]),
  ['OPEN', 'ACTIVE'],
  ['TEMPORARY', 'ACTIVE - TEMPORARY'],
  ['COMING SOON', 'PENDING'],
  ['CLOSED', 'CLOSED - PERMANENTLY'],
  ['CLOSED PERMANENT', 'CLOSED - PERMANENTLY'],
  ['PERMANENTLY CLOSED', 'CLOSED - PERMANENTLY'],
  ['CLOSED TEMPORARY', 'CLOSED - TEMPORARILY'],
  ['TEMPORARILY CLOSED', 'CLOSED - TEMPORARILY'],
])

/** One of the five statuses, ignoring case; ACTIVE by default, as for a new record. */
export const status: ValueReader = (raw) => {
  if (isEmpty(raw)) return { value: 'ACTIVE' }
  const known = typeof raw === 'string' ? STATUS_WORDS.get(plain(raw)) : undefined
  if (known === undefined) return refused('is not a known status', 'ACTIVE')
  return known === raw ? { value: known } : changed(known, 'a status')
}

const YES = new Set(['true', 'yes', 'y', 'on', '1', 'checked'])
const NO = new Set(['false', 'no', 'n', 'off', '0'])
export const boolean: ValueReader = (raw) => {
  if (isEmpty(raw)) return { value: false }
  const text = typeof raw === 'object' ? '' : formatCell(raw).trim().toLowerCase()
  if (!YES.has(text) && !NO.has(text)) return refused('is neither yes nor no', false)
  const value = YES.has(text)
  return formatCell(raw) === formatCell(value) ? { value } : changed(value, 'yes or no')
}
export const yesOrNo: ValueReader = (raw, reading) => {
  const read = boolean(raw, reading)
  const value = read.value === true ? 'Yes' : 'No'
  return raw === value || isEmpty(raw) ? { value } : { value, finding: read.finding ?? { type: 'changed', reason: 'yes or no' } }
}

/** A whole number, also with thousands separators. */
export const count: ValueReader = (raw) => {
  if (isEmpty(raw)) return { value: null }
  const text = typeof raw === 'number' || typeof raw === 'string' ? formatCell(raw).trim() : ''
  if (!/^\d{1,3}(,\d{3})+$|^\d{1,9}$/.test(text)) return refused('is not a whole number')
  const value = Number(text.replaceAll(',', ''))
  return formatCell(raw) === formatCell(value) ? { value } : changed(value, 'a number')
}

export const degrees =
  (most: number): ValueReader =>
  (raw) => {
    if (isEmpty(raw)) return { value: null }
    const value =
      typeof raw === 'number' || (typeof raw === 'string' && /^\s*[-+]?(\d+(\.\d*)?|\.\d+)\s*$/.test(raw)) ? Number(raw) : Number.NaN
    return Math.abs(value) <= most ? { value } : refused(`is not a number between -${most} and ${most}`)
  }

/**
 * The day of a text, a moment or a number of milliseconds; undefined if it is not a day. A moment at midnight UTC is that day; any other is a day in
 * the organization's time zone.
 */
const parseDay = (raw: unknown, { timeZone }: ReaderContext): string | undefined => {
  if (isObject(raw) && '$date' in raw) return parseDay(raw['$date'], { timeZone })
  if (typeof raw === 'number') return Math.abs(raw) > 1e10 && Math.abs(raw) < 1e14 ? toIsoDay(new Date(raw), timeZone) : undefined
  if (typeof raw !== 'string') return undefined
  const text = raw.trim()
  const moment = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) return readDay(text)
  return /[T ]00:00(:00(\.0+)?)?(Z|[+-]00:?00)?$/.test(text) ? text.slice(0, 10) : toIsoDay(new Date(moment), timeZone)
}

/** A calendar day. */
export const day: ValueReader = (raw, reading) => {
  if (isEmpty(raw)) return { value: null }
  const value = parseDay(raw, reading)
  if (value === undefined) return refused('is not a date')
  return value === raw ? { value } : changed(value, 'a date')
}

/** A moment of a record's metadata; undefined if it is invalid or in the future. */
export const parseMoment = (raw: unknown): string | undefined => {
  const text = isObject(raw) && '$date' in raw ? raw['$date'] : raw
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  if (typeof text === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) || moment.getTime() > Date.now() || moment.getUTCFullYear() < 1970
    ? undefined
    : moment.toISOString()
}
export const moment: ValueReader = (raw) => {
  if (isEmpty(raw)) return { value: null }
  const value = parseMoment(raw)
  return value === undefined ? refused('is not a time in the past') : { value }
}

const toList = (raw: unknown, between: RegExp): unknown[] =>
  Array.isArray(raw)
    ? raw
    : typeof raw === 'string'
      ? raw
          .split(between)
          .map((one) => one.trim())
          .filter((one) => one !== '')
      : [raw]
/** A list of texts; a single text is split. */
export const texts =
  (between: RegExp, of: ValueReader = line): ValueReader =>
  (raw, reading) => {
    if (isEmpty(raw)) return { value: [] }
    const value: string[] = []
    const left: { at: string; value: unknown }[] = []
    for (const [at, one] of toList(raw, between).entries()) {
      const read = of(one, reading)
      if (typeof read.value === 'string') value.push(read.value)
      if ((read.finding || read.value === null) && !isEmpty(one)) left.push({ at: formatCell(at), value: one })
    }
    return { value, unread: left, finding: Array.isArray(raw) ? undefined : { type: 'changed', reason: 'a list' } }
  }

/** The fields of an object except the named ones. */
export const getUnreadFields = (raw: RawRecord, names: readonly string[], at: string): { at: string; value: unknown }[] =>
  Object.entries(raw).flatMap(([key, value]) => (names.includes(key) || isEmpty(value) ? [] : [{ at: `${at}.${key}`, value }]))

/** Names and URLs of a charter's school types: objects, URLs alone, or URLs by name. */
export const namedAddresses: ValueReader = (raw, reading) => {
  if (isEmpty(raw)) return { value: [] }
  const given: unknown[] = Array.isArray(raw)
    ? raw
    : isObject(raw) && !('url' in raw)
      ? Object.entries(raw).map(([name, url]) => ({ name, url }))
      : [raw]
  const value: { name: string; url: string }[] = []
  const left: { at: string; value: unknown }[] = []
  for (const [at, one] of given.entries()) {
    const { name = null, url = null } = isObject(one)
      ? { name: one['name'] ?? one['type'] ?? one['schoolType'], url: one['url'] ?? one['link'] }
      : { name: one, url: one }
    const [named, reached] = [line(name, reading), address(url, reading)]
    if (typeof reached.value === 'string' || typeof named.value === 'string')
      value.push({ name: formatCell(named.value ?? ''), url: formatCell(reached.value ?? '') })
    else left.push({ at: formatCell(at), value: one })
    if (reached.finding ?? named.finding) left.push({ at: formatCell(at), value: one })
    else if (isObject(one)) left.push(...getUnreadFields(one, ['name', 'type', 'schoolType', 'url', 'link'], formatCell(at)))
  }
  const finding =
    toCanonicalJson(raw) === toCanonicalJson(value) || left.length > 0
      ? undefined
      : ({ type: 'changed', reason: 'a list of names and addresses' } as const)
  return { value, unread: left, finding }
}
/** An `_id` in a valid format. */
export const parseId = (raw: unknown): string | null => {
  const id = getId(raw)
  return id !== null && id.length <= 100 && !id.includes('\0') && id.isWellFormed() ? id : null
}
