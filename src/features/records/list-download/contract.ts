import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { idOrSlug } from '../../../contract/fields.ts'
import { STATUS_GROUPS } from '../../../contract/status.ts'
import { NOT_CHECKED_PATTERN } from '../../record-tools/checks/rules.ts'
import { parseArea } from '../../record-tools/map/rules.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../brands/list.ts'
import { CHARTER_LIST } from '../charters/list.ts'
import { STAFF_LIST } from '../people/list.ts'
import { REGION_LIST } from '../regions/list.ts'
import { SITE_LIST } from '../sites/list.ts'
import { STATUS_FILTERS } from '../sites/rules.ts'

const MAX_SEARCH_LENGTH = 300

/** The file formats of a downloaded list. */
export const LIST_FORMATS = ['xlsx', 'csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

/** What every list takes: filters, search, order and columns; each default is what the page shows before anything is chosen. */
const listFields = <const Filters extends z.ZodRawShape>(
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
    search: z.string().max(MAX_SEARCH_LENGTH).default(''),
    /** A column, or `-` and a column for descending order; without it, the list's own order. */
    sort: z.enum(keys.flatMap((key) => [key, `-${key}`])).optional(),
    /** All columns by default. */
    columns: z
      .array(z.enum(keys))
      .min(1)
      .max(keys.length)
      .refine((columnKeys) => new Set(columnKeys).size === columnKeys.length, 'Each column once')
      .optional(),
  }
}
const someText = z.string().min(1).max(300)
const group = z.enum(STATUS_GROUPS)
/** A part of the map as in page addresses: west, south, east, north. */
const mapArea = someText.refine((text) => parseArea(text) !== undefined, 'Four degrees: west, south, east, north')
/** Not checked for so many days, or `never`. */
const unchecked = z.string().regex(NOT_CHECKED_PATTERN, 'Enter a number of days, or never')
const staffFilters = { role: someText, region: someText, unchecked }

/** A list as a page shows it. The server filters and sorts by the same rules as the page. */
export const ListRequest = z.discriminatedUnion('list', [
  z.strictObject({
    list: z.literal('sites'),
    ...listFields(SITE_LIST, { status: z.enum(STATUS_FILTERS), type: someText, region: someText, unchecked }),
  }),
  z.strictObject({
    list: z.literal('region_sites'),
    of: idOrSlug,
    ...listFields(SITE_LIST, { status: group, type: someText, area: mapArea, unchecked }),
  }),
  z.strictObject({ list: z.literal('charter_sites'), of: idOrSlug, ...listFields(SITE_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('charters'), ...listFields(CHARTER_LIST, { status: group, unchecked }) }),
  z.strictObject({ list: z.literal('brands'), ...listFields(BRAND_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('brand_charters'), of: idOrSlug, ...listFields(BRAND_CHARTERS_LIST, { status: group }) }),
  z.strictObject({ list: z.literal('regions'), ...listFields(REGION_LIST, { area: mapArea }) }),
  z.strictObject({ list: z.literal('leadership'), ...listFields(STAFF_LIST, staffFilters) }),
  z.strictObject({ list: z.literal('support'), ...listFields(STAFF_LIST, staffFilters) }),
])
export type ListRequest = z.infer<typeof ListRequest>

export const downloadList = call({
  method: 'POST',
  path: '/api/exports/list',
  capability: 'browse the directory',
  rateLimit: { perMinute: 30 },
  summary:
    'A list as its page shows it with these filters, this search and this order, as a workbook (.xlsx) or as CSV. Each download is logged.',
  body: ListRequest,
  response: 'workbook',
})
