import { formatDay } from '../../../contract/dates.ts'
import type { InsightQuery } from '../contract.ts'

const capitalizeSlug = (slug: string): string => slug.replaceAll('-', ' ').replaceAll(/\b\w/g, (letter) => letter.toUpperCase())

/** The filters of a kept insight in words: 'Ohio, Online, since 11/29/2024'; empty for the whole network and the last year. */
export const formatKeptFilter = ({ region, brand, charter, type, from, to }: InsightQuery): string =>
  [
    ...[region, brand, charter].flatMap((slug) => (slug === undefined ? [] : [capitalizeSlug(slug)])),
    ...(type === undefined ? [] : [type]),
    ...(from === undefined ? [] : [to === undefined ? `since ${formatDay(from)}` : `${formatDay(from)} to ${formatDay(to)}`]),
  ].join(', ')

/** The filters as parameters of the address of the page. */
export const toPageSearch = ({ by, ...filter }: InsightQuery, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...filter, [`by.${name}`]: by }).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
