import { addTo, type CompactList, listItems, removeFrom } from '../../../../contract/compact-list.ts'
import { NICKNAMES } from '../../../../contract/nicknames.ts'
import { isOneTypoApart } from '../../../../contract/text-match.ts'
import type { IndexedRecord } from './records.ts'
import { SortedWords } from './sorted-words.ts'

/** How a word matches what was typed, best first. A search widens by these steps. */
export const EXACT = 0
export const PREFIX = 1
export const TYPO = 2
export const SIMILAR = 3

const MAX_REMEMBERED = 1000
const MAX_PREFIX_WORDS = 400
const MAX_SIMILAR_WORDS = 24
/** Words of at least this length may have two typos if nothing else is found. */
const MIN_LENGTH_OF_TWO_TYPOS = 8
const MIN_LENGTH_OF_PART = 4

const nicknames = new SortedWords(NICKNAMES.keys())

/** Words one typo away, swaps included. If a short word is the only word, a match begins with its first or second letter. */
const findTypoWords = (words: SortedWords, { text: typed, isAlone }: { text: string; isAlone: boolean }): string[] => {
  if (typed.length < 3 || /\d/.test(typed)) return []
  const found = new Set(words.findSimilar(typed, 1))
  for (let at = 0; at < typed.length - 1; at++) {
    const swapped = `${typed.slice(0, at)}${typed.charAt(at + 1)}${typed.charAt(at)}${typed.slice(at + 2)}`
    if (words.getId(swapped) !== undefined) found.add(swapped)
  }
  const isStrict = isAlone && typed.length < 5
  return [...found].filter(
    (word) =>
      word !== typed && word.length > 2 && (!isStrict || word[0] === typed[0] || word[0] === typed[1]) && isOneTypoApart(typed, word),
  )
}

const listTwoTyposApart = (words: SortedWords, typed: string): string[] =>
  typed.length < MIN_LENGTH_OF_TWO_TYPOS || /\d/.test(typed) ? [] : words.findSimilar(typed, 2).filter((word) => word[0] === typed[0])

/** A typed word with the words of the vocabulary that match it. */
export class TypedWord {
  readonly text: string
  /** Whether words that begin with it match. */
  readonly allowsPrefix: boolean
  /** Whether it is the only word. */
  readonly isAlone: boolean
  readonly #vocabulary: Vocabulary
  #step = -1
  /** How each word matches, by its number; for people, the related names too. */
  readonly matches = new Map<number, number>()
  readonly nicknameMatches = new Map<number, number>()

  constructor(vocabulary: Vocabulary, text: string, isAlone: boolean) {
    this.#vocabulary = vocabulary
    this.text = text
    this.isAlone = isAlone
    this.allowsPrefix = text.length > 1
  }

  get step(): number {
    return this.#step
  }

  /** The words that are marked in hits: the word itself, related names, and close matches. */
  listMarks(): string[] {
    const close = [...this.matches].filter(([, step]) => step > PREFIX)
    const names = [...this.nicknameMatches].filter(([, step]) => step !== PREFIX)
    return [this.text, ...[...close, ...names].map(([id]) => this.#vocabulary.getWord(id))]
  }

  /** Adds the words of the next steps. */
  extendTo(step: number): void {
    while (this.#step < step) {
      this.#step++
      for (const word of this.#vocabulary.find(this, this.#step)) this.#add(this.matches, word, this.#step)
      for (const name of this.#findNames(this.#step))
        for (const other of NICKNAMES.get(name) ?? []) this.#add(this.nicknameMatches, other, this.#step)
    }
  }

  /** How another word, such as one of a role, matches; undefined if it does not. */
  getStep(word: string): number | undefined {
    if (word === this.text || `${word}s` === this.text) return EXACT
    if (this.allowsPrefix && word.startsWith(this.text)) return PREFIX
    if (this.text.length > 3 && isOneTypoApart(this.text, word)) return TYPO
    return this.#step >= SIMILAR && listTwoTyposApart(new SortedWords([word]), this.text).length > 0 ? SIMILAR : undefined
  }

  #add(matches: Map<number, number>, word: string, step: number): void {
    const id = this.#vocabulary.getId(word)
    if (id !== undefined && !matches.has(id)) matches.set(id, step)
  }

  /** Names with nicknames that match the typed word: the word itself, those that begin with it, and those with a typo. */
  #findNames(step: number): readonly string[] {
    if (step === EXACT) return [this.text]
    if (step === PREFIX) return this.text.length > 2 && this.allowsPrefix ? nicknames.findBeginning(this.text, MAX_PREFIX_WORDS) : []
    if (step !== TYPO || this.text.length < 5) return []
    return this.#vocabulary.remember(`nickname ${this.text}`, () => findTypoWords(nicknames, this))
  }
}

/** Every word of the records with the records that have it. */
export class Vocabulary {
  readonly #words = new SortedWords()
  readonly #people: CompactList<IndexedRecord>[] = []
  readonly #others: CompactList<IndexedRecord>[] = []
  /** The matches for words of earlier searches, until a word is added or removed. Each further letter of a search repeats the words before it. */
  readonly #found = new Map<string, readonly string[]>()

  getId(word: string): number | undefined {
    return this.#words.getId(word)
  }

  getWord(id: number): string {
    return this.#words.getWord(id)
  }

  hasBeginning(text: string): boolean {
    return this.#words.findBeginning(text, 1).length > 0
  }

  getRecords(id: number, ofPeople: boolean): readonly IndexedRecord[] {
    return listItems((ofPeople ? this.#people : this.#others)[id])
  }

  /** Adds a record to a word, and returns the word's number. */
  add(word: string, record: IndexedRecord): number {
    const id = this.#words.add(word)
    if (!this.#isUsed(id)) {
      this.#found.clear()
      this.#people[id] = this.#others[id] = undefined // leaves no gap before a later number
    }
    const lists = record.kind === 'person' ? this.#people : this.#others
    lists[id] = addTo(lists[id], record)
    return id
  }

  remove(id: number, record: IndexedRecord): void {
    const lists = record.kind === 'person' ? this.#people : this.#others
    lists[id] = removeFrom(lists[id], record)
    if (this.#isUsed(id)) return
    this.#words.delete(id)
    this.#found.clear()
  }

  #isUsed(id: number): boolean {
    return this.#people[id] !== undefined || this.#others[id] !== undefined
  }

  /** The words that match at a step, without those of the steps before. */
  find(typed: TypedWord, step: number): readonly string[] {
    return this.remember(`${step}${typed.isAlone ? ' ' : ''}${typed.text}`, () => this.#search(typed, step))
  }

  /** The cached result of `find` for this key, or its new result. */
  remember(key: string, find: () => readonly string[]): readonly string[] {
    let words = this.#found.get(key)
    if (!words) {
      if (this.#found.size >= MAX_REMEMBERED) this.#found.clear()
      words = find()
      this.#found.set(key, words)
    }
    return words
  }

  #search({ text, allowsPrefix, isAlone }: TypedWord, step: number): string[] {
    if (step === EXACT) return this.getId(text) === undefined ? [] : [text]
    if (step === PREFIX) return allowsPrefix ? this.#words.findBeginning(text, MAX_PREFIX_WORDS) : []
    if (step === TYPO) return findTypoWords(this.#words, { text, isAlone })
    const containing = text.length < MIN_LENGTH_OF_PART ? [] : this.#words.findContaining(text, MAX_SIMILAR_WORDS)
    return [...containing, ...listTwoTyposApart(this.#words, text)]
  }
}
