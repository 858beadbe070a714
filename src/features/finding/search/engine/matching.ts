import { listItems } from '../../../../contract/compact-list.ts'
import { KIND_SEARCHES } from '../../../../contract/records.ts'
import type { WordQuery } from './query.ts'
import { FIELD, getTermField, getTermWord, type IndexedRecord, type IndexedRole, type RolesByWord } from './records.ts'
import { EXACT, PREFIX, SIMILAR, TYPO, type TypedWord, type Vocabulary } from './vocabulary.ts'

/** A record that has all words; for a person, with the role that matches best. */
export interface MatchedRow {
  readonly record: IndexedRecord
  readonly role: IndexedRole | null
  readonly score: number
  readonly rank: number
  /** The step of the word that matches worst. */
  readonly step: number
  /** The number of typed letters that match the name. */
  readonly nameLetters: number
}

const NO_ROLE_RANK = 60
const CLOSED_RANK = 30
const MANY_SITES = 10

/** Higher than any step. */
const NONE = 9
/** The points for a word at each step: for one of a role, or of a site's name or city; and for one of its state, region or charter. */
const NEAR_POINTS = [7, 4.5, 4, 2]
const FAR_POINTS = [5, 4.5, 4, 2]
const NAME_POINTS = [10, 6, 5.5, 2]
const NICKNAME_POINTS = [8.5, 4.5, 4, 2]
const SHORT_NAME_TYPO = 3
const SHORT_TYPO = 2.5
const STEP_BONUS = [4, 2, 0, 0]

const getPoints = (points: readonly number[], step: number): number => points[step] ?? 0

/** Matches records with the words of one search. Words get more matches as the search widens; cached results are then cleared. */
export class RecordMatcher {
  readonly query: WordQuery
  /** The last step that was added. */
  step = -1
  readonly #count: number
  /** For the current record and each word: the best points and step of its own words, and the matching letters of its name. */
  readonly #points: number[]
  readonly #steps: number[]
  readonly #nameLetters: number[]
  /** For each word: the step of each record that sites belong to, and the code of each site (`#getPlaceCode`). */
  readonly #places: Map<IndexedRecord, number>[]
  /** The step at which each role has each word, for roles that have it. */
  readonly #roles: (ReadonlyMap<IndexedRole, number> | undefined)[] = []
  /** Whether any record other than a person has the word. */
  readonly #hasOtherRecords: boolean[] = []
  readonly #vocabulary: Vocabulary
  readonly #rolesByWord: RolesByWord

  constructor(query: WordQuery, { vocabulary, rolesByWord }: { vocabulary: Vocabulary; rolesByWord: RolesByWord }) {
    this.query = query
    this.#vocabulary = vocabulary
    this.#rolesByWord = rolesByWord
    this.#count = query.words.length
    this.#points = query.words.map(() => 0)
    this.#steps = query.words.map(() => NONE)
    this.#nameLetters = query.words.map(() => 0)
    this.#places = query.words.map(() => new Map())
  }

  extendTo(step: number): void {
    this.step = step
    for (const [at, word] of this.query.words.entries()) {
      word.extendTo(step)
      this.#places[at]?.clear()
      this.#hasOtherRecords[at] = [...word.matches.keys()].some((id) => this.#vocabulary.getRecords(id, false).length > 0)
      if (step === SIMILAR) this.#roles[at] = undefined
    }
  }

  /** The roles that have a word, each with its step. */
  #getRoles(at: number): ReadonlyMap<IndexedRole, number> {
    return (this.#roles[at] ??= this.#findRoles(this.query.words[at] as TypedWord))
  }

  #findRoles(word: TypedWord): Map<IndexedRole, number> {
    const steps = new Map<IndexedRole, number>()
    for (const [own, roles] of this.#rolesByWord) {
      const step = word.getStep(own)
      if (step !== undefined) for (const role of roles) steps.set(role, Math.min(step, steps.get(role) ?? NONE))
    }
    return steps
  }

  /** The step at which a role has a word. */
  getRoleStep(at: number, role: IndexedRole): number {
    const step = this.#getRoles(at).get(role) ?? NONE
    return step <= this.step ? step : NONE
  }

  /** The roles that have a word. */
  listRoles(at: number): IndexedRole[] {
    return [...this.#getRoles(at)].flatMap(([role, step]) => (step <= this.step ? [role] : []))
  }

  match(record: IndexedRecord): MatchedRow | undefined {
    return record.kind === 'person' ? this.#matchPerson(record) : this.#matchOther(record)
  }

  #setBest(at: number, points: number, step: number, nameLetters: number): void {
    if (points > (this.#points[at] as number)) this.#points[at] = points
    if (step < (this.#steps[at] as number)) this.#steps[at] = step
    if (nameLetters > (this.#nameLetters[at] as number)) this.#nameLetters[at] = nameLetters
  }

  /** Matches the record's own words. */
  #matchTerms(record: IndexedRecord): void {
    const { words, isShort } = this.query
    for (let at = 0; at < this.#count; at++) {
      const word = words[at] as TypedWord
      this.#points[at] = 0
      this.#steps[at] = NONE
      this.#nameLetters[at] = 0
      for (const term of record.terms) {
        const id = getTermWord(term)
        const field = getTermField(term)
        const step = word.matches.get(id)
        if (step !== undefined && !(isShort && step > EXACT && (field !== FIELD.name || !record.title.toLowerCase().startsWith(word.text))))
          this.#setBest(at, this.#getTermPoints(record, word, field, step), step, field === FIELD.name ? word.text.length : 0)
        if (record.kind !== 'person' || field !== FIELD.name) continue
        const nickname = word.nicknameMatches.get(id)
        if (nickname !== undefined)
          this.#setBest(at, getPoints(NICKNAME_POINTS, nickname) - (this.query.mentionsRole ? 2.5 : 0), nickname, word.text.length)
      }
    }
  }

  #getTermPoints({ kind }: IndexedRecord, { text }: TypedWord, field: number, step: number): number {
    const isRoleSearch = this.query.mentionsRole && kind === 'person'
    if (step === TYPO && text.length < 4) return field === FIELD.name ? SHORT_NAME_TYPO : SHORT_TYPO
    if (field === FIELD.name) return step === EXACT && isRoleSearch ? 7 : getPoints(NAME_POINTS, step)
    if (step !== EXACT) return getPoints(NEAR_POINTS, step)
    if (field === FIELD.otherName || field === FIELD.abbreviation) return isRoleSearch ? 6 : (KIND_SEARCHES[kind]?.shortNamePoints ?? 8.5)
    return field === FIELD.city || field === FIELD.address ? 7 : 5
  }

  #getNameBonus(record: IndexedRecord): number {
    let [letters, count] = [0, 0]
    for (const own of this.#nameLetters) {
      letters += own
      if (own > 0) count++
    }
    const share = count === 0 ? 0 : Math.min(1, (letters + count - 1) / record.title.length)
    return share > 0.2 ? 4 * share : 0
  }

  #sumNameLetters(): number {
    return this.#nameLetters.reduce((sum, letters) => sum + letters, 0)
  }

  #matchOther(record: IndexedRecord): MatchedRow | undefined {
    this.#matchTerms(record)
    for (const parent of listItems(record.parents)) {
      for (let at = 0; at < this.#count; at++) {
        const step = this.#getNameStep(at, parent)
        if (step < NONE && !this.query.isShort) this.#setBest(at, getPoints(FAR_POINTS, step), step, 0)
      }
    }
    let [points, step] = [0, 0]
    for (let at = 0; at < this.#count; at++) {
      points += this.#points[at] as number
      step = Math.max(step, this.#steps[at] as number)
    }
    if (step >= NONE) return undefined
    const kindBonus = (this.#nameLetters[0] ?? 0) > 0 ? (KIND_SEARCHES[record.kind]?.nameBonus ?? 0) : 0
    const score = points + this.#getNameBonus(record) + getPoints(STEP_BONUS, step) + kindBonus - 0.02 * record.rank
    return { record, role: null, score, rank: record.rank, step, nameLetters: this.#sumNameLetters() }
  }

  /** The step at which the name of a record that others belong to has a word. */
  #getNameStep(at: number, record: IndexedRecord): number {
    const places = this.#places[at] as Map<IndexedRecord, number>
    const known = places.get(record)
    if (known !== undefined) return known
    const word = this.query.words[at] as TypedWord
    let best = NONE
    for (const term of record.terms) {
      const field = getTermField(term)
      if (field !== FIELD.name && field !== FIELD.abbreviation) continue
      const step = word.matches.get(getTermWord(term))
      if (step !== undefined && step < best) best = step
    }
    places.set(record, best)
    return best
  }

  /** How a site matches a word as a place: twice the step, plus one if its state, region or charter has the word; lower is better. */
  #getPlaceCode(at: number, site: IndexedRecord): number {
    const places = this.#places[at] as Map<IndexedRecord, number>
    const known = places.get(site)
    if (known !== undefined) return known
    const word = this.query.words[at] as TypedWord
    let best = 2 * NONE
    for (const term of site.terms) {
      const field = getTermField(term)
      if (field !== FIELD.name && field !== FIELD.city && field !== FIELD.state) continue
      const step = word.matches.get(getTermWord(term))
      if (step !== undefined) best = Math.min(best, 2 * step + (field === FIELD.state ? 1 : 0))
    }
    for (const parent of listItems(site.parents)) best = Math.min(best, 2 * this.#getNameStep(at, parent) + 1)
    places.set(site, best)
    return best
  }

  #matchPerson(record: IndexedRecord): MatchedRow | undefined {
    this.#matchTerms(record)
    const { isState, isShort } = this.query
    let best: MatchedRow | undefined
    const roles = new Set(listItems(record.roles))
    for (const role of roles.size === 0 ? [null] : roles) {
      const row = this.#matchRole(record, role, isState || isShort)
      if (row && (!best || row.score > best.score || (row.score === best.score && isBefore(row, best)))) best = row
    }
    return best
  }

  #matchRole(record: IndexedRecord, role: IndexedRole | null, onlyName: boolean): MatchedRow | undefined {
    const { words, mentionsRole } = this.query
    let [points, step, isOnlyShortTypos] = [0, 0, true]
    for (let at = 0; at < this.#count; at++) {
      let code = 2 * NONE
      if (role && !onlyName) {
        code = 2 * this.getRoleStep(at, role)
        if (code > 0 && this.#hasOtherRecords[at] === true)
          for (const site of listSitesOf(record, role)) code = Math.min(code, this.#getPlaceCode(at, site))
      }
      const placeStep = code >> 1
      const ownStep = this.#steps[at] as number
      const wordStep = Math.min(placeStep, ownStep)
      if (wordStep >= NONE) return undefined
      if (wordStep !== TYPO || (words[at] as TypedWord).text.length > 4) isOnlyShortTypos = false
      step = Math.max(step, wordStep)
      const nearBonus = code === 0 && mentionsRole ? 0.2 : 0
      const placePoints = placeStep < NONE ? getPoints(code & 1 ? FAR_POINTS : NEAR_POINTS, placeStep) + nearBonus : 0
      points += Math.max(this.#points[at] as number, placePoints)
    }
    if (isOnlyShortTypos) return undefined
    const rank = getPersonRank(record, role)
    const score = points + (mentionsRole ? 0 : this.#getNameBonus(record)) + getPoints(STEP_BONUS, step) - 0.02 * rank
    return { record, role, score, rank, step, nameLetters: this.#sumNameLetters() }
  }
}

/** The sites at which a person has a role. */
const listSitesOf = ({ parents, roles }: IndexedRecord, role: IndexedRole): readonly IndexedRecord[] => {
  const all = listItems(roles)
  return listItems(parents).filter((_, at) => all[at] === role)
}

/** Ranks a principal before a technician, people at many sites slightly lower, and people whose sites are closed last. */
const getPersonRank = (person: IndexedRecord, role: IndexedRole | null): number => {
  if (!role) return NO_ROLE_RANK + CLOSED_RANK
  const sites = listSitesOf(person, role)
  return role.rank + Math.floor(Math.min(sites.length, MANY_SITES) / 5) + (sites.some(({ rank }) => rank < 40) ? 0 : CLOSED_RANK)
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const isBefore = (a: MatchedRow, b: MatchedRow): boolean =>
  a.rank < b.rank || (a.rank === b.rank && (a.role?._id ?? '') < (b.role?._id ?? ''))

/** Best first; the order does not depend on the order in which records were added. */
export const compareRows = (a: MatchedRow, b: MatchedRow): number =>
  b.score - a.score ||
  a.rank - b.rank ||
  compareTexts(a.record.title.toLowerCase(), b.record.title.toLowerCase()) ||
  compareTexts(a.record._id, b.record._id)

export const MAX_CLEAR_STEP = PREFIX
