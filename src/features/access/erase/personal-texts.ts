import { readPhone } from '../../../contract/phones.ts'
import type { PersonalText } from '../../../contract/records.ts'

/** A text that says who someone is. */
export interface FoundText {
  readonly kind: PersonalText
  readonly text: string
}

/** What stands in place of the texts. */
export interface Erased {
  readonly name: string
  readonly slug: string
}

/** Letters and digits, of names in Latin script. */
const WORD = '0-9A-Za-z\u00C0-\u024F\u0300-\u036F'
/** What stands between the words of a name in texts, addresses, HTML and JSON. */
const BETWEEN = `(?:[ \\s._+'’\u2010-\u2015-]|%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]{1,6};|\\\\u[0-9A-Fa-f]{4}|\\\\[nrt])`
const alone = (pattern: string): string => `(?<![${WORD}])${pattern}(?![${WORD}])`

/** A character of a pattern that PostgreSQL and JavaScript read alike; a letter with an accent matches without it too. */
const toCharacter = (character: string): string => {
  if (/[0-9A-Za-z]/.test(character)) return character
  const plain = character.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const cases = [character.toLowerCase(), character.toUpperCase()]
  if (/^\p{L}+$/u.test(character)) return `(?:${[...new Set([...cases, plain, ...cases.map(encodeURIComponent)])].join('|')})`
  return /[\^\]\\]/.test(character) ? `\\${character}` : `[${character}]`
}
const toLiteral = (text: string): string => [...text.normalize('NFC')].map(toCharacter).join('')

const splitWords = (name: string): string[] => name.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** The words in their order, and with the last one first: 'Quillfeather, Ada'. */
const toNamePattern = (name: string): string | null => {
  const parts = name.trim().split(/\s+/)
  const words = parts.map((part) => splitWords(part).map(toLiteral).join(`${BETWEEN}{0,3}`)).filter(Boolean)
  const last = words.at(-1)
  if (last === undefined || words.length < 2 || splitWords(name).join('').length < 5) return null
  const [inOrder, lastFirst] = [
    words.join(`${BETWEEN}{1,6}`),
    `${last}(?:,|%2C)${BETWEEN}{0,6}${words.slice(0, -1).join(`${BETWEEN}{1,6}`)}`,
  ]
  return alone(`(?:${inOrder}|${lastFirst})`)
}

const AT = '(?:@|%40|&#64;)'
const toEmailPattern = (email: string): string => `(?<![${WORD}._+-])${email.split('@').map(toLiteral).join(AT)}(?![.-]?[${WORD}])`

const MIN_PHONE_DIGITS = 7
/** What is written without a space in every form of a number. */
const LAST_DIGITS = 4
/** The digits of a number without country code and extension. */
export const toPhoneDigits = (phone: string): string =>
  (readPhone(phone)?.number ?? phone).replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
const toPhonePattern = (phone: string): string | null => {
  const digits = toPhoneDigits(phone)
  if (digits.length < MIN_PHONE_DIGITS) return null
  const between = '(?:[ ./\u2010-\u2015-]|%20){0,3}'
  const [area, rest] = digits.length === 10 ? [digits.slice(0, 3), digits.slice(3)] : ['', digits]
  const areaCode = area === '' ? '' : `(?:[(]${area}[)]|%28${area}%29|${area})${between}`
  const first = rest.slice(0, -LAST_DIGITS).replaceAll(/\d/g, (digit) => `${digit}${between}`)
  // Followed by an extension at most, so that it is found in no hash.
  return `(?<![${WORD}])(?:[+]?1[ .-]{0,2})?${areaCode}${first}${rest.slice(-LAST_DIGITS)}(?![0-9A-DF-WYZa-df-wyz])`
}

/** Shorter numbers, numbers that are words, and slugs of one word are in other texts too. */
const MIN_CODE_LENGTH = 6
const toCodePattern = (code: string): string | null =>
  code.length < MIN_CODE_LENGTH || !/\d.*\d.*\d/.test(code) ? null : alone(toLiteral(code))
const toSlugPattern = (slug: string): string | null =>
  slug.length < MIN_CODE_LENGTH || !slug.includes('-') ? null : `(?<![${WORD}-])${toLiteral(slug)}(?![${WORD}-])`

const PATTERNS: Readonly<Record<PersonalText, (text: string) => string | null>> = {
  name: toNamePattern,
  email: toEmailPattern,
  phone: toPhonePattern,
  slug: toSlugPattern,
  number: toCodePattern,
}

const getLongest = (texts: readonly string[]): string => texts.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
/** A part of a text that every form of it has, in lower case: cheaper to look for than its pattern. */
const toPart = ({ kind, text }: FoundText): string => {
  if (kind === 'phone') return toPhoneDigits(text).slice(-LAST_DIGITS)
  const [whole = ''] = kind === 'email' ? text.split('@') : [text]
  const part = getLongest(whole.match(/[0-9A-Za-z]+/g) ?? []).toLowerCase()
  return part.length >= 2 || kind !== 'name' ? part : getLongest(splitWords(text)).toLowerCase()
}

/** The pattern of a text within other texts, for PostgreSQL and JavaScript; null if it would be found in texts that have nothing to do with it. */
export const toPattern = ({ kind, text }: FoundText): string | null => PATTERNS[kind](text)

const toPatterns = (texts: readonly FoundText[], ...kinds: readonly PersonalText[]): string[] => [
  ...new Set(texts.flatMap((found) => (kinds.includes(found.kind) ? (toPattern(found) ?? []) : []))),
]

const NEVER = '(?!)'
const join = (patterns: readonly string[]): string => (patterns.length === 0 ? NEVER : patterns.map((one) => `(?:${one})`).join('|'))
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** Finds the texts of someone in stored values, and replaces them. */
export class PersonalTexts {
  /** Every value with one of the texts has one of these in lower case. */
  readonly parts: readonly string[]
  readonly #slugs: RegExp
  readonly #any: RegExp
  /** Values that are nothing but an email address, a phone number or a number of the person. */
  readonly #whole: RegExp
  readonly #erased: Erased

  constructor(texts: readonly FoundText[], erased: Erased) {
    const slugs = toPatterns(texts, 'slug')
    const others = toPatterns(texts, 'email', 'name', 'phone', 'number')
    this.parts = [...new Set(texts.flatMap((one) => (toPattern(one) === null ? [] : toPart(one))))].filter(Boolean)
    this.#slugs = new RegExp(join(slugs), 'giu')
    this.#any = new RegExp(join(others), 'giu')
    this.#whole = new RegExp(`^\\s*(?:${join(toPatterns(texts, 'email', 'phone', 'number'))})\\s*$`, 'iu')
    this.#erased = erased
  }

  get expressions(): readonly RegExp[] {
    return [this.#slugs, this.#any, this.#whole]
  }

  get isEmpty(): boolean {
    return this.parts.length === 0
  }

  /** Whether a text is nothing but a way to reach the person, which no name can stand for. */
  isWhole(value: unknown): boolean {
    return typeof value === 'string' && this.#whole.test(value)
  }

  /** A text without the texts; one that is JSON stays JSON. */
  eraseText(text: string): string {
    if (/^[{[]/.test(text)) {
      try {
        return JSON.stringify(this.eraseJson(JSON.parse(text)))
      } catch {
        // It only looks like JSON.
      }
    }
    return text.replaceAll(this.#slugs, this.#erased.slug).replaceAll(this.#any, this.#erased.name)
  }

  /** A value without the texts: lists lose what only reaches the person, fields become null. */
  eraseJson(value: unknown): unknown {
    if (typeof value === 'string') return this.isWhole(value) ? null : this.eraseText(value)
    if (Array.isArray(value)) return value.filter((one) => !this.isWhole(one)).map((one) => this.eraseJson(one))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.eraseText(key), this.eraseJson(one)]))
  }
}
