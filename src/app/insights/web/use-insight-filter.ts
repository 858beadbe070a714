import { useMemo } from 'react'

import { createDayFormat } from '../../../contract/dates.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { getToday } from '../../../platform/web/today.ts'
import { InsightFilter } from '../contract.ts'

/** The periods to choose from, in months until today; the year is the default. */
export const PERIODS = [
  { value: '3', name: 'Last 3 months' },
  { value: '6', name: 'Last 6 months' },
  { value: '24', name: 'Last 2 years' },
  { value: '36', name: 'Last 3 years' },
  { value: '60', name: 'Last 5 years' },
] as const
/** Any other period, with a first and a last day. */
export const OTHER_PERIOD = 'days'

const formatMonth = createDayFormat({ month: 'long', year: 'numeric' })

/** The same day of an earlier month, or its last one. */
export const subtractMonths = (day: string, months: number): string => {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() - months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(Number(day.slice(8)), last))
  return date.toISOString().slice(0, 10)
}

const FILTER_NAMES = ['region', 'brand', 'charter', 'type'] as const

/** The filters of the page, from its URL. A period in months stays one when the address is opened again later. */
export const useInsightFilter = () => {
  const [address, change] = useSearchParams()
  const today = getToday()
  return useMemo(() => {
    const read = (name: keyof InsightFilter): string | undefined =>
      address[name] && InsightFilter.shape[name].safeParse(address[name]).success ? address[name] : undefined
    const months = PERIODS.find(({ value }) => value === address['months'])?.value
    const [from, to] = [read('from'), read('to')]
    const isOther = months === undefined && (from !== undefined || to !== undefined)
    const first = months === undefined ? from : subtractMonths(today, Number(months))
    const filter: InsightFilter = {}
    for (const name of FILTER_NAMES) if (read(name) !== undefined) filter[name] = read(name)
    const end = (months === undefined ? to : undefined) ?? today
    const begin = first ?? subtractMonths(end, 12)
    // Days in the wrong order are shown with an error beside them, and not sent.
    if (first !== undefined && begin <= end) filter.from = first
    if (end !== today && begin <= end) filter.to = end
    return {
      filter,
      change,
      period: isOther ? OTHER_PERIOD : months,
      begin,
      end,
      isCompared: address['compare'] !== 'no',
      topic: address['topic'],
      /** 'November 2025 to November 2026'. */
      words: `${formatMonth(begin)} to ${formatMonth(end)}`,
      isFiltered: Object.keys(filter).length > 0 || address['topic'] !== undefined,
      /** What the series of one insight are, in the URL as `by.NAME`. */
      getChoice: (name: string): string | undefined => address[`by.${name}`],
      choose: (name: string, by: string | undefined) => change({ [`by.${name}`]: by }),
      clear: () =>
        change(Object.fromEntries([...FILTER_NAMES, 'months', 'from', 'to', 'compare', 'topic'].map((name) => [name, undefined]))),
    }
  }, [address, change, today])
}
export type PageFilter = ReturnType<typeof useInsightFilter>
