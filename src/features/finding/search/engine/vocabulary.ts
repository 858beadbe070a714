import SearchableMap from 'minisearch/SearchableMap'

import { NICKNAMES } from './nicknames.ts'
import type { IndexedRecord } from './records.ts'
import { isOneTypoApart } from './words.ts'

/** How a word matches what was typed, best first. */
export const EXACT = 0
export const PREFIX = 1
export const TYPO = 2
export const SIMILAR = 3

const MAX_REMEMBERED = 1000
const MAX_PREFIX_WORDS = 400
const MAX_SIMILAR_WORDS = 24
/** Longer words may have two typos, where nothing else is found. */
const MIN_LENGTH_OF_TWO_TYPOS = 8
const MIN_LENGTH_OF_PART = 4

const NO_RECORDS: readonly IndexedRecord[] = []

const nicknames = SearchableMap.from([...NICKNAMES])

/** Words one typo away, swaps included. The first letter of a short word that stands alone is right, unless the first two are swapped. */
const findTypoWords = <T>(words: SearchableMap<T>, { text: typed, isAlone }: { text: string; isAlone: boolean }): string[] => {
  if (typed.length < 3 || /\d/.test(typed)) return []
  const found = new Set(words.fuzzyGet(typed, 1).keys())
  for (let at = 0; at < typed.length - 1; at++) {
    const swapped = `${typed.slice(0, at)}${typed.charAt(at + 1)}${typed.charAt(at)}${typed.slice(at + 2)}`
    if (words.has(swapped)) found.add(swapped)
  }
  const isStrict = isAlone && typed.length < 5
  return [...found].filter(
    (word) =>
      word !== typed && word.length > 2 && (!isStrict || word[0] === typed[0] || word[0] === typed[1]) && isOneTypoApart(typed, word),
  )
}

const listTwoTyposApart = <T>(words: SearchableMap<T>, typed: string): string[] =>
  typed.length < MIN_LENGTH_OF_TWO_TYPOS || /\d/.test(typed)
    ? []
    : [...words.fuzzyGet(typed, 2).keys()].filter((word) => word[0] === typed[0])

/** A typed word with the words of the vocabulary that match it. */
export class TypedWord {
  readonly text: string
  /** Whether words that begin with it match. */
  readonly allowsPrefix: boolean
  /** Whether it is the only word. */
  readonly isAlone: boolean
  readonly #vocabulary: Vocabulary
  #level = -1
  /** How each word matches, by its number; for people, the related names too. */
  readonly matches = new Map<number, number>()
  readonly nicknameMatches = new Map<number, number>()

  constructor(vocabulary: Vocabulary, text: string, isAlone: boolean) {
    this.#vocabulary = vocabulary
    this.text = text
    this.isAlone = isAlone
    this.allowsPrefix = text.length > 1
  }

  get level(): number {
    return this.#level
  }

  /** The words that are marked in hits: itself, names that belong to it, and what it may have been meant for. */
  listMarks(): string[] {
    const close = [...this.matches].filter(([, level]) => level > PREFIX)
    const names = [...this.nicknameMatches].filter(([, level]) => level !== PREFIX)
    return [this.text, ...[...close, ...names].map(([id]) => this.#vocabulary.getWord(id))]
  }

  /** Adds the words of the next levels. */
  extendTo(level: number): void {
    while (this.#level < level) {
      this.#level++
      for (const word of this.#vocabulary.find(this, this.#level)) this.#add(this.matches, word, this.#level)
      for (const name of this.#findNames(this.#level))
        for (const other of NICKNAMES.get(name) ?? []) this.#add(this.nicknameMatches, other, this.#level)
    }
  }

  /** How another word, such as that of a role, matches; undefined where it does not. */
  getLevel(word: string): number | undefined {
    if (word === this.text || `${word}s` === this.text) return EXACT
    if (this.allowsPrefix && word.startsWith(this.text)) return PREFIX
    if (this.text.length > 3 && isOneTypoApart(this.text, word)) return TYPO
    return this.#level >= SIMILAR && listTwoTyposApart(new SearchableMap<true>().set(word, true), this.text).length > 0
      ? SIMILAR
      : undefined
  }

  #add(matches: Map<number, number>, word: string, level: number): void {
    const id = this.#vocabulary.getId(word)
    if (id !== undefined && !matches.has(id)) matches.set(id, level)
  }

  /** Nicknames that match: themselves, those that begin with what was typed, and those with a typo. */
  #findNames(level: number): readonly string[] {
    if (level === EXACT) return [this.text]
    if (level === PREFIX) return this.text.length > 2 && this.allowsPrefix ? [...nicknames.atPrefix(this.text).keys()] : []
    if (level !== TYPO || this.text.length < 5) return []
    return this.#vocabulary.remember(`nickname ${this.text}`, () => findTypoWords(nicknames, this))
  }
}

/** Every word of the records with the records that have it. */
export class Vocabulary {
  readonly #ids = new SearchableMap<number>()
  readonly #words: (string | undefined)[] = []
  readonly #people: (readonly IndexedRecord[])[] = []
  readonly #others: (readonly IndexedRecord[])[] = []
  readonly #freeIds: number[] = []
  /** What was found for the words of earlier searches, until a word comes or goes: every further letter repeats the words before it. */
  readonly #found = new Map<string, readonly string[]>()

  getId(word: string): number | undefined {
    return this.#ids.get(word)
  }

  getWord(id: number): string {
    return this.#words[id] ?? ''
  }

  getRecords(id: number, ofPeople: boolean): readonly IndexedRecord[] {
    return (ofPeople ? this.#people : this.#others)[id] ?? NO_RECORDS
  }

  /** Adds a record to a word, and returns the word's number. */
  add(word: string, record: IndexedRecord): number {
    let id = this.#ids.get(word)
    if (id === undefined) {
      id = this.#freeIds.pop() ?? this.#words.length
      this.#found.clear()
      this.#ids.set(word, id)
      this.#words[id] = word
      this.#people[id] = NO_RECORDS
      this.#others[id] = NO_RECORDS
    }
    const lists = record.kind === 'person' ? this.#people : this.#others
    lists[id] = addTo(lists[id] ?? NO_RECORDS, record)
    return id
  }

  remove(id: number, record: IndexedRecord): void {
    const lists = record.kind === 'person' ? this.#people : this.#others
    lists[id] = removeFrom(lists[id] ?? NO_RECORDS, record)
    const word = this.#words[id]
    if (word === undefined || this.#people[id]?.length !== 0 || this.#others[id]?.length !== 0) return
    this.#ids.delete(word)
    this.#found.clear()
    this.#words[id] = undefined
    this.#freeIds.push(id)
  }

  /** The words that match at a level, not those of the levels before. */
  find(typed: TypedWord, level: number): readonly string[] {
    return this.remember(`${level}${typed.isAlone ? ' ' : ''}${typed.text}`, () => this.#search(typed, level))
  }

  /** What `find` returned for the same key, or returns now. */
  remember(key: string, find: () => readonly string[]): readonly string[] {
    let words = this.#found.get(key)
    if (!words) {
      if (this.#found.size >= MAX_REMEMBERED) this.#found.clear()
      words = find()
      this.#found.set(key, words)
    }
    return words
  }

  #search({ text, allowsPrefix, isAlone }: TypedWord, level: number): string[] {
    if (level === EXACT) return this.#ids.has(text) ? [text] : []
    if (level === PREFIX) return allowsPrefix ? this.#findBeginning(text) : []
    if (level === TYPO) return findTypoWords(this.#ids, { text, isAlone })
    return [...this.#findContaining(text), ...listTwoTyposApart(this.#ids, text)]
  }

  #findBeginning(text: string): string[] {
    const words: string[] = []
    for (const word of this.#ids.atPrefix(text).keys()) {
      words.push(word)
      if (words.length >= MAX_PREFIX_WORDS) break
    }
    return words
  }

  #findContaining(text: string): string[] {
    if (text.length < MIN_LENGTH_OF_PART) return []
    const words: string[] = []
    for (const word of this.#words) {
      if (word !== undefined && word.length > text.length && word.includes(text)) words.push(word)
      if (words.length >= MAX_SIMILAR_WORDS) break
    }
    return words
  }
}

/** Short lists have no room to spare, which a spread would leave: most words and people have few records. */
export const addTo = <T>(list: readonly T[], item: T): readonly T[] => {
  if (list.length < 16) return list.concat([item])
  ;(list as T[]).push(item)
  return list
}

export const removeFrom = <T>(list: readonly T[], item: T): readonly T[] => {
  const at = list.indexOf(item)
  if (at < 0) return list
  if (list.length <= 16) return list.filter((_, index) => index !== at)
  ;(list as T[]).splice(at, 1)
  return list
}
