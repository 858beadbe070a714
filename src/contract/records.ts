import { z } from 'zod'

import { id, text } from './fields.ts'
import { capitalize, type Noun } from './format.ts'
import { buildPagePath, type PagePath } from './pages.ts'
import { Status } from './status.ts'

/** What all features have to know of a kind of record; its fields, rules and pages are in its own folder. */
interface KindDeclaration {
  /** What its records are called: one and many. */
  readonly nouns: Noun
  /** The column with the name of a record. Records of a kind with one can be searched for, marked as favorites, and listed as recently opened. */
  readonly nameColumn?: string
  /** Columns that a line about a record shows after its name, and where to call. */
  readonly line?: { readonly detail?: string; readonly phone?: string; readonly status?: string }
  /** Whether records have a form, for which people can suggest changes. */
  readonly isEditable?: true
  /** The kind whose records have these rows, which have their own identifiers; sheets edit them too. */
  readonly rowOf?: string
  /** The column with what a row is called. */
  readonly rowName?: string
  /** The page of a record, that of its form if this is another one, and that with all records. */
  readonly page?: PagePath
  readonly formPage?: PagePath
  readonly listPage?: PagePath
}

/** The kinds of records. */
const KINDS = {
  person: { nouns: ['person', 'people'], nameColumn: 'name', isEditable: true, page: '/staff/$slug', listPage: '/leadership' },
  site: {
    nouns: ['site', 'sites'],
    nameColumn: 'displayName',
    isEditable: true,
    page: '/location/$slug',
    listPage: '/locations',
  },
  charter: {
    nouns: ['charter', 'charters'],
    nameColumn: 'name',
    isEditable: true,
    page: '/charter/$id',
    formPage: '/charterview/$id',
    listPage: '/charters',
  },
  brand: {
    nouns: ['brand', 'brands'],
    nameColumn: 'brandName',
    line: { status: 'status' },
    isEditable: true,
    page: '/brand/$id',
    formPage: '/brandview/$id',
    listPage: '/brand',
  },
  region: { nouns: ['region', 'regions'], nameColumn: 'name', page: '/region/$id', listPage: '/regions' },
  charter_affair: { nouns: ['charter affair', 'charter affairs'], isEditable: true, page: '/charter_affair/$id' },
  sis_site: { nouns: ['SIS site', 'SIS sites'], rowOf: 'site', rowName: 'name' },
  authorizer_board_member: { nouns: ['board member', 'board members'], rowOf: 'charter_affair', rowName: 'board_member_name' },
  center_district: { nouns: ['district', 'districts'], rowOf: 'charter_affair', rowName: 'center_name' },
} as const satisfies Readonly<Record<string, KindDeclaration>>
type Kinds = typeof KINDS
/** The kinds whose declaration has an entry. */
type KindWith<Entry extends keyof KindDeclaration> = {
  [Kind in keyof Kinds]: Kinds[Kind] extends Readonly<Record<Entry, unknown>> ? Kind : never
}[keyof Kinds]

const listKindsWith = <Entry extends keyof KindDeclaration>(entry: Entry): readonly KindWith<Entry>[] =>
  (Object.keys(KINDS) as (keyof Kinds)[]).filter((kind): kind is KindWith<Entry> => Object.hasOwn(KINDS[kind], entry))
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

/** The columns of a line about a record. */
export const KIND_LINES = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, (KINDS[kind] as KindDeclaration).line ?? {}])) as Readonly<
  Record<RecordKind, NonNullable<KindDeclaration['line']>>
>

/** The kinds that have a form, for which people can suggest changes. */
export const EDITABLE_KINDS = listKindsWith('isEditable')
export const EditableKind = z.enum(EDITABLE_KINDS)
export type EditableKind = z.infer<typeof EditableKind>

/** The kinds whose records have a page. */
export const PAGED_KINDS = listKindsWith('page')
export type PagedKind = (typeof PAGED_KINDS)[number]

/** Rows of a record that have their own identifier; sheets edit them too. */
export const ROW_KINDS = listKindsWith('rowOf')
/** The column with what a row is called. */
export const ROW_NAMES = pickEntries('rowName')
export type RowKind = (typeof ROW_KINDS)[number]
export type SheetRecordKind = EditableKind | RowKind
/** Whether a table is that of a kind whose fields can be edited. */
export const isSheetKind = (table: string): table is SheetRecordKind => [...EDITABLE_KINDS, ...ROW_KINDS].some((kind) => kind === table)

/** The tables of parts of records, and the kind that has them. */
export const PART_OWNERS = {
  facility: 'site',
  enrollment: 'site',
  site_person: 'site',
  site_program_type: 'site',
  ...pickEntries('rowOf'),
} as const
/** Whether a table is that of charter affairs or of a part of them, which fewer people may read. */
export const isOfAffair = (table: string): boolean =>
  table === 'charter_affair' || (Object.hasOwn(PART_OWNERS, table) && PART_OWNERS[table as keyof typeof PART_OWNERS] === 'charter_affair')

/** What records are called: one and many. */
export const RECORD_NOUNS = pickEntries('nouns')
type NamedKind = keyof typeof RECORD_NOUNS

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

/** What the path of a record's page needs: `_id` for brands, the slug for all others. A charter affair has the slug of its charter. */
type RecordKey =
  | { readonly kind: Exclude<keyof typeof RECORD_PAGES, 'brand'>; readonly slug: string }
  | { readonly kind: 'brand'; readonly _id: string }

const getKey = (record: RecordKey): string => (record.kind === 'brand' ? record._id : record.slug)

/** The path of a record's page. */
export const getRecordPath = (record: RecordKey): string => buildPagePath(RECORD_PAGES[record.kind], getKey(record))

/** The path of the page with a record's form. */
export const getRecordFormPath = (record: RecordKey): string => buildPagePath(FORM_PAGES[record.kind], getKey(record))
