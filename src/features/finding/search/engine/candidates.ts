import { listItems } from '../../../../contract/compact-list.ts'
import { KIND_REFERENCES, type RecordKind } from '../../../../contract/records.ts'
import type { RecordMatcher } from './matching.ts'
import type { WordQuery } from './query.ts'
import { FIELD, getTermField, getTermWord, type IndexedRecord } from './records.ts'
import type { TypedWord, Vocabulary } from './vocabulary.ts'

/** Lists of records that may match; each record has at least one of the words. */
type CandidateLists = (readonly IndexedRecord[])[]

const countAll = (lists: CandidateLists): number => lists.reduce((sum, list) => sum + list.length, 0)

/** Whether a word is one of those by which a record also finds the records that belong to it. */
const hasInName = ({ kind, terms }: IndexedRecord, word: number): boolean =>
  terms.some((term) => {
    const field = getTermField(term)
    if (getTermWord(term) !== word) return false
    return field === FIELD.name || field === FIELD.abbreviation || (kind === 'site' && (field === FIELD.city || field === FIELD.state))
  })

const listOthers = (vocabulary: Vocabulary, { isShort }: WordQuery, word: TypedWord): CandidateLists => {
  const lists: CandidateLists = []
  for (const id of word.matches.keys()) {
    const records = vocabulary.getRecords(id, false)
    lists.push(records)
    if (isShort) continue
    for (const record of records) if (record.kind !== 'site' && hasInName(record, id)) lists.push(listItems(record.children))
  }
  return lists
}

/** The approximate number of people at a site. */
const PEOPLE_AT_SITE = 12

/** Sites, and what sites refer to. */
const PLACE_KINDS: ReadonlySet<RecordKind> = new Set(['site', ...KIND_REFERENCES.site])

/** Calls back with the sites, charters and regions that have a word. */
const forEachPlace = (vocabulary: Vocabulary, word: TypedWord, callback: (place: IndexedRecord) => void): void => {
  for (const id of word.matches.keys())
    for (const record of vocabulary.getRecords(id, false)) if (PLACE_KINDS.has(record.kind) && hasInName(record, id)) callback(record)
}

/** The sites that have a word, and those of a charter or a region that has it. */
const listSites = (vocabulary: Vocabulary, word: TypedWord): Set<IndexedRecord> => {
  const sites = new Set<IndexedRecord>()
  forEachPlace(vocabulary, word, (place) => {
    if (place.kind === 'site') sites.add(place)
    else for (const site of listItems(place.children)) sites.add(site)
  })
  return sites
}

const listNames = (vocabulary: Vocabulary, word: TypedWord): CandidateLists =>
  [...word.matches.keys(), ...word.nicknameMatches.keys()].map((id) => vocabulary.getRecords(id, true))

/** The approximate number of people who have a word. */
const estimatePeople = (vocabulary: Vocabulary, matcher: RecordMatcher, at: number): number => {
  const { query } = matcher
  const word = query.words[at] as TypedWord
  let count = countAll(listNames(vocabulary, word))
  if (query.isState || query.isShort) return count
  for (const { holders } of matcher.listRoles(at)) count += listItems(holders).length
  forEachPlace(vocabulary, word, ({ kind, children }) => {
    count += PEOPLE_AT_SITE * (kind === 'site' ? 1 : listItems(children).length)
  })
  return count
}

function* eachPerson(vocabulary: Vocabulary, matcher: RecordMatcher, at: number): Generator<IndexedRecord> {
  const { query } = matcher
  const word = query.words[at] as TypedWord
  for (const list of listNames(vocabulary, word)) yield* list
  if (query.isState || query.isShort) return
  for (const { children } of listSites(vocabulary, word)) yield* listItems(children)
  for (const { holders } of matcher.listRoles(at)) yield* listItems(holders)
}

function* eachOther(lists: CandidateLists): Generator<IndexedRecord> {
  for (const list of lists) yield* list
}

/** The people or other records that may match: those with the rarest word. */
export const findCandidateRecords = (vocabulary: Vocabulary, matcher: RecordMatcher, ofPeople: boolean): Iterable<IndexedRecord> => {
  const { words } = matcher.query
  if (ofPeople) {
    const counts = words.length === 1 ? [0] : words.map((_, at) => estimatePeople(vocabulary, matcher, at))
    return eachPerson(vocabulary, matcher, counts.indexOf(Math.min(...counts)))
  }
  const [fewest] = words.map((word) => listOthers(vocabulary, matcher.query, word)).toSorted((a, b) => countAll(a) - countAll(b))
  return fewest ? eachOther(fewest) : []
}

export const isOfKind = ({ kind }: IndexedRecord, only: RecordKind | undefined): boolean => only === undefined || kind === only
