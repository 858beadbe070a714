import { createDayFormat, DAY_MS, formatDay } from '../../contract/dates.ts'
import { capitalize, formatCount, formatNumber, type Noun } from '../../contract/format.ts'
import { findPage } from '../../contract/pages.ts'
import { RECORD_NOUNS } from '../../contract/records.ts'
import type { Insight, InsightSeries } from './contract.ts'

const formatMonth = createDayFormat({ month: 'short', year: 'numeric' })
const formatMonthName = createDayFormat({ month: 'short' })
const formatWholeDay = createDayFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

const isMoney = (unit: string): boolean => unit.startsWith('dollars')
const PERCENT = 'percent'

/** A value as it is written in a table: '1,204', '$4,100,000', '97%', '3.5'. */
export const formatValue = (value: number, unit: string): string => {
  const number = formatNumber(Math.abs(Math.round(value * 10) / 10))
  const written = unit === PERCENT ? `${number}%` : isMoney(unit) ? `$${number}` : number
  return value < 0 && number !== '0' ? `−${written}` : written
}
/** The same in a picture, where large numbers are short: '$4.1M', '41K'. */
export const formatShort = (value: number, unit: string): string =>
  Math.abs(value) < 10_000
    ? formatValue(value, unit)
    : `${value < 0 ? '−' : ''}${isMoney(unit) ? '$' : ''}${compact.format(Math.abs(value))}`
/** The same with its unit, as it is spoken: '46 positions', '$4,100 a month'. */
export const formatSpoken = (value: number, unit: string): string =>
  unit === PERCENT
    ? formatValue(value, unit)
    : `${formatValue(value, unit)} ${isMoney(unit) ? unit.replace(/^dollars ?/, '') : unit}`.trim()

/** Whether the values of several days can be added up. */
export const canAddUp = (unit: string): boolean => unit !== PERCENT && unit !== 'days'

/** The largest value of a scale at least. */
export const getLeastMaximum = (unit: string): number => (unit === PERCENT ? 100 : 4)

/** The head of a column with values of a unit: 'Share', 'Dollars a month', 'Sites'. */
export const formatUnit = (unit: string): string => (unit === PERCENT ? 'Share' : capitalize(unit))

/** A difference with its sign: '+7', '−3', '+2.5%'; empty if there is none. */
export const formatChange = (value: number, unit: string): string => {
  const rounded = Math.round(value * 10) / 10
  return rounded === 0 ? '' : `${rounded > 0 ? '+' : '−'}${formatShort(Math.abs(rounded), unit)}`
}

/** How long the bars of a picture are: the shortest step between two of their days. */
export type Step = 'month' | 'quarter' | 'year'
export const getStep = (days: readonly string[]): Step => {
  const steps = days.slice(1).map((day, at) => (Date.parse(day) - Date.parse(days[at] ?? day)) / DAY_MS)
  const least = Math.min(...steps)
  if (steps.length === 0) return days[0]?.endsWith('-01-01') ? 'year' : 'month'
  return least > 300 ? 'year' : least > 80 ? 'quarter' : 'month'
}

/** The month, quarter or year that begins on a day: 'Nov 2026', 'Q4 2026', '2026'. */
export const formatStep = (day: string, step: Step): string =>
  step === 'year'
    ? day.slice(0, 4)
    : step === 'quarter'
      ? `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`
      : formatMonth(day)

/** All days of the series, in order. */
export const listDays = (series: readonly InsightSeries[]): string[] =>
  [...new Set(series.flatMap(({ points }) => points.map(({ on }) => on)))].toSorted()

/** What a day of a picture is called in its table and when it is spoken. */
export const createDayNames = ({ chart, series }: Pick<Insight, 'chart' | 'series'>): ((day: string) => string) => {
  if (chart !== 'bars') return formatWholeDay
  const step = getStep(listDays(series))
  return (day) => formatStep(day, step)
}

/** The labels below a picture’s days: the month, and the year where it begins. */
export const createTickNames = (days: readonly string[]): ((day: string) => string) => {
  const years = new Set<string>()
  const names = new Map(
    days.map((day) => {
      const year = day.slice(0, 4)
      const isFirst = !years.has(year)
      years.add(year)
      return [day, isFirst && years.size > 1 ? formatMonth(day) : formatMonthName(day)] as const
    }),
  )
  return (day) => names.get(day) ?? formatDay(day)
}

export const getLast = ({ points }: Pick<InsightSeries, 'points'>): number => points.at(-1)?.value ?? 0
export const getTotal = ({ points }: Pick<InsightSeries, 'points'>): number => points.reduce((sum, { value }) => sum + value, 0)

/** The same series in the period before. */
export const findBefore = (before: readonly InsightSeries[] | undefined, { key }: Pick<InsightSeries, 'key'>): InsightSeries | undefined =>
  before?.find((one) => one.key === key)

/** What the lists behind insights are made of. */
const NOUNS: Readonly<Record<string, Noun>> = {
  '/locations': RECORD_NOUNS.site,
  '/coverage': RECORD_NOUNS.site,
  '/leadership': RECORD_NOUNS.person,
  '/charters': RECORD_NOUNS.charter,
}

/** What lists show that have no filter for what an insight counts. */
const WIDER_LISTS: Readonly<Record<string, string>> = {
  '/activity': 'Activity, with the changes of all days',
  '/requests': 'Requests, with those of all days',
  '/deadlines': 'Deadlines, with those of all days',
  '/coverage': 'Coverage, with all positions of the last day',
}

/** The words of the link to the list behind an insight: '46 sites', or which list is the nearest one. */
export const formatLink = ({ records, link }: Pick<Insight, 'records' | 'link'>): string => {
  const [path = ''] = link.split('?')
  if (records !== null) return formatCount(records, NOUNS[path] ?? 'record')
  return `Open ${WIDER_LISTS[path] ?? findPage(path)?.name ?? 'the list'}`
}
