import { parseSearch, writeSearch } from '../../../../platform/web/address.ts'
import type { SavedView } from '../contract.ts'

type Place = Pick<SavedView, 'page' | 'search'>

/** The address of a view within the app. */
const addressOfView = ({ page, search }: Place): string => (search ? `${page}?${search}` : page)

/** The whole address, as it can be sent. */
export const linkOf = (view: Place): string => `${window.location.origin}${addressOfView(view)}`

/** A new mail that says where the view is. */
export const mailOf = (view: SavedView): string =>
  `mailto:?subject=${encodeURIComponent(view.name)}&body=${encodeURIComponent(linkOf(view))}`

/** In what order the filters were chosen does not matter. */
const sorted = (search: string): string =>
  writeSearch(Object.fromEntries(Object.entries(parseSearch(search)).toSorted(([a], [b]) => (a < b ? -1 : 1))))

export const isSamePlace = (a: Place, b: Place): boolean => a.page === b.page && sorted(a.search) === sorted(b.search)

const NAMES: Readonly<Record<string, string>> = {
  '/locations': 'Resource Centers',
  '/charters': 'Charters',
  '/brand': 'Brands',
  '/brands': 'Brands',
  '/regions': 'Regions & States',
  '/leadership': 'Leadership',
  '/support': 'Student Support',
  '/coverage': 'Coverage',
}

const words = new Intl.ListFormat('en-US', { type: 'unit' })
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The list a view is of: 'Resource Centers', 'Region ohio'. */
export const listOfView = ({ page }: Pick<SavedView, 'page'>): string => NAMES[page] ?? `Region ${decoded(page.replace('/region/', ''))}`

const said = (name: string, value: string): string => {
  if (name === 'q') return `“${value}”`
  if (name === 'sort') return value.startsWith('-') ? `by ${value.slice(1)}, descending` : `by ${value}`
  if (name === 'show') return value === 'table' ? 'as a table' : 'as cards'
  return `${name} ${value}`
}

/** What a view keeps, nearly as its address has it: 'status closed, region ohio, by city'. */
export const filtersOfView = ({ search }: Pick<SavedView, 'search'>): string =>
  words.format(Object.entries(parseSearch(search)).map(([name, value]) => said(name, value)))
