import type { CompactList } from '../../../../contract/compact-list.ts'
import { RECORD_KINDS, type RecordKind } from '../../../../contract/records.ts'

// The rows that are searched, with the columns that are read; they may have more.

export interface PersonRow {
  readonly _id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly fax: string | null
  readonly sql_person_id: string | null
}
export interface SiteRow {
  readonly _id: string
  readonly displayName: string
  readonly name: string
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  readonly address_1: string | null
  readonly address_2: string | null
  readonly category: string | null
  readonly finance_id: string | null
  readonly directory_id: string | null
  readonly phone: string | null
  readonly fax: string | null
  readonly status: string
  readonly charter: string | null
  readonly region: string | null
}
export interface FacilityRow {
  readonly site: string
  readonly county: string | null
  readonly phone_2: string | null
}
export interface CharterRow {
  readonly _id: string
  readonly name: string
  readonly abbreviation: string | null
  readonly brand: string | null
  readonly charter_number: string | null
  readonly directory_id: string | null
  readonly charterContactnumber: string | null
  readonly status: string
}
/** A record of any other kind: it is found by its name, and by the columns of its line. */
export interface NamedRow extends Readonly<Record<string, unknown>> {
  readonly _id: string
}
export interface RoleRow {
  readonly _id: string
  readonly name: string
  readonly group: string
}
export interface SitePersonRow {
  readonly site: string
  readonly person: string
  readonly role: string
}

/** Kinds of which more than the name is searched. */
type WideKind = 'person' | 'site' | 'charter'

/** The searched tables and their rows. */
export interface SearchedRows extends Readonly<Record<Exclude<RecordKind, WideKind>, NamedRow>> {
  readonly person: PersonRow
  readonly site: SiteRow
  readonly facility: FacilityRow
  readonly charter: CharterRow
  readonly role: RoleRow
  readonly site_person: SitePersonRow
}
export type SearchedTable = keyof SearchedRows

/** The searched tables, those that others refer to first. */
export const SEARCHED_TABLES: readonly SearchedTable[] = [
  ...RECORD_KINDS.filter((kind) => kind !== 'charter' && kind !== 'site' && kind !== 'person'),
  'charter',
  'role',
  'site',
  'facility',
  'person',
  'site_person',
]

/** The position of a word in a record. */
export const FIELD = { name: 0, otherName: 1, city: 2, address: 3, state: 4, other: 5, abbreviation: 6 } as const
export type Field = (typeof FIELD)[keyof typeof FIELD]

/** A word of a record and its field in one number. */
export const toTerm = (word: number, field: Field): number => word * 8 + field
export const getTermWord = (term: number): number => term >> 3
export const getTermField = (term: number): number => term & 7

/** A role with its words and the people who hold it, once for each site. */
export interface IndexedRole {
  readonly _id: string
  words: readonly string[]
  rank: number
  holders: CompactList<IndexedRecord>
}

/** The roles that have a word in their names. */
export type RolesByWord = ReadonlyMap<string, readonly IndexedRole[]>

/** A record with its words. Rows are added in any order, so a record may be referenced before it exists. */
export interface IndexedRecord {
  readonly kind: RecordKind
  readonly _id: string
  /** Its index in the numbers. */
  readonly index: number
  exists: boolean
  /** Its words in order, case-insensitive. */
  title: string
  terms: readonly number[]
  /** Orders equal matches: an open site before a closed one. */
  rank: number
  /** The charter and the region of a site, or the brand of a charter, whose names also find it; or the sites of a person, one for each of `roles`. */
  parents: CompactList<IndexedRecord>
  /** The roles of a person at these sites. */
  roles: CompactList<IndexedRole>
  /** The sites of a charter or a region, the charters of a brand, or the people of a site, once for each role. */
  children: CompactList<IndexedRecord>
}
