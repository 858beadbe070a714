import type { RecordKind } from '../../../../contract/records.ts'
import { RECORD_KINDS } from '../../../../contract/records.ts'
import type { FoundRecord } from '../contract.ts'
import { findCandidateRecords, isOfKind } from './candidates.ts'
import { compareRows, type MatchedRow, MAX_CLEAR_STEP, RecordMatcher } from './matching.ts'
import { findTypedNumber, getNumberScore, NUMBER_SCORES, type NumberMatch, removeExtension, type TypedNumber } from './numbers.ts'
import { buildWordQuery, type WordQuery } from './query.ts'
import type { IndexedRecord } from './records.ts'
import { SearchIndex, type SearchedChange } from './search-index.ts'
import { listOtherSpacings } from './spacing.ts'
import { EXACT, PREFIX, SIMILAR, TYPO } from './vocabulary.ts'
import { joinParticles, normalize, NUMBER_LABELS, splitNormalized, STOP_WORDS } from './words.ts'

/** A number of a charter affair that contains what was typed. */
export interface AffairNumber {
  readonly charter: string
  readonly number: string
}

export interface SearchOptions {
  readonly only?: RecordKind | undefined
  readonly maxPerKind: number
  /** For callers who may read charter affairs: the numbers in them that contain the typed number. */
  readonly affairNumbers?: readonly AffairNumber[]
}

export interface EngineHit {
  readonly kind: RecordKind
  readonly _id: string
  /** The role that was found, for a person. */
  readonly role: string | null
  readonly score: number
  readonly match: FoundRecord['match']
}

/** The hits of one kind, best first; `more` if there are more than were counted. */
export interface EngineGroup {
  readonly kind: RecordKind
  readonly total: number
  readonly more: boolean
  readonly hits: readonly EngineHit[]
}

export interface EngineResult {
  readonly groups: readonly EngineGroup[]
  /** The words that matched, normalized: 'bill' matches 'william'. */
  readonly marks: readonly string[]
}

const MAX_WORDS = 8
const MAX_WORD_LENGTH = 60
/** Limits for people and for other records, so that ten times as many records cost little more. */
const MAX_ROWS = 150
const MAX_CANDIDATES = 1500
/** Close matches are searched if there are fewer results than this. */
const FEW_ROWS = 12
/** With a word left out, most of the typed letters must match the name, and few records may match. */
const MIN_NAME_SHARE = 0.55
const MAX_ROWS_WITHOUT_A_WORD = 25

const MATCHES = ['exact', 'prefix', 'close', 'close'] as const

/** What a search has found so far. */
interface Found {
  readonly rows: Map<IndexedRecord, MatchedRow>
  morePeople: boolean
  moreOthers: boolean
}

const createFound = (): Found => ({ rows: new Map(), morePeople: false, moreOthers: false })

/**
 * The search over all records, in memory and without I/O: rows are added by `change`, one at a time, and a search takes well under a millisecond.
 * Matches widen in steps: the word itself, words that begin with it, words one typo away, words that contain or resemble it.
 */
export class SearchEngine {
  readonly #index = new SearchIndex()
  readonly #regionNames = new Map<string, string>()
  #regionWords: ReadonlySet<string> = new Set()

  /** Applies a change of one row of a searched table. The cost depends on the length of the record, not on what refers to it. */
  change(change: SearchedChange): void {
    this.#index.change(change)
    if (change.table !== 'region') return
    const [before, after] = [change.before, change.after] as { _id: string; name: string }[]
    if (before) this.#regionNames.delete(before._id)
    if (after) this.#regionNames.set(after._id, normalize(after.name))
    this.#regionWords = new Set([...this.#regionNames.values()].flatMap(splitNormalized))
  }

  search(typed: string, { only, maxPerKind, affairNumbers = [] }: SearchOptions): EngineResult {
    const number = findTypedNumber(typed)
    const words = number?.isEmail === true ? [] : splitWords(removeExtension(typed), number)
    const found = createFound()
    const marks = new Set<string>()
    const numberRows = number ? this.#findNumbers(number.text, only, affairNumbers, found) : []
    if (numberRows.length === 0) this.#searchWords(words, only, found, marks)
    else this.#searchWithNumber(numberRows, number?.isId === true ? [] : words, only, found, marks)
    return { groups: toGroups(found, maxPerKind), marks: [...marks].toSorted() }
  }

  #findNumbers(number: string, only: RecordKind | undefined, affairNumbers: readonly AffairNumber[], found: Found): MatchedRow[] {
    const people = only === undefined || only === 'person' ? this.#index.numbersOfPeople.find(number) : undefined
    const others = only === 'person' ? undefined : this.#index.otherNumbers.find(number)
    found.morePeople = people?.more === true
    found.moreOthers = others?.more === true
    const rows = new Map<IndexedRecord, MatchedRow>()
    const add = (record: IndexedRecord | undefined, score: number): void => {
      if (!record || !isOfKind(record, only) || (rows.get(record)?.score ?? 0) >= score) return
      rows.set(record, toNumberRow(record, score))
    }
    const matches: readonly NumberMatch[] = [...(people?.matches ?? []), ...(others?.matches ?? [])]
    for (const { record, score } of matches) add(this.#index.getByIndex(record), score)
    for (const { charter, number: own } of affairNumbers) add(this.#index.find('charter', charter), getNumberScore(own, number) ?? 0)
    return [...rows.values()]
  }

  /** Searches for a number together with words, which select among the records with the number: a house number and its street. */
  #searchWithNumber(
    numberRows: MatchedRow[],
    words: readonly string[],
    only: RecordKind | undefined,
    found: Found,
    marks: Set<string>,
  ): void {
    const others = words.filter((word) => !/^\d+$/.test(word) && !NUMBER_LABELS.has(word) && !STOP_WORDS.has(word))
    if (others.length === 0) {
      for (const row of numberRows) found.rows.set(row.record, row)
      const exact = createFound()
      this.#widen(this.#match(words), only, exact, EXACT)
      // A ZIP code may also be part of a phone number.
      for (const row of exact.rows.values())
        if ((found.rows.get(row.record)?.score ?? 0) < NUMBER_SCORES.whole)
          found.rows.set(row.record, { ...row, score: NUMBER_SCORES.whole - 1 })
      return
    }
    const matcher = this.#match(others)
    matcher.extendTo(SIMILAR)
    for (const { record } of numberRows) {
      const row = matcher.match(record)
      if (row) found.rows.set(record, row)
    }
    if (found.rows.size > 0) addMarks(matcher.query, marks)
    else this.#searchWords(words, only, found, marks)
  }

  #searchWords(words: readonly string[], only: RecordKind | undefined, found: Found, marks: Set<string>): void {
    if (words.length === 0) return
    const matcher = this.#match(words)
    this.#widen(matcher, only, found, PREFIX)
    this.#searchOtherSpacing(words, only, found, marks)
    let { query: matched } = matcher
    if (found.rows.size === 0) matched = this.#searchJoined(words, only, found) ?? matched
    if (found.rows.size < FEW_ROWS && matched === matcher.query) this.#widen(matcher, only, found, TYPO)
    if (found.rows.size === 0) this.#widen(matcher, only, found, SIMILAR)
    if (found.rows.size === 0 && words.length > 1) this.#searchWithoutOne(words, only, found)
    if (found.rows.size > 0) addMarks(matched, marks)
  }

  /** Names are typed with and without the spaces in them: 'maryann' finds "Mary Ann", and 'mary ann' "Maryann". */
  #searchOtherSpacing(words: readonly string[], only: RecordKind | undefined, found: Found, marks: Set<string>): void {
    for (const { words: others, phrase } of listOtherSpacings(words, this.#index.vocabulary)) {
      const rest = createFound()
      const matcher = this.#match(others)
      this.#widen(matcher, only, rest, PREFIX)
      let isFound = false
      for (const [record, row] of rest.rows) {
        if (found.rows.has(record) || !hasPhrase(record.title, phrase)) continue
        found.rows.set(record, row)
        isFound = true
      }
      if (isFound) addMarks(matcher.query, marks)
    }
  }

  /** Joins particles: 'mc allister', 'de la cruz', 'saint clair'. Undefined if that finds nothing. */
  #searchJoined(words: readonly string[], only: RecordKind | undefined, found: Found): WordQuery | undefined {
    const joined = joinParticles(words.map((word) => (word === 'saint' ? 'st' : word)))
    if (joined.length === words.length) return undefined
    const matcher = this.#match(joined)
    this.#widen(matcher, only, found, TYPO)
    return found.rows.size > 0 ? matcher.query : undefined
  }

  /** No record has all words: leaves out one of them if the rest is nearly a name. */
  #searchWithoutOne(words: readonly string[], only: RecordKind | undefined, found: Found): void {
    const letters = words.join('').length
    for (const [at] of words.entries()) {
      const rest = createFound()
      this.#widen(this.#match(words.toSpliced(at, 1)), only, rest, PREFIX)
      const named = [...rest.rows.values()].filter(({ nameLetters }) => nameLetters / letters >= MIN_NAME_SHARE)
      if (named.length > MAX_ROWS_WITHOUT_A_WORD) continue
      for (const row of named) found.rows.set(row.record, { ...row, step: SIMILAR })
    }
  }

  #match(words: readonly string[]): RecordMatcher {
    const { vocabulary, rolesByWord } = this.#index
    return new RecordMatcher(buildWordQuery(words, { vocabulary, rolesByWord, regionWords: this.#regionWords }), this.#index)
  }

  /** Adds the matches of each further step up to the given one, until there are enough. */
  #widen(matcher: RecordMatcher, only: RecordKind | undefined, found: Found, maxStep: number): void {
    const { query } = matcher
    if (query.words.length === 0) return
    for (let step = matcher.step + 1; step <= maxStep; step++) {
      if (step > MAX_CLEAR_STEP && found.rows.size >= FEW_ROWS) return
      matcher.extendTo(step)
      const isForPeople = (only === undefined || only === 'person') && !(query.isState && step > MAX_CLEAR_STEP)
      if (isForPeople && !found.morePeople) found.morePeople = this.#collect(matcher, true, only, found)
      if (only !== 'person' && !found.moreOthers) found.moreOthers = this.#collect(matcher, false, only, found)
    }
  }

  /** True if there are more than the limit. */
  #collect(matcher: RecordMatcher, ofPeople: boolean, only: RecordKind | undefined, found: Found): boolean {
    const seen = new Set<IndexedRecord>()
    let count = 0
    for (const { record } of found.rows.values()) if ((record.kind === 'person') === ofPeople) count++
    for (const record of findCandidateRecords(this.#index.vocabulary, matcher, ofPeople)) {
      if (seen.has(record) || found.rows.has(record) || !record.exists || !isOfKind(record, only)) continue
      if (count >= MAX_ROWS || seen.size >= MAX_CANDIDATES) return true
      seen.add(record)
      const row = matcher.match(record)
      if (!row) continue
      found.rows.set(record, row)
      count++
    }
    return false
  }
}

const toNumberRow = (record: IndexedRecord, score: number): MatchedRow => ({
  record,
  role: null,
  score,
  rank: record.rank,
  step: score > NUMBER_SCORES.end ? EXACT : PREFIX,
  nameLetters: 0,
})

/** The words of a search without stop words, unless there are no others. */
export const splitWords = (typed: string, number: TypedNumber | undefined): string[] => {
  const all = [...new Set(splitNormalized(normalize(typed)))].filter((word) => word.length <= MAX_WORD_LENGTH).slice(0, MAX_WORDS)
  const significant = all.filter((word) => !STOP_WORDS.has(word))
  return significant.length > 0 || number ? significant : all
}

/** Whether a title has these words beside each other; the last one may be a beginning. */
const hasPhrase = (title: string, phrase: string): boolean => ` ${title.toLowerCase()}`.includes(` ${phrase}`)

const addMarks = ({ words }: WordQuery, marks: Set<string>): void => {
  for (const word of words) for (const mark of word.listMarks()) marks.add(mark)
}

const toGroups = ({ rows, morePeople, moreOthers }: Found, maxPerKind: number): EngineGroup[] => {
  const byKind = Map.groupBy(rows.values(), ({ record }) => record.kind)
  return RECORD_KINDS.flatMap((kind) => {
    const own = byKind.get(kind)
    if (!own) return []
    const hits = own
      .toSorted(compareRows)
      .slice(0, maxPerKind)
      .map(({ record, role, score, step }): EngineHit => ({
        kind,
        _id: record._id,
        role: role?._id ?? null,
        score,
        match: MATCHES[step] ?? 'close',
      }))
    return [{ kind, total: own.length, more: kind === 'person' ? morePeople : moreOthers, hits }]
  })
}
