import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import type { Capability } from '../../../platform/contract/capabilities.ts'
import { idOrSlug, moment } from '../../../platform/contract/fields.ts'
import { GROUPS } from '../../../platform/contract/status.ts'
import { readArea } from '../../record-tools/map/rules.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../../records/brands/list.ts'
import { CHARTER_LIST } from '../../records/charters/list.ts'
import { STAFF_LIST } from '../../records/people/list.ts'
import { REGION_LIST } from '../../records/regions/list.ts'
import { SITE_LIST } from '../../records/sites/list.ts'
import { SITE_FILTERS } from '../../records/sites/rules.ts'

/** The five kinds (section 3): the name of each, and who may download it (section 6, D12). */
export const EXPORTS = {
  charter_affairs: { name: 'Charter Affairs', needs: 'read a charter affair' },
  facilities: { name: 'Facilities', needs: 'browse the directory' },
  finance: { name: 'Finance', needs: 'browse the directory' },
  site_leadership: { name: 'Site Leadership', needs: 'browse the directory' },
  student_support: { name: 'Student Support', needs: 'browse the directory' },
} as const satisfies Record<string, { name: string; needs: Capability }>
export type ExportKind = keyof typeof EXPORTS
export const EXPORT_KINDS = Object.keys(EXPORTS) as ExportKind[]

const eachKind = <T>(make: (kind: ExportKind) => T) =>
  Object.fromEntries(EXPORT_KINDS.map((kind) => [kind, make(kind)])) as Record<ExportKind, T>

/** What a workbook will hold, before it is fetched. */
export const ExportPreview = z.strictObject({
  /** Rows of its first sheet, heads not counted. */
  rows: z.int(),
  /** About how large the file will be, by what the last whole one of its kind came to; null where there was none yet. */
  bytes: z.int().nullable(),
  /** The first rows of the first sheet, all columns, as people read them. */
  first: z.array(z.array(z.string())),
})
export type ExportPreview = z.infer<typeof ExportPreview>

/** Each kind is a call of its own (`GET /api/exports/excel/{kind}`), since not all of them are for everybody. */
export const downloads = eachKind((kind) =>
  call({
    method: 'GET',
    path: `/api/exports/excel/${kind}`,
    needs: EXPORTS[kind].needs,
    does: `The ${EXPORTS[kind].name} workbook (.xlsx), with current data. Each download is logged.`,
    answer: 'workbook',
  }),
)

export const previews = eachKind((kind) =>
  call({
    method: 'GET',
    path: `/api/exports/preview/${kind}`,
    needs: EXPORTS[kind].needs,
    does: `How many rows the ${EXPORTS[kind].name} workbook has now, and its first rows.`,
    answer: ExportPreview,
  }),
)

/** What a list is given as. */
export const LIST_FORMATS = ['xlsx', 'csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

/** What a list shows: which of its records, in which order, in which columns. What is not said is as if nobody had chosen anything. */
const listShown = <const Filters extends z.ZodRawShape>(
  { columns }: { readonly columns: readonly { readonly key: string }[] },
  filters: Filters,
) => {
  const keys = columns.map(({ key }) => key)
  return {
    format: z.enum(LIST_FORMATS),
    filters: z
      .strictObject(filters)
      .partial()
      .prefault({} as never),
    /** What stands in the list's search field. */
    search: z.string().max(MOST_SEARCHED).default(''),
    /** A column, or `-` and a column for its end first; without it, the list's own order. */
    sort: z.enum(keys.flatMap((key) => [key, `-${key}`])).optional(),
    /** All of them unless some are named. */
    columns: z
      .array(z.enum(keys))
      .min(1)
      .max(keys.length)
      .refine((named) => new Set(named).size === named.length, 'Each column once')
      .optional(),
  }
}
const MOST_SEARCHED = 300
const someText = z.string().min(1).max(300)
const group = z.enum(GROUPS)
/** A part of the map as addresses have it: west, south, east, north. */
const mapArea = someText.refine((text) => readArea(text) !== undefined, 'Four degrees: west, south, east, north')
const staffFilters = { role: someText, region: someText }

/** A list as a page shows it: the server makes the rows by the page's own rules. */
export const ListRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('sites'), ...listShown(SITE_LIST, { status: z.enum(SITE_FILTERS), type: someText, region: someText }) }),
  z.strictObject({
    list: z.literal('region_sites'),
    of: idOrSlug,
    ...listShown(SITE_LIST, { status: group, type: someText, area: mapArea }),
  }),
  z.strictObject({ list: z.literal('charter_sites'), of: idOrSlug, ...listShown(SITE_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('charters'), ...listShown(CHARTER_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('brands'), ...listShown(BRAND_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('brand_charters'), of: idOrSlug, ...listShown(BRAND_CHARTERS_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('regions'), ...listShown(REGION_LIST, { area: mapArea }) }),
  z.strictObject({ list: z.literal('leadership'), ...listShown(STAFF_LIST, staffFilters) }),
  z.strictObject({ list: z.literal('support'), ...listShown(STAFF_LIST, staffFilters) }),
])
export type ListRequest = z.infer<typeof ListRequest>

export const downloadList = call({
  method: 'POST',
  path: '/api/exports/list',
  needs: 'browse the directory',
  does: 'A list as its page shows it with these filters, this search and this order, as a workbook (.xlsx) or as CSV. Each download is logged.',
  body: ListRequest,
  answer: 'workbook',
})

export const OUTCOMES = ['whole', 'broken off', 'failed'] as const

export const Download = z.strictObject({
  _id: z.string(),
  kind: z.string(),
  /** Whoever it was, as they were called then. */
  name: z.string(),
  azureID: z.string(),
  at: moment,
  /** Null while it is under way, or where the server ended before it did. */
  outcome: z.enum(OUTCOMES).nullable(),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
})
export type Download = z.infer<typeof Download>

export const listDownloads = call({
  method: 'GET',
  path: '/api/exports/downloads',
  needs: 'see who downloaded',
  does: 'Who downloaded which workbook and when: the last 500, newest first.',
  answer: z.array(Download),
})
