import { addTo, listItems, removeAt, removeFrom, toCompactList } from '../../../../contract/compact-list.ts'
import { KeyedValues } from '../../../../contract/keyed-values.ts'
import { KIND_LINES, KIND_SEARCHES, NAME_COLUMNS, RECORD_KINDS, type RecordKind } from '../../../../contract/records.ts'
import { NumberIndex, type RecordNumbers, toPhoneNumber } from './numbers.ts'
import {
  type Field,
  FIELD,
  getTermWord,
  type IndexedRecord,
  type IndexedRole,
  type NamedRow,
  type RolesByWord,
  type SearchedRows,
  type SearchedTable,
  type SitePersonRow,
  toTerm,
} from './records.ts'
import { Vocabulary } from './vocabulary.ts'
import { getStateCode, toInitials, toLettersAndDigits, toRoleWords, toStateWords, toVariants, toWords } from './words.ts'

const ROLE_RANKS: Readonly<Record<string, number>> = {
  Principal: 0,
  'Student Relations Manager': 4,
  'Regional SRM': 6,
  'Area Superintendent': 8,
  'Regional Vice President': 10,
  'Assistant Principal': 12,
}
/** The ranks of other roles: in the leadership group, and outside it. */
const LEADERSHIP_RANK = 20
const OTHER_RANK = 30

const getStatusRank = (status: string): number => (status.includes('CLOSED') ? 40 : status === 'PENDING' ? 20 : 0)

/** The last words of charter names, which people leave out. */
const CHARTER_WORDS: ReadonlySet<string> = new Set(['charter', 'charters', 'school', 'schools', 'academy'])

type Words = readonly (readonly [Field, readonly string[]])[]
const nothing: readonly never[] = []
/** The words as a title: the name itself if it differs only in case, so that no second text is stored. */
const toTitle = (name: string, words: readonly string[]): string => {
  const title = words.join(' ')
  return name.toLowerCase() === title ? name : title
}
const getId = ({ _id }: { readonly _id: string }): string => _id

const groupByWord = (roles: Iterable<IndexedRole>): RolesByWord => {
  const pairs = [...roles].flatMap((role) => [...new Set(role.words)].map((word) => ({ word, role })))
  return new Map([...Map.groupBy(pairs, ({ word }) => word)].map(([word, own]) => [word, own.map(({ role }) => role)]))
}

/** A change of one row: without `before` it is new, without `after` it is deleted. */
export interface SearchedChange<T extends SearchedTable = SearchedTable> {
  readonly table: T
  readonly before: SearchedRows[T] | undefined
  readonly after: SearchedRows[T] | undefined
}

/**
 * The words and numbers of all records. A save only updates those of its own record: words of a place are stored with the site, and related to its
 * people during a search.
 */
export class SearchIndex {
  readonly vocabulary = new Vocabulary()
  readonly numbersOfPeople = new NumberIndex()
  readonly otherNumbers = new NumberIndex()
  readonly #roles = new Map<string, IndexedRole>()
  #rolesByWord: RolesByWord | undefined
  readonly #records = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, new KeyedValues<IndexedRecord>(getId)])) as Readonly<
    Record<RecordKind, KeyedValues<IndexedRecord>>
  >
  readonly #byIndex: (IndexedRecord | undefined)[] = []
  readonly #freeIndexes: number[] = []
  readonly #counties = new KeyedValues<SearchedRows['facility']>(({ site }) => site)
  readonly #sites = new KeyedValues<SearchedRows['site']>(getId)

  /** The record with this index in the numbers. */
  getByIndex(index: number): IndexedRecord | undefined {
    return this.#byIndex[index]
  }

  get rolesByWord(): RolesByWord {
    return (this.#rolesByWord ??= groupByWord(this.#roles.values()))
  }

  find(kind: RecordKind, _id: string): IndexedRecord | undefined {
    const record = this.#records[kind].get(_id)
    return record?.exists ? record : undefined
  }

  change({ table, before, after }: SearchedChange): void {
    if (table === 'role') this.#changeRole(before as SearchedRows['role'] | undefined, after as SearchedRows['role'] | undefined)
    else if (table === 'site_person') this.#changePlacement(before as SitePersonRow | undefined, after as SitePersonRow | undefined)
    else if (table === 'facility')
      this.#changeFacility(before as SearchedRows['facility'] | undefined, after as SearchedRows['facility'] | undefined)
    else if (after) this.#setRecord(table, after as SearchedRows[RecordKind])
    else if (before) this.#deleteRecord(table, (before as SearchedRows[RecordKind])._id)
  }

  #getRecord(kind: RecordKind, _id: string): IndexedRecord {
    const known = this.#records[kind].get(_id)
    if (known) return known
    const index = this.#freeIndexes.pop() ?? this.#byIndex.length
    const record: IndexedRecord = {
      kind,
      _id,
      index,
      exists: false,
      title: '',
      terms: nothing,
      rank: 0,
      parents: undefined,
      roles: undefined,
      children: undefined,
    }
    this.#records[kind].set(record)
    this.#byIndex[index] = record
    return record
  }

  /** The record that a column names; none if it is empty. */
  #getReferenced(kind: RecordKind, _id: string | null): readonly IndexedRecord[] {
    return _id === null ? nothing : [this.#getRecord(kind, _id)]
  }

  /** Removes a deleted record that is no longer referenced. */
  #forgetUnused(record: IndexedRecord): void {
    if (record.exists || record.roles || record.children || this.#records[record.kind].get(record._id) !== record) return
    this.#records[record.kind].delete(record._id)
    this.#byIndex[record.index] = undefined
    this.#freeIndexes.push(record.index)
  }

  #setRecord(kind: RecordKind, row: SearchedRows[RecordKind]): void {
    const record = this.#getRecord(kind, row._id)
    record.exists = true
    if (kind === 'person') this.#setPerson(record, row as SearchedRows['person'])
    else if (kind === 'site') this.#setSite(record, row as SearchedRows['site'])
    else if (kind === 'charter') this.#setCharter(record, row as SearchedRows['charter'])
    else this.#setNamed(record, row as NamedRow)
  }

  #deleteRecord(kind: RecordKind, _id: string): void {
    const record = this.#records[kind].get(_id)
    if (!record) return
    record.exists = false
    this.#setWords(record, '', nothing)
    this.#setNumbers(record, { numbers: nothing, fax: '' })
    if (kind !== 'person') this.#setParents(record, nothing)
    if (kind === 'site') this.#sites.delete(_id)
    this.#forgetUnused(record)
  }

  #setNumbers(record: IndexedRecord, numbers: RecordNumbers): void {
    const index = record.kind === 'person' ? this.numbersOfPeople : this.otherNumbers
    index.set(record.index, numbers)
  }

  #setWords(record: IndexedRecord, title: string, words: Words): void {
    const old = new Set(record.terms.map(getTermWord))
    const fields = new Map<string, Field>()
    // The first field of a word is its best.
    for (const [field, list] of words) for (const word of list) if (word !== '' && !fields.has(word)) fields.set(word, field)
    const terms: number[] = []
    for (const [word, field] of fields) {
      const id = this.vocabulary.getId(word)
      if (id !== undefined && old.delete(id)) terms.push(toTerm(id, field))
      else terms.push(toTerm(this.vocabulary.add(word, record), field))
    }
    for (const id of old) this.vocabulary.remove(id, record)
    record.terms = terms.slice()
    record.title = title
  }

  #setParents(record: IndexedRecord, parents: readonly IndexedRecord[]): void {
    const before = listItems(record.parents)
    for (const parent of before) {
      if (parents.includes(parent)) continue
      parent.children = removeFrom(parent.children, record)
      this.#forgetUnused(parent)
    }
    for (const parent of parents) if (!before.includes(parent)) parent.children = addTo(parent.children, record)
    record.parents = toCompactList(parents)
  }

  #setPerson(record: IndexedRecord, { name, email, phone, fax, sql_person_id: id }: SearchedRows['person']): void {
    const words = toWords(name)
    this.#setWords(record, toTitle(name, words), [
      [FIELD.name, words],
      [FIELD.otherName, toVariants(name, words)],
      [FIELD.other, toWords(email?.split('@')[0])],
    ])
    this.#setNumbers(record, {
      numbers: [toPhoneNumber(phone), toLettersAndDigits(id ?? ''), (email ?? '').toLowerCase()],
      fax: (fax ?? '').replace(/\D/g, ''),
    })
  }

  #setSite(record: IndexedRecord, row: SearchedRows['site']): void {
    this.#sites.set(row)
    const facility = this.#counties.get(row._id)
    const words = toWords(row.displayName)
    this.#setWords(record, toTitle(row.displayName, words), [
      [FIELD.name, [...words, ...toWords(row.name)]],
      [FIELD.city, toWords(row.city)],
      [FIELD.otherName, [...toVariants(row.displayName, words), ...toInitials(words)]],
      [FIELD.address, [row.address_1, row.address_2, row.category].flatMap(toWords)],
      [FIELD.state, toStateWords(row.state)],
      [FIELD.other, [...toWords(row.zip), ...toWords(facility?.county)]],
    ])
    record.rank = getStatusRank(row.status)
    this.#setParents(record, [...this.#getReferenced('charter', row.charter), ...this.#getReferenced('region', row.region)])
    this.#setNumbers(record, {
      numbers: [
        toPhoneNumber(row.phone),
        toPhoneNumber(facility?.phone_2 ?? null),
        toLettersAndDigits(row.finance_id ?? ''),
        toLettersAndDigits(row.directory_id ?? ''),
      ],
      fax: (row.fax ?? '').replace(/\D/g, ''),
    })
  }

  #setCharter(record: IndexedRecord, row: SearchedRows['charter']): void {
    const words = toWords(row.name)
    const short = words.slice(0, Math.max(1, words.findLastIndex((word) => !CHARTER_WORDS.has(word)) + 1))
    this.#setWords(record, words.join(' '), [
      [FIELD.name, words],
      [FIELD.abbreviation, toWords(row.abbreviation)],
      [
        FIELD.otherName,
        [toLettersAndDigits(row.abbreviation ?? ''), ...toVariants(row.name, words), ...toInitials(words), ...toInitials(short)],
      ],
    ])
    record.rank = getStatusRank(row.status)
    this.#setParents(record, this.#getReferenced('brand', row.brand))
    this.#setNumbers(record, {
      numbers: [
        (row.charterContactnumber ?? '').replace(/\D/g, ''),
        toLettersAndDigits(row.directory_id ?? ''),
        toLettersAndDigits(row.charter_number ?? ''),
      ],
      fax: '',
    })
  }

  #setNamed(record: IndexedRecord, row: NamedRow): void {
    const { kind } = record
    const name = String(row[NAME_COLUMNS[kind]])
    const { details, phone, status } = KIND_LINES[kind]
    const read = (column: string | undefined): string => (column === undefined ? '' : ((row[column] ?? '') as string))
    const words = toWords(name)
    const others = KIND_SEARCHES[kind]?.hasNamesOfStates
      ? [getStateCode(words.join(' ')) ?? '']
      : [...toVariants(name, words), ...toInitials(words)]
    this.#setWords(record, words.join(' '), [
      [FIELD.name, words],
      [FIELD.otherName, others],
      [FIELD.other, details.flatMap((detail) => (typeof detail === 'string' ? toWords(read(detail)) : []))],
    ])
    record.rank = read(status).includes('CLOSED') ? 40 : 0
    if (phone !== undefined) this.#setNumbers(record, { numbers: [toPhoneNumber(read(phone))], fax: '' })
  }

  #changeRole(before: SearchedRows['role'] | undefined, after: SearchedRows['role'] | undefined): void {
    this.#rolesByWord = undefined
    if (!after) {
      if (before) this.#roles.delete(before._id)
      return
    }
    const role = this.#getRole(after._id)
    role.words = toRoleWords(after.name)
    role.rank = ROLE_RANKS[after.name] ?? (after.group === 'LEADERSHIP' ? LEADERSHIP_RANK : OTHER_RANK)
  }

  #getRole(_id: string): IndexedRole {
    const known = this.#roles.get(_id)
    if (known) return known
    const role: IndexedRole = { _id, words: nothing, rank: OTHER_RANK, holders: undefined }
    this.#roles.set(_id, role)
    return role
  }

  #changeFacility(before: SearchedRows['facility'] | undefined, after: SearchedRows['facility'] | undefined): void {
    const site = after?.site ?? before?.site
    if (site === undefined || (before && after && before.county === after.county && before.phone_2 === after.phone_2)) return
    if (after && (after.county !== null || after.phone_2 !== null)) this.#counties.set(after)
    else this.#counties.delete(site)
    const row = this.#sites.get(site)
    if (row) this.#setRecord('site', row)
  }

  #changePlacement(before: SitePersonRow | undefined, after: SitePersonRow | undefined): void {
    if (before && after && before.site === after.site && before.person === after.person && before.role === after.role) return
    if (before) {
      const [person, site, role] = this.#getPosition(before)
      const roles = listItems(person.roles)
      const at = listItems(person.parents).findIndex((parent, index) => parent === site && roles[index] === role)
      if (at >= 0) {
        person.parents = removeAt(person.parents, at)
        person.roles = removeAt(person.roles, at)
        site.children = removeFrom(site.children, person)
        role.holders = removeFrom(role.holders, person)
      }
      this.#forgetUnused(person)
      this.#forgetUnused(site)
    }
    if (!after) return
    const [person, site, role] = this.#getPosition(after)
    person.parents = addTo(person.parents, site)
    person.roles = addTo(person.roles, role)
    site.children = addTo(site.children, person)
    role.holders = addTo(role.holders, person)
  }

  #getPosition({ person, site, role }: SitePersonRow): [IndexedRecord, IndexedRecord, IndexedRole] {
    return [this.#getRecord('person', person), this.#getRecord('site', site), this.#getRole(role)]
  }
}
