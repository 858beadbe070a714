import { isEmail } from './emails.ts'
import { readGrades } from './grades.ts'
import { EXTENSION_PATTERN, FAX_PATTERN, readPhone, toFaxDigits } from './phones.ts'
import { cleanLine } from './text-cleaning.ts'

/** What the cells of an imported column hold. */
export type ImportType =
  | 'text'
  | 'id'
  | 'street'
  | 'address'
  | 'place'
  | 'state'
  | 'zip'
  | 'phone'
  | 'extension'
  /** The number of a person or a thing, which may have letters and leading zeros. */
  | 'number'
  | 'fax'
  | 'email'
  | 'url'
  | 'person'
  | 'day'
  | 'count'
  | 'degrees'
  | 'yes'
  | 'grades'
  | 'digits'
  /** A word that stands for a status, a choice or another record, and is mapped once for all rows. */
  | 'word'

export type ImportValue = string | number | boolean | null
/** The values of a cell by part: a cell with city, state and ZIP code has three. */
export type ReadCell = { readonly parts: Readonly<Record<string, ImportValue>> } | { readonly message: string }

/** The two letters of every state, in the order of their names. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,District of Columbia DC,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY'
    .split(',')
    .map((state) => [state.slice(0, -3).toLowerCase(), state.slice(-2)]),
)
const STATE_CODES: ReadonlySet<string> = new Set(Object.values(STATES))

/** The code of a state, from its code (`CA`, `Ca.`) or name. */
export const readState = (text: string): string | undefined => {
  const plain = text.trim().replace(/\.$/, '')
  const code = plain.toUpperCase()
  return STATE_CODES.has(code) ? code : STATES[plain.toLowerCase()]
}

/** The first three digits of the ZIP codes of the states of the network. */
const ZIP_RANGES = [
  ['CA', 900, 961],
  ['MI', 480, 499],
  ['OH', 430, 459],
  ['SC', 290, 299],
  ['TX', 750, 799],
] as const
/** The state of a ZIP code; undefined for one outside of the network. */
export const findStateOfZip = (zip: string): string | undefined => {
  const start = Number(zip.slice(0, 3))
  return ZIP_RANGES.find(([, from, to]) => start >= from && start <= to)?.[0]
}

const ZIP = /^(\d{5})(?:[\s-]?(\d{4}))?$/
/** A ZIP code with the zero that a spreadsheet removed, and a hyphen before its four additional digits. */
export const readZip = (text: string): string | undefined => {
  const plain = text
    .trim()
    .replace(/\.0{1,2}$/, '')
    .replace(/-$/, '')
  const padded = /^\d{4}$|^\d{4}[\s-]\d{4}$|^\d{8}$/.test(plain) ? `0${plain}` : plain
  const [, first, second] = ZIP.exec(padded) ?? []
  return first === undefined ? undefined : second === undefined || second === '0000' ? first : `${first}-${second}`
}

const MAX_ADDRESS_LENGTH = 300
const isSeparator = (letter: string | undefined): boolean => letter === ',' || letter === ' '
/** A text without spaces and commas at its ends. Without a regular expression, which would take quadratic time. */
const trimSeparators = (text: string): string => {
  let [from, to] = [0, text.length]
  while (isSeparator(text[from])) from++
  while (to > from && isSeparator(text[to - 1])) to--
  return text.slice(from, to)
}

/** 'Los Angeles, CA 90042-1234': city, state and ZIP code, of which the last or the last two may be missing. */
const readPlace = (text: string): { city: string; state: string | null; zip: string | null } | undefined => {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  const words = trimSeparators(text.replaceAll(/[,/]/g, ', ').replaceAll(/\s/g, ' '))
    .split(' ')
    .filter((word) => word !== '' && word !== ',')
  const last = words.at(-1) ?? ''
  const zip = /^\d{4,5}(?:-\d{4})?$/.test(last) ? (readZip(last) ?? null) : null
  const before = zip === null ? words : words.slice(0, -1)
  // The name of a state has up to three words.
  for (let count = 3; count >= 1; count--) {
    if (before.length <= count) continue
    const state = readState(before.slice(-count).join(' ').replaceAll(',', ''))
    const city = trimSeparators(before.slice(0, -count).join(' '))
    if (state !== undefined && city !== '') return { city, state, zip }
  }
  const city = trimSeparators(before.join(' '))
  return zip === null || city === '' ? undefined : { city, state: null, zip }
}

/** '115 N Ave 53, Los Angeles, CA 90042': the street, and the place after it. */
const readAddress = (text: string): Readonly<Record<string, string | null>> | undefined => {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  const lines = text.split(/[\n;,]/).flatMap((line) => line.trim() || [])
  for (let from = 1; from < lines.length; from++) {
    const place = readPlace(lines.slice(from).join(', '))
    if (place && !/\d/.test(place.city) && !place.city.includes(','))
      return { address_1: lines[0] ?? null, address_2: from > 1 ? lines.slice(1, from).join(', ') : null, ...place }
  }
  return undefined
}

/** The numbers of a cell: several are separated by a slash, a semicolon, a line break, a comma or a word. */
const readPhones = (text: string): string[] | undefined => {
  if (text.length > MAX_ADDRESS_LENGTH || readDay(text) !== undefined) return undefined
  const whole = readPhone(text)
  const parts = whole ? [text] : text.split(/[/;|\n,&]|\b(?:or|and)\b/i)
  const found = parts.flatMap((part) => (part.trim() === '' ? [] : [readPhone(part)]))
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined
  const numbers = found.flatMap((one) => (one ? [one.extension === undefined ? one.number : `${one.number} x${one.extension}`] : []))
  return numbers.every((number) => EXTENSION_PATTERN.test(number)) ? numbers : undefined
}

const toTitleCase = (name: string): string =>
  name
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_all, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/\bMc(\p{L})/gu, (_all, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/\b(Ii|Iii|Iv)$/u, (numeral) => numeral.toUpperCase())
const HONORIFIC = /^(?:mr|mrs|ms|miss|dr|prof)\b\.?\s+/i
const SUFFIX = /^(?:jr|sr|ii|iii|iv|ed\.?d|ph\.?d|m\.?ed|m\.?a|esq)\.?$/i

/** A part of a name that is written in capitals, unless it is as short as initials. */
const withoutCapitals = (part: string, minLength: number): string =>
  part.length >= minLength && part === part.toUpperCase() ? toTitleCase(part) : part

/** A name as people say it: 'Rivera, Maria' and 'MARIA RIVERA' become 'Maria Rivera'. */
export const readPersonName = (text: string): { readonly first: string; readonly last: string } | undefined => {
  const plain = cleanLine(text).replace(/\s+/g, ' ').replace(HONORIFIC, '')
  if (!/\p{L}/u.test(plain) || /[@\d]/.test(plain)) return undefined
  const cased = plain === plain.toUpperCase() || plain === plain.toLowerCase() ? toTitleCase(plain) : plain
  const [before = '', ...after] = cased.split(',').map((part) => part.trim())
  const names = after.filter((part) => part !== '' && !SUFFIX.test(part))
  const suffix = after.find((part) => SUFFIX.test(part))
  if (names.length > 0)
    return {
      first: withoutCapitals(names.join(' ').replace(HONORIFIC, ''), 3),
      last: [withoutCapitals(before, 2), suffix].filter(Boolean).join(' '),
    }
  const words = before.split(' ')
  return { first: words.slice(0, -1).join(' '), last: [words.at(-1), suffix].filter(Boolean).join(' ') }
}

const DAY_MS = 86_400_000
/** The day numbers of a spreadsheet from 1982 to 2118. */
const SERIAL = /^[3-7]\d{4}(?:\.\d+)?$/
export const isSerialDay = (text: string): boolean => SERIAL.test(text.trim())
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A date without the time behind it. */
const withoutTime = (text: string): string => {
  const at = text.search(/[T ]\d{1,2}:\d\d/)
  return at === -1 ? text : text.slice(0, at)
}

/** A day as 2026-07-01, from a date as text or the number that a spreadsheet has for it. */
export const readDay = (text: string): string | undefined => {
  const plain = withoutTime(text.trim())
  if (isSerialDay(plain)) return new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(plain)) * DAY_MS).toISOString().slice(0, 10)
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(plain) ?? []
  const [, month, day, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(plain) ?? []
  const [, name = '', dayOfName, yearOfName] = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(plain) ?? []
  const monthOfName = MONTHS.indexOf(name.toLowerCase()) + 1
  const parts =
    isoYear !== undefined
      ? [isoYear, isoMonth, isoDay]
      : month !== undefined
        ? [year, month, day]
        : monthOfName > 0
          ? [yearOfName, String(monthOfName), dayOfName]
          : []
  const [y, m, d] = parts.map(Number)
  if (y === undefined || m === undefined || d === undefined) return undefined
  const date = new Date(Date.UTC(y < 100 ? 2000 + y : y, m - 1, d))
  return date.getUTCMonth() === m - 1 && date.getUTCDate() === d ? date.toISOString().slice(0, 10) : undefined
}

const YES = /^(?:y|yes|true|x|1|active|✓|✔)$/i
const NO = /^(?:n|no|false|0|inactive)$/i
const readYes = (text: string): boolean | undefined => (YES.test(text) ? true : NO.test(text) ? false : undefined)

const GRADES =
  /^(?:(?:grades?\s*)?(?:pk|tk|kg?|ug|adult|\d{1,2})(?:st|nd|rd|th)?)(?:\s*(?:[-–—,/&]|to|thru|through)\s*(?:pk|tk|kg?|adult|\d{1,2})(?:st|nd|rd|th)?)*$/i
const URL_PATTERN = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?$/i
const STREET = /^(?:p\.?\s?o\.?\s?box\b|\d[\w-]{0,9} \S)/i

const MAX_TEXT_LENGTH = 500
const MAX_CODE_LENGTH = 100
const IS_SCIENTIFIC = /^\d(?:\.\d+)?E\+?\d+$/i

interface Reader {
  /** What values of this type look like; undefined if they look like any text. */
  readonly words?: string
  readonly message: string
  readonly read: (text: string, part: string) => Readonly<Record<string, ImportValue>> | undefined
}

const one =
  (read: (text: string) => ImportValue | undefined): Reader['read'] =>
  (text, part) => {
    const value = read(text)
    return value === undefined ? undefined : { [part]: value }
  }
const readMatching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
const readText = (text: string) => (text.length <= MAX_TEXT_LENGTH ? text : undefined)

/** How each type is read. */
const READERS: Readonly<Record<ImportType, Reader>> = {
  text: { message: `At most ${MAX_TEXT_LENGTH} characters`, read: one(readText) },
  word: { message: `At most ${MAX_TEXT_LENGTH} characters`, read: one(readText) },
  street: { words: 'streets', message: `At most ${MAX_TEXT_LENGTH} characters`, read: one(readText) },
  url: { words: 'web addresses', message: `At most ${MAX_TEXT_LENGTH} characters`, read: one(readText) },
  grades: { words: 'grade levels', message: `At most ${MAX_TEXT_LENGTH} characters`, read: one((text) => readText(readGrades(text))) },
  extension: { message: 'An extension has at most six digits', read: one((text) => /^(?:x|ext\.?)?\s*(\d{1,6})$/i.exec(text)?.[1]) },
  number: {
    message: 'At most 100 characters, and not a number like 6.1E+10: a spreadsheet removed its digits',
    read: one((text) => (IS_SCIENTIFIC.test(text) || text.length > MAX_CODE_LENGTH ? undefined : text)),
  },
  id: {
    words: 'codes of a school directory',
    message: 'A spreadsheet turned this code into a number: its digits are lost',
    read: one((text) =>
      IS_SCIENTIFIC.test(text) || text.length > MAX_CODE_LENGTH ? undefined : /^[\d\s-]+$/.test(text) ? text.replaceAll(/\D/g, '') : text,
    ),
  },
  digits: { message: 'Digits only, at most 20', read: one(readMatching(/^\d{1,20}$/)) },
  state: { words: 'states', message: 'This is not a state', read: one(readState) },
  zip: { words: 'ZIP codes', message: 'A ZIP code has five or nine digits', read: one(readZip) },
  place: { words: 'a city, a state and a ZIP code', message: 'This is not a city with a state or a ZIP code', read: readPlace },
  address: { words: 'whole addresses', message: 'The street, the city and the state are not clear here', read: readAddress },
  phone: {
    words: 'phone numbers',
    message: 'A phone number has 7 or 10 digits, such as 209-555-0142 or 209-555-0142 x12',
    read: (text, part) => {
      const [first, second] = readPhones(text) ?? []
      return first === undefined ? undefined : { [part]: first, ...(second === undefined ? {} : { [`${part}_2`]: second }) }
    },
  },
  fax: {
    words: 'phone numbers',
    message: 'A fax number has 7 or 10 digits, such as 209-555-0143',
    read: one((text) => {
      const digits = toFaxDigits(text)
      return FAX_PATTERN.test(digits) ? digits : undefined
    }),
  },
  email: { words: 'email addresses', message: 'This is not an email address', read: one((text) => (isEmail(text) ? text : undefined)) },
  person: {
    words: 'names of people',
    message: 'This is not the name of a person',
    read: (text) => {
      const name = readPersonName(text)
      return name && { FirstName: name.first || null, LastName: name.last || null }
    },
  },
  day: { words: 'dates', message: 'This is not a date, such as 07/01/2026', read: one(readDay) },
  count: {
    message: 'Enter a whole number',
    read: one((text) =>
      /^\d{1,3}(?:,?\d{3})*(?:\.0+)?$/.test(text) && Number(text.replaceAll(',', '')) < 100_000
        ? Number(text.replaceAll(',', ''))
        : undefined,
    ),
  },
  degrees: {
    words: 'degrees',
    message: 'This is not a number of degrees',
    read: one((text) => (/^[-+]?\d{1,3}(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= 180 ? Number(text) : undefined)),
  },
  yes: { words: 'yes and no', message: 'Enter Yes or No', read: one(readYes) },
}

/** Texts that directories write for an empty cell. */
const EMPTY = /^(?:no data|n\/a|#n\/a|null|none|-+|—|tbd)$/i

/** The cell as one line; empty if the file says so in words. */
export const toCellLine = (text: string): string => {
  const line = cleanLine(text.replace(/[\r\n\t]+/g, ' ')).replace(/\s+/g, ' ')
  return EMPTY.test(line) ? '' : line
}

/** Reads a filled cell. `part` is the field that a single value belongs to. */
export const readImportedCell = (type: ImportType, text: string, part: string): ReadCell => {
  const kept = type === 'phone' || type === 'address' ? text.trim() : toCellLine(text)
  const { read, message } = READERS[type]
  const parts = read(kept, part)
  return parts === undefined ? { message } : { parts }
}

/** Whether a text looks like one of this type; types without a look of their own have none. */
export const looksLike = (type: ImportType, text: string): boolean => {
  switch (type) {
    case 'id':
      return /^\d{2}[ -]?\d{5}[ -]?\d{7}$|^\d{11,14}$/.test(text)
    case 'url':
      return URL_PATTERN.test(text) && !text.includes('@')
    case 'grades':
      return GRADES.test(text) && !/^\d{3,}$/.test(text)
    case 'street':
      return STREET.test(text) && !readAddress(text)
    case 'degrees':
      return /^[-+]?\d{1,3}\.\d{3,}$/.test(text)
    case 'place':
      return /,|\s/.test(text) && typeof readPlace(text)?.state === 'string'
    case 'phone':
    case 'fax':
      return readPhones(text) !== undefined && !/^\d{7}$/.test(text)
    case 'zip':
      return /^\d{5}(?:-?\d{4})?$/.test(text)
    case 'person':
      return /^[\p{L}\p{M}.'’-]+,? [\p{L}\p{M}.'’, -]+$/u.test(text) && text.split(' ').length <= 4
    case 'day':
      return !/^\d{5}$/.test(text) && readDay(text) !== undefined
    case 'state':
    case 'email':
    case 'yes':
    case 'address':
      return 'parts' in readImportedCell(type, text, 'value')
    case 'text':
    case 'word':
    case 'digits':
    case 'number':
    case 'count':
    case 'extension':
      return false
  }
}

/** What values of a type look like, in words: 'phone numbers'. */
export const describeType = (type: ImportType): string | undefined => READERS[type].words
