import { toColumnFiltersSchema } from '../../contract/column-filters.ts'
import type { SavedView } from '../../features/finding/saved-views/contract.ts'
import { LIST_FILTERS } from '../../records/list-download/contract.ts'
import { STAFF_LIST } from '../../records/people/list.ts'
import { SITE_LIST } from '../../records/sites/list.ts'

/** The lists of people and sites that can be saved as a view, by the address of their page. */
const VIEW_LISTS = {
  '/locations': { list: 'sites', kind: 'site', columns: SITE_LIST.columns },
  '/staff': { list: 'staff', kind: 'person', columns: STAFF_LIST.columns },
  '/leadership': { list: 'leadership', kind: 'person', columns: STAFF_LIST.columns },
  '/support': { list: 'support', kind: 'person', columns: STAFF_LIST.columns },
} as const
const REGION_LIST = { list: 'region_sites', kind: 'site', columns: SITE_LIST.columns } as const
const MAX_SEARCH_LENGTH = 300

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The list that a saved view shows, as the request for its download; undefined for views of other records. Filters that the page would ignore are left out. */
export const toListRequest = ({ page, search }: Pick<SavedView, 'page' | 'search'>) => {
  const region = /^\/region\/([^/]+)$/.exec(page)?.[1]
  const known = Object.hasOwn(VIEW_LISTS, page) ? VIEW_LISTS[page as keyof typeof VIEW_LISTS] : undefined
  const view = region === undefined ? known : REGION_LIST
  if (!view) return undefined
  const parameters = new URLSearchParams(search)
  const schemas = { ...LIST_FILTERS[view.list], where: toColumnFiltersSchema(view.columns) }
  const filters = Object.entries(schemas).flatMap(([name, schema]) => {
    const text = parameters.get(name)
    return text !== null && schema.safeParse(text).success ? [[name, text] as const] : []
  })
  const request = {
    list: view.list,
    ...(region === undefined ? {} : { of: decodePart(region) }),
    format: 'csv',
    ...(parameters.get('archived') === '1' ? { archived: '1' } : {}),
    filters: Object.fromEntries(filters),
    search: (parameters.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH),
  }
  return { kind: view.kind, request }
}
