import { z } from 'zod'

import type { Capability } from './capabilities.ts'
import { DUPLICATES, type DuplicateDeclaration } from './duplicates.ts'
import { id, text } from './fields.ts'
import { capitalize, type Noun } from './format.ts'
import { buildPagePath, type PagePath } from './pages.ts'
import { Status } from './status.ts'

/** What a line about a record says after its name: the text of a column or of several with a comma, a column with words, how many records refer to it. */
type LineDetail =
  | string
  | readonly string[]
  | { readonly column: string; readonly label: string }
  | { readonly column: string; readonly noun: Noun }
  | { readonly counts: 'charter' | 'site' }
  /** The roles of a person, and where. */
  | { readonly positions: true }

/** The icons before names; `initials` are those of a person. */
export type KindIcon = 'building' | 'estate' | 'file' | 'initials' | 'pin' | 'school'

/** A sheet that can be edited in Excel. */
export interface SheetDeclaration {
  readonly label: string
  readonly capability: Capability
  /** Whether its columns are those of a part, so that the list of the records has others. */
  readonly isOfPart?: true
}

/** A table with a part of each record. */
interface PartDeclaration {
  /** What it is called among what belongs to a record. */
  readonly name?: string
  /** Its field in the record, with which the paths of its values begin. */
  readonly field: string
  /** The page with its form. */
  readonly page?: PagePath
  /** Every record has one row, with the key of the record: a trigger creates it. */
  readonly hasKeyOfRecord?: true
  /** Its rows only say what belongs to the record, so they are added and removed, and never changed: the columns that name one. */
  readonly links?: readonly ('person' | 'role' | 'program_type')[]
}

/** What a personal text is, which says how it is found in other texts. */
export type PersonalText = 'name' | 'slug' | 'email' | 'phone' | 'number'

/** What all features have to know of a kind of record; its fields, rules and pages are in its own folder. */
interface KindDeclaration {
  /** What its records are called: one and many. */
  readonly nouns: Noun
  /** The mark before the name of a record in lists. */
  readonly icon?: KindIcon
  /** The column with the name of a record. Records of a kind with one can be searched for, marked as favorites, and listed as recently opened. */
  readonly nameColumn?: string
  /** What a line about a record shows after its name, and where its contact person is reached. */
  readonly line?: { readonly details: readonly LineDetail[]; readonly phone?: string; readonly email?: string; readonly status?: string }
  /** The columns with records of other kinds, which have the names of these kinds. */
  readonly references?: readonly string[]
  /** How its names are found, where they differ from others. */
  readonly search?: {
    /** Points of a name that begins with the first word: a brand comes before the charters that have its name. */
    readonly nameBonus?: number
    /** Points of an abbreviation or a code, which for other kinds is one of several spellings. */
    readonly shortNamePoints?: number
    /** Records are named after states, so the code of the state finds them, and no initials do. */
    readonly hasNamesOfStates?: true
  }
  /** The columns that say who someone is; records of a kind with some can be erased. */
  readonly personal?: Readonly<Record<string, PersonalText>>
  /** Whether records have a form, for which people can suggest changes. */
  readonly isEditable?: true
  /** How two records that are probably one are recognized, so that they can be merged. */
  readonly duplicates?: DuplicateDeclaration
  /** Who may read its records, if not everyone who browses the directory; the audit trail then records who did. */
  readonly readCapability?: Capability
  /** The kind whose records have one of these each: a column refers to it, and name, slug and list are those of that record. */
  readonly belongsTo?: string
  /** Whether its other columns are sections: objects of texts, which are compared and restored one by one. */
  readonly hasSections?: true
  /** The tables with parts of its records. */
  readonly parts?: Readonly<Record<string, PartDeclaration>>
  /** The kind whose records have these rows, which have their own identifiers, and their field there; sheets edit them too. */
  readonly rowOf?: string
  readonly field?: string
  /** The column with what a row is called. */
  readonly rowName?: string
  /** The sheets that can be edited in Excel, by their names in the API; that of the records themselves is the first. */
  readonly sheets?: Readonly<Record<string, SheetDeclaration>>
  /** The page of a record, that of its form if this is another one, and that with all records. */
  readonly page?: PagePath
  readonly formPage?: PagePath
  readonly listPage?: PagePath
  /** What an empty list says: what belongs there, the page that adds one, and the kind of the import that brings in many. */
  readonly beginning?: {
    readonly about: string
    readonly newPage: '/addbrand' | '/addcharter' | '/add_staff' | '/add_location'
    readonly importKind?: string
  }
  /** What the path of a record's page has, if not its slug: old links have the `_id`. */
  readonly pageKey?: '_id'
}

/** The kinds of records. */
const KINDS = {
  person: {
    nouns: ['person', 'people'],
    icon: 'initials',
    nameColumn: 'name',
    line: { details: [{ positions: true }], phone: 'phone', email: 'email' },
    personal: { name: 'name', slug: 'slug', phone: 'phone', email: 'email', fax: 'phone', sql_person_id: 'number' },
    isEditable: true,
    duplicates: DUPLICATES.person,
    sheets: { people: { label: 'People', capability: 'edit a person' } },
    page: '/staff/$slug',
    listPage: '/leadership',
    beginning: { about: 'Everyone who works at the sites, with role, phone and email.', newPage: '/add_staff', importKind: 'staff' },
  },
  site: {
    nouns: ['site', 'sites'],
    icon: 'building',
    nameColumn: 'displayName',
    line: {
      details: [['city', 'state'], 'category', { column: 'finance_id', label: 'Finance no.' }],
      phone: 'phone',
      status: 'status',
    },
    references: ['charter', 'region'],
    isEditable: true,
    duplicates: DUPLICATES.site,
    parts: {
      facility: { name: 'facility', field: 'facility_info', page: '/location/fac/$slug', hasKeyOfRecord: true },
      enrollment: { name: 'enrollment', field: 'enrollment_info', page: '/location/enrollment/$slug', hasKeyOfRecord: true },
      site_person: { name: 'staff', field: 'people', page: '/location/staff/$slug', links: ['person', 'role'] },
      site_program_type: { field: 'enrollment_info.programTypes', links: ['program_type'] },
    },
    sheets: {
      sites: { label: 'Sites', capability: 'edit a site' },
      facilities: { label: 'Facilities', capability: 'edit a site', isOfPart: true },
      enrollments: { label: 'Enrollment', capability: 'edit a site', isOfPart: true },
      staff: { label: 'Staff', capability: 'edit a site', isOfPart: true },
    },
    page: '/location/$slug',
    listPage: '/locations',
    beginning: {
      about: 'Resource centers and other places of the network, with address, hours and staff.',
      newPage: '/add_location',
      importKind: 'sites',
    },
  },
  charter: {
    nouns: ['charter', 'charters'],
    icon: 'school',
    nameColumn: 'name',
    line: {
      details: [{ column: 'studentCount', noun: ['student', 'students'] }, { counts: 'site' }],
      phone: 'charterContactnumber',
      status: 'status',
    },
    references: ['brand'],
    search: { shortNamePoints: 12 },
    isEditable: true,
    duplicates: DUPLICATES.charter,
    sheets: { charters: { label: 'Charters', capability: 'manage the network' } },
    page: '/charter/$id',
    formPage: '/charterview/$id',
    listPage: '/charters',
    beginning: { about: 'The schools of the network, each with its sites.', newPage: '/addcharter', importKind: 'charters' },
  },
  brand: {
    nouns: ['brand', 'brands'],
    icon: 'estate',
    nameColumn: 'brandName',
    line: { details: [{ counts: 'charter' }], status: 'status' },
    search: { nameBonus: 2 },
    isEditable: true,
    duplicates: DUPLICATES.brand,
    sheets: { brands: { label: 'Brands', capability: 'manage the network' } },
    page: '/brand/$id',
    formPage: '/brandview/$id',
    listPage: '/brand',
    beginning: { about: 'Names under which charters are known, each with its website.', newPage: '/addbrand' },
    pageKey: '_id',
  },
  region: {
    nouns: ['region', 'regions'],
    icon: 'pin',
    nameColumn: 'name',
    line: { details: [{ counts: 'site' }] },
    search: { shortNamePoints: 13, hasNamesOfStates: true },
    page: '/region/$id',
    listPage: '/regions',
  },
  charter_affair: {
    nouns: ['charter affair', 'charter affairs'],
    isEditable: true,
    readCapability: 'read a charter affair',
    belongsTo: 'charter',
    hasSections: true,
    sheets: { charter_affairs: { label: 'Charter affairs', capability: 'edit a charter affair' } },
    page: '/charter_affair/$id',
  },
  sis_site: {
    nouns: ['SIS site', 'SIS sites'],
    rowOf: 'site',
    field: 'sis_sites',
    rowName: 'name',
    sheets: { sis_sites: { label: 'SIS sites', capability: 'edit a site' } },
  },
  authorizer_board_member: {
    nouns: ['board member', 'board members'],
    rowOf: 'charter_affair',
    field: 'authorizer_board_member',
    rowName: 'board_member_name',
    personal: { board_member_name: 'name' },
    sheets: { board_members: { label: 'Board members', capability: 'edit a charter affair' } },
  },
  center_district: {
    nouns: ['district', 'districts'],
    rowOf: 'charter_affair',
    field: 'center_district',
    rowName: 'center_name',
    sheets: { districts: { label: 'Districts', capability: 'edit a charter affair' } },
  },
} as const satisfies Readonly<Record<string, KindDeclaration>>
type Kinds = typeof KINDS
type Kind = keyof Kinds
/** The kinds whose declaration has an entry. */
type KindWith<Entry extends keyof KindDeclaration> = {
  [Kind in keyof Kinds]: Kinds[Kind] extends Readonly<Record<Entry, unknown>> ? Kind : never
}[keyof Kinds]
type PartTable = { [Kind in KindWith<'parts'>]: keyof Kinds[Kind]['parts'] & string }[KindWith<'parts'>]

const listKindsWith = <Entry extends keyof KindDeclaration>(entry: Entry): readonly KindWith<Entry>[] =>
  (Object.keys(KINDS) as Kind[]).filter((kind): kind is KindWith<Entry> => Object.hasOwn(KINDS[kind], entry))
const pickEntries = <Entry extends keyof KindDeclaration>(entry: Entry) =>
  Object.fromEntries(listKindsWith(entry).map((kind) => [kind, (KINDS[kind] as KindDeclaration)[entry]])) as {
    readonly [Kind in KindWith<Entry>]: Kinds[Kind] extends Readonly<Record<Entry, infer Value>> ? Value : never
  }

/** The kinds whose records can be searched for, marked as favorites, and listed as recently opened. */
export const RECORD_KINDS = listKindsWith('nameColumn')
export const RecordKind = z.enum(RECORD_KINDS)
export type RecordKind = z.infer<typeof RecordKind>

/** The column with the name of a record. */
export const NAME_COLUMNS = pickEntries('nameColumn')

/** What a line about a record says after its name. */
export const KIND_LINES: Readonly<Record<RecordKind, NonNullable<KindDeclaration['line']>>> = pickEntries('line')
export const KIND_ICONS: Readonly<Record<RecordKind, KindIcon>> = pickEntries('icon')
/** How names are found, for kinds whose names are found differently. */
export const KIND_SEARCHES: Readonly<Partial<Record<RecordKind, NonNullable<KindDeclaration['search']>>>> = pickEntries('search')
/** The columns with records of other kinds. */
export const KIND_REFERENCES = pickEntries('references')

/** The kinds whose records say who someone is, and the columns that do. */
export const PERSONAL_KINDS = listKindsWith('personal')
export type PersonalKind = (typeof PERSONAL_KINDS)[number]
export const PERSONAL_COLUMNS: Readonly<Record<PersonalKind, Readonly<Record<string, PersonalText>>>> = pickEntries('personal')

/** The kinds that have a form, for which people can suggest changes. */
export const EDITABLE_KINDS = listKindsWith('isEditable')
export const EditableKind = z.enum(EDITABLE_KINDS)
export type EditableKind = z.infer<typeof EditableKind>

/** What empty lists say. */
export const KIND_BEGINNINGS: Readonly<Partial<Record<string, NonNullable<KindDeclaration['beginning']>>>> = pickEntries('beginning')

/** The kinds whose records have a page. */
export const PAGED_KINDS = listKindsWith('page')
export type PagedKind = (typeof PAGED_KINDS)[number]

/** The kinds whose duplicates are found and merged. */
export const DUPLICATE_KINDS = listKindsWith('duplicates')
export const DuplicateKind = z.enum(DUPLICATE_KINDS)
export type DuplicateKind = z.infer<typeof DuplicateKind>
export const KIND_DUPLICATES: Readonly<Record<DuplicateKind, DuplicateDeclaration>> = pickEntries('duplicates')

/** Rows of a record that have their own identifier; sheets edit them too. */
export const ROW_KINDS = listKindsWith('rowOf')
/** The column with what a row is called. */
export const ROW_NAMES = pickEntries('rowName')
export type RowKind = (typeof ROW_KINDS)[number]
const ROW_OWNERS: Readonly<Record<RowKind, Kind>> = pickEntries('rowOf')
export type SheetRecordKind = EditableKind | RowKind
export const isRowKind = (kind: string): kind is RowKind => ROW_KINDS.some((one) => one === kind)
/** The kind whose records have the rows of a table; the table itself for any other. */
export const getKindOfRow = (table: string): string => (isRowKind(table) ? ROW_OWNERS[table] : table)
/** The sheets of each kind. */
export const KIND_SHEETS = pickEntries('sheets')
/** Whether a table is that of a kind whose fields can be edited. */
export const isSheetKind = (table: string): table is SheetRecordKind => isRowKind(table) || EDITABLE_KINDS.some((kind) => kind === table)

/** A table with a part of each record, or with rows of it. */
export interface RecordPartTable extends PartDeclaration {
  /** The kind whose records have it. */
  readonly owner: Kind
}
const ROW_FIELDS: Readonly<Record<RowKind, string>> = pickEntries('field')
/** The tables of parts and rows of records. */
export const PARTS = {
  ...Object.fromEntries(
    listKindsWith('parts').flatMap((owner) => Object.entries(KINDS[owner].parts).map(([table, part]) => [table, { ...part, owner }])),
  ),
  ...Object.fromEntries(ROW_KINDS.map((kind) => [kind, { owner: ROW_OWNERS[kind], field: ROW_FIELDS[kind], name: KINDS[kind].nouns[1] }])),
} as Readonly<Record<PartTable | RowKind, RecordPartTable>>
/** The part that a table has; undefined for any other table. */
export const findPartTable = (table: string): RecordPartTable | undefined =>
  Object.hasOwn(PARTS, table) ? PARTS[table as keyof typeof PARTS] : undefined

/** The kind of record that a row of a table belongs to, or that it is. */
export const getKindOfTable = (table: string): string => findPartTable(table)?.owner ?? table
/** The kinds with a list of all records. */
export type ListedKind = Extract<KindWith<'listPage'>, EditableKind>
const OWNERS: Readonly<Partial<Record<string, string>>> = pickEntries('belongsTo')
/** The kinds whose records belong to one of another kind each, with that kind. */
export const OWNED_KINDS = listKindsWith('belongsTo').map((kind) => [kind, KINDS[kind].belongsTo] as const)
/** The kind whose records have one of a kind each. */
export const getOwnerKind = (kind: string): string | undefined => OWNERS[kind]
/** The kind in whose list a record of a kind, or what it belongs to, is found. */
export const getListedKind = (kind: Kind): ListedKind => {
  const owner = getKindOfTable(kind)
  return (OWNERS[owner] ?? owner) as ListedKind
}
const READ_CAPABILITIES: Readonly<Partial<Record<string, Capability>>> = pickEntries('readCapability')
/** Who may read what is in a table. */
export const getReadCapability = (table: string): Capability => READ_CAPABILITIES[getKindOfTable(table)] ?? 'browse the directory'
/** Whether fewer people may read a table than the directory; the audit trail then records who did. */
export const isRestricted = (table: string): boolean => getReadCapability(table) !== 'browse the directory'

/** What records are called: one and many. */
export const RECORD_NOUNS = pickEntries('nouns')
export type NamedKind = keyof typeof RECORD_NOUNS

/** The same as labels: 'Sites', 'People'. */
export const RECORD_LABELS = Object.fromEntries(
  Object.entries(RECORD_NOUNS).map(([kind, [, many]]) => [kind, capitalize(many)]),
) as Readonly<Record<NamedKind, string>>

/** What one record is called in a message: 'Site'. */
export const getRecordName = (kind: NamedKind): string => capitalize(RECORD_NOUNS[kind][0])

/** The key of a new row in field paths. */
export const NEW_ROW = 'new'

/** Any record in one line: its name, the most important detail, and how to reach its contact person. */
export const RecordHit = z.strictObject({
  kind: RecordKind,
  _id: id,
  slug: z.string(),
  name: z.string(),
  /** Next to the name: 'Principal · Lodi Resource Center', 'Lodi, CA · Resource Center · Finance no. 04127'. */
  detail: z.string(),
  phone: text,
  email: text,
  /** Null for people and regions. */
  status: Status.nullable(),
  version: z.int(),
})
export type RecordHit = z.infer<typeof RecordHit>

const RECORD_PAGES = pickEntries('page')
/** The pages with the list of a kind. */
export const LIST_PAGES = pickEntries('listPage')
/** The pages with a record's form, where these differ. */
const FORM_PAGES = { ...RECORD_PAGES, ...pickEntries('formPage') }

/** What the path of a record's page needs. A charter affair has the slug of its charter. */
type RecordKey =
  | { readonly kind: Exclude<KindWith<'page'>, KindWith<'pageKey'>>; readonly slug: string }
  | { readonly kind: KindWith<'pageKey'>; readonly _id: string }

const hasIdInPath = (record: RecordKey): record is Extract<RecordKey, { readonly _id: string }> =>
  Object.hasOwn(KINDS[record.kind], 'pageKey')
const getKey = (record: RecordKey): string => (hasIdInPath(record) ? record._id : record.slug)

/** The path of a record's page. */
export const getRecordPath = (record: RecordKey): string => buildPagePath(RECORD_PAGES[record.kind], getKey(record))

/** The path of the page with a record's form. */
export const getRecordFormPath = (record: RecordKey): string => buildPagePath(FORM_PAGES[record.kind], getKey(record))
