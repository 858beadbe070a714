import { z } from 'zod'

import { id, text } from './fields.ts'
import { capitalize, type Noun } from './format.ts'
import { buildPagePath, type PagePath } from './pages.ts'
import { Status } from './status.ts'

/** The five record kinds that can be searched for, marked as favorites, and listed as recently opened. */
export const RECORD_KINDS = ['person', 'site', 'charter', 'brand', 'region'] as const
export const RecordKind = z.enum(RECORD_KINDS)
export type RecordKind = z.infer<typeof RecordKind>

/** The column with the name of a record. */
export const NAME_COLUMNS = {
  person: 'name',
  site: 'displayName',
  charter: 'name',
  brand: 'brandName',
  region: 'name',
} as const satisfies Record<RecordKind, string>

/** The record kinds that have a form, for which people can suggest changes. */
export const EDITABLE_KINDS = ['site', 'person', 'charter', 'brand', 'charter_affair'] as const
export const EditableKind = z.enum(EDITABLE_KINDS)
export type EditableKind = z.infer<typeof EditableKind>

/** Rows of a record that have their own identifier; sheets edit them too. */
export const ROW_KINDS = ['sis_site', 'authorizer_board_member', 'center_district'] as const
export type RowKind = (typeof ROW_KINDS)[number]
export type SheetRecordKind = EditableKind | RowKind
/** Whether a table is that of a kind whose fields can be edited. */
export const isSheetKind = (table: string): table is SheetRecordKind => [...EDITABLE_KINDS, ...ROW_KINDS].some((kind) => kind === table)

/** What records are called: one and many. */
export const RECORD_NOUNS = {
  person: ['person', 'people'],
  site: ['site', 'sites'],
  charter: ['charter', 'charters'],
  brand: ['brand', 'brands'],
  region: ['region', 'regions'],
  charter_affair: ['charter affair', 'charter affairs'],
  sis_site: ['SIS site', 'SIS sites'],
  authorizer_board_member: ['board member', 'board members'],
  center_district: ['district', 'districts'],
} as const satisfies Record<RecordKind | SheetRecordKind, Noun>
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

const RECORD_PAGES = {
  person: '/staff/$slug',
  site: '/location/$slug',
  charter: '/charter/$id',
  brand: '/brand/$id',
  region: '/region/$id',
  charter_affair: '/charter_affair/$id',
} as const satisfies Record<RecordKind | EditableKind, PagePath>

/** The pages with the list of a kind. */
export const LIST_PAGES = {
  person: '/leadership',
  site: '/locations',
  charter: '/charters',
  brand: '/brand',
  region: '/regions',
} as const satisfies Record<RecordKind, PagePath>

/** The pages with a record's form, where these differ. */
const FORM_PAGES = { ...RECORD_PAGES, charter: '/charterview/$id', brand: '/brandview/$id' } as const

/** What the path of a record's page needs: `_id` for brands, the slug for all others. A charter affair has the slug of its charter. */
type RecordKey =
  | { readonly kind: Exclude<keyof typeof RECORD_PAGES, 'brand'>; readonly slug: string }
  | { readonly kind: 'brand'; readonly _id: string }

const getKey = (record: RecordKey): string => (record.kind === 'brand' ? record._id : record.slug)

/** The path of a record's page. */
export const getRecordPath = (record: RecordKey): string => buildPagePath(RECORD_PAGES[record.kind], getKey(record))

/** The path of the page with a record's form. */
export const getRecordFormPath = (record: RecordKey): string => buildPagePath(FORM_PAGES[record.kind], getKey(record))
