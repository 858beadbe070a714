import { findPage } from '../../../../contract/pages.ts'
import { parseSearch, formatSearch } from '../../../../platform/web/search-params.ts'
import type { SavedView } from '../contract.ts'

type ViewAddress = Pick<SavedView, 'page' | 'search'>

/** The path and query of a view within the app. */
const getViewAddress = ({ page, search }: ViewAddress): string => (search ? `${page}?${search}` : page)

/** The absolute URL of a view. */
export const getViewLink = (view: ViewAddress): string => `${window.location.origin}${getViewAddress(view)}`

/** A `mailto:` link with the URL of the view. */
export const getMailtoLink = (view: SavedView): string =>
  `mailto:?subject=${encodeURIComponent(view.name)}&body=${encodeURIComponent(getViewLink(view))}`

/** The order of filters does not matter. */
const sortFilters = (search: string): string =>
  formatSearch(Object.fromEntries(Object.entries(parseSearch(search)).toSorted(([a], [b]) => (a < b ? -1 : 1))))

export const isSameView = (a: ViewAddress, b: ViewAddress): boolean => a.page === b.page && sortFilters(a.search) === sortFilters(b.search)

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The name of the list: 'Resource Centers', 'Region ohio'. */
export const formatListName = ({ page }: Pick<SavedView, 'page'>): string =>
  findPage(page)?.name ?? `Region ${decodePart(page.replace('/region/', ''))}`

const formatFilter = (name: string, value: string): string => {
  if (name === 'q') return `“${value}”`
  if (name === 'sort') return value.startsWith('-') ? `by ${value.slice(1)}, descending` : `by ${value}`
  if (name === 'show') return value === 'table' ? 'as a table' : 'as cards'
  return `${name} ${value}`
}

/** The filters of a view: 'status closed, region ohio, by city'. */
export const formatFilters = ({ search }: Pick<SavedView, 'search'>): string =>
  new Intl.ListFormat('en-US', { type: 'unit' }).format(
    Object.entries(parseSearch(search)).map(([name, value]) => formatFilter(name, value)),
  )
