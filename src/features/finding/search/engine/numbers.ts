import { toLettersAndDigits } from './words.ts'

/** A number, email address or id in a search. */
export interface TypedNumber {
  readonly text: string
  readonly isEmail: boolean
  /** An id with letters, such as 'P-00771'. */
  readonly isId: boolean
}

/** '209-555-0143 x12' is the number without its extension. */
export const removeExtension = (typed: string): string => typed.replace(/(\d)\s*(?:x|ext\.?)\s*\d+\s*$/i, '$1')

/** '(209) 555-0143', '+1 209 555 0143 x12', '5550143', an id, or an address with an @: the first one in the typed text. */
export const findTypedNumber = (typed: string): TypedNumber | undefined => {
  const text = removeExtension(typed).trim()
  if (text.includes('@')) return { text: text.toLowerCase(), isEmail: true, isId: false }
  const letters = toLettersAndDigits(text)
  if (!/\s/.test(text) && /^[a-z]{1,4}[0-9][a-z0-9]{2,}$/.test(letters)) return { text: letters, isEmail: false, isId: true }
  for (const [, run = ''] of text.matchAll(/(?:^|[^\p{L}\p{N}])(\d[\d\s().+/-]*\d)(?![\p{L}\p{N}])/gu)) {
    const digits = run.replace(/\D/g, '')
    if (digits.length > 2) return { text: digits.length === 11 ? digits.replace(/^1/, '') : digits, isEmail: false, isId: false }
  }
  return undefined
}

/** The digits of a phone number, without an extension. */
export const toPhoneNumber = (phone: string | null): string => (phone ?? '').split(/x/i, 1).join('').replace(/\D/g, '')

/** The numbers of a record; faxes count a little less. */
export interface RecordNumbers {
  readonly numbers: readonly (string | null)[]
  readonly fax: string
}

/** How a number matches: the whole of it, its beginning or end, or a part. */
export const NUMBER_SCORES = { whole: 14, end: 12, part: 10 } as const

/** The score of one number for what was typed; undefined if it does not match. */
export const getNumberScore = (number: string, typed: string): number | undefined => {
  if (number === typed) return NUMBER_SCORES.whole
  if (number.startsWith(typed) || number.endsWith(typed)) return NUMBER_SCORES.end
  return number.includes(typed) ? NUMBER_SCORES.part : undefined
}

export interface NumberMatch {
  readonly record: number
  readonly score: number
}

const RECORDS_PER_BLOCK = 128
const MAX_MATCHES = 200
const getBlock = (record: number): number => Math.floor(record / RECORDS_PER_BLOCK)

const RECORD = '\r'
const NUMBER = '\n'
const FAX = '\t'

/** Encodes the index of a record in four letters that do not occur in numbers. */
const encode = (record: number): string =>
  String.fromCharCode(0xc0 + (record & 63), 0xc0 + ((record >> 6) & 63), 0xc0 + ((record >> 12) & 63), 0xc0 + ((record >> 18) & 63))
const decode = (text: string, at: number): number =>
  (text.charCodeAt(at) & 63) |
  ((text.charCodeAt(at + 1) & 63) << 6) |
  ((text.charCodeAt(at + 2) & 63) << 12) |
  ((text.charCodeAt(at + 3) & 63) << 18)

/**
 * The numbers of all records as text, in blocks that are searched one after the other. A number is between line breaks, so that one search finds
 * numbers that begin with what was typed. This takes a tenth of the memory of an index of parts, and a few milliseconds for 100,000 people.
 */
export class NumberIndex {
  readonly #blocks: string[] = []
  /** The last record that was added: later ones are not in a block yet. */
  #last = -1
  /** Text to append to the block of the last record, collected because a growing string would be copied with each record. */
  #pieces: string[] = []

  set(record: number, { numbers, fax }: RecordNumbers): void {
    const kept = numbers.filter((number) => number !== null && number !== '')
    const own = [...kept, ...(fax === '' ? [] : [`${fax}${FAX}`])].map((number) => `${NUMBER}${number}`).join('')
    const key = `${RECORD}${encode(record)}`
    const text = own === '' ? '' : `${key}${own}${NUMBER}`
    const at = getBlock(record)
    if (record > this.#last) {
      if (at !== getBlock(this.#last)) this.#join()
      this.#last = record
      this.#pieces.push(text)
      return
    }
    this.#join()
    const block = this.#blocks[at] ?? ''
    const from = block.indexOf(key)
    const next = from < 0 ? -1 : block.indexOf(RECORD, from + 1)
    const rest = from < 0 ? block : block.slice(0, from) + (next < 0 ? '' : block.slice(next))
    this.#blocks[at] = rest + text
  }

  #join(): void {
    if (this.#pieces.length === 0) return
    const at = getBlock(this.#last)
    this.#blocks[at] = [this.#blocks[at] ?? '', ...this.#pieces].join('')
    this.#pieces = []
  }

  /** Records with a number that equals, begins with, ends with or contains a typed one; parts count only if it is short or finds nothing else. */
  find(typed: string): { matches: NumberMatch[]; more: boolean } {
    this.#join()
    const scores = new Map<number, number>()
    let more = this.#scan(`${NUMBER}${typed}`, 1, scores)
    if (typed.length === 7) this.#scan(typed, 0, scores, true)
    if (scores.size === 0 || typed.length < 6) more = this.#scan(typed, 0, scores) || more
    return { matches: [...scores].map(([record, score]) => ({ record, score })), more }
  }

  #scan(pattern: string, offset: number, scores: Map<number, number>, onlyEnds = false): boolean {
    let count = 0
    for (const block of this.#blocks) {
      if (!block) continue
      for (let at = block.indexOf(pattern); at >= 0; at = block.indexOf(pattern, at + 1)) {
        const record = decode(block, block.lastIndexOf(RECORD, at) + 1)
        const from = at + offset
        const after = block.charAt(at + pattern.length)
        const isStart = block.charAt(from - 1) === NUMBER
        const isEnd = after === NUMBER || after === FAX || after === RECORD || after === ''
        if (onlyEnds && !isEnd) continue
        const isFax = block.charAt(block.indexOf(NUMBER, at + 1) - 1) === FAX
        const score = (isStart && isEnd ? NUMBER_SCORES.whole : isStart || isEnd ? NUMBER_SCORES.end : NUMBER_SCORES.part) - (isFax ? 1 : 0)
        if (score > (scores.get(record) ?? 0)) scores.set(record, score)
        if (++count >= MAX_MATCHES) return true
      }
    }
    return false
  }
}
