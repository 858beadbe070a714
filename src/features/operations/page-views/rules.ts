import { findPage, PAGE_LIST } from '../../../contract/pages.ts'

/** Ignores parameter names and a trailing slash. */
const normalizePattern = (page: string): string => page.replace(/\{(id|slug)\}/g, '{}').replace(/(?<=[^/])\/$/, '')
/** Converts `/location/$id` of the list of pages to the counted pattern `/location/{id}`. */
export const toPagePattern = (path: string): string => path.replace(/\$(\w+)/g, '{$1}') || '/'

/** Opening a window to sign in again is not a visit of a page, nor is answering an assistant. */
const PATTERNS: ReadonlyMap<string, string> = new Map(
  PAGE_LIST.filter(([, { standalone }]) => standalone !== 'signed in')
    .map(([path]) => toPagePattern(path))
    .map((pattern) => [normalizePattern(pattern), pattern]),
)

/** The pattern a page is counted under: `/location/{slug}` for `/location/{id}`; undefined for an unknown page. */
export const findPagePattern = (page: string): string | undefined => PATTERNS.get(normalizePattern(page))

/** The name of a page; its pattern if the page no longer exists. */
export const getPageName = (page: string): string => findPage(page.replace(/\{(\w+)\}/g, '$$$1'))?.name ?? page

/** The next of 1, 2, 5, 10, 20, 50 … at or above a number, for the top of a chart. */
export const roundUpForAxis = (largest: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return magnitude * ([1, 2, 5, 10].find((step) => step * magnitude >= largest) ?? 10)
}
