import { z } from 'zod'

import { ArchivedFilter, call, PastDay } from '../../contract/call.ts'
import { toColumnFiltersSchema } from '../../contract/column-filters.ts'
import { idOrSlug } from '../../contract/fields.ts'
import { LIST_FORMATS } from '../../contract/file-names.ts'
import type { FILTER_NAMES } from '../../contract/lists.ts'
import { STATUS_GROUP_FILTERS } from '../../contract/lists.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../brands/list.ts'
import { CHARTER_FILTERS, CHARTER_LIST } from '../charters/list.ts'
import { STAFF_FILTERS, STAFF_LIST } from '../people/list.ts'
import { REGION_FILTERS, REGION_LIST } from '../regions/list.ts'
import { REGION_SITE_FILTERS, SITE_FILTERS, SITE_LIST } from '../sites/list.ts'

const MAX_SEARCH_LENGTH = 300

/** The parameters of every list: filters, search, order and columns; the defaults are those of the page. */
const listFields = <const Filters extends z.ZodRawShape>(
  { columns }: { readonly columns: readonly { readonly key: string }[] },
  filters: Filters,
) => {
  const keys = columns.map(({ key }) => key)
  return {
    format: z.enum(LIST_FORMATS),
    filters: z
      .strictObject({ ...filters, where: toColumnFiltersSchema(columns) })
      .partial()
      .prefault({} as never),
    /** The archived records instead of the others. */
    archived: ArchivedFilter,
    search: z.string().max(MAX_SEARCH_LENGTH).default(''),
    /** A column, or `-` and a column for descending order; by default, the list's own order. */
    sort: z.enum(keys.flatMap((key) => [key, `-${key}`])).optional(),
    /** The column whose values come one after the other. */
    group: z.enum(keys).optional(),
    /** All columns by default. */
    columns: z
      .array(z.enum(keys))
      .min(1)
      .max(keys.length)
      .refine((columnKeys) => new Set(columnKeys).size === columnKeys.length, 'Each column once')
      .optional(),
  }
}
/** The filters of each list, from where the list is defined. */
export const LIST_FILTERS = {
  sites: SITE_FILTERS,
  region_sites: REGION_SITE_FILTERS,
  charter_sites: STATUS_GROUP_FILTERS,
  charters: CHARTER_FILTERS,
  brands: STATUS_GROUP_FILTERS,
  brand_charters: STATUS_GROUP_FILTERS,
  regions: REGION_FILTERS,
  staff: STAFF_FILTERS,
  leadership: STAFF_FILTERS,
  support: STAFF_FILTERS,
} as const satisfies Readonly<Record<string, Partial<Record<(typeof FILTER_NAMES)[number], z.ZodType>>>>

/** A list as a page shows it. The server filters and sorts by the same rules as the page. */
export const ListRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('sites'), ...listFields(SITE_LIST, LIST_FILTERS.sites) }),
  z.strictObject({ list: z.literal('region_sites'), of: idOrSlug, ...listFields(SITE_LIST, LIST_FILTERS.region_sites) }),
  z.strictObject({ list: z.literal('charter_sites'), of: idOrSlug, ...listFields(SITE_LIST, LIST_FILTERS.charter_sites) }),
  z.strictObject({ list: z.literal('charters'), ...listFields(CHARTER_LIST, LIST_FILTERS.charters) }),
  z.strictObject({ list: z.literal('brands'), ...listFields(BRAND_LIST, LIST_FILTERS.brands) }),
  z.strictObject({ list: z.literal('brand_charters'), of: idOrSlug, ...listFields(BRAND_CHARTERS_LIST, LIST_FILTERS.brand_charters) }),
  z.strictObject({ list: z.literal('regions'), ...listFields(REGION_LIST, LIST_FILTERS.regions) }),
  z.strictObject({ list: z.literal('staff'), ...listFields(STAFF_LIST, LIST_FILTERS.staff) }),
  z.strictObject({ list: z.literal('leadership'), ...listFields(STAFF_LIST, LIST_FILTERS.leadership) }),
  z.strictObject({ list: z.literal('support'), ...listFields(STAFF_LIST, LIST_FILTERS.support) }),
])
export type ListRequest = z.infer<typeof ListRequest>

export const downloadList = call('POST', '/api/exports/list', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 30 },
  summary:
    'A list as its page shows it with these filters, this search and this order, as a workbook (.xlsx) or as CSV. Each download is logged.',
  query: z.object({ on: PastDay }),
  body: ListRequest,
  response: 'workbook',
})
