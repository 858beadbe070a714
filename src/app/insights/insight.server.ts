import type { Capability } from '../../contract/capabilities.ts'
import { type ColumnFilter, formatColumnFilters } from '../../contract/column-filters.ts'
import { formatShortDay } from '../../contract/dates.ts'
import { formatNumber } from '../../contract/format.ts'
import { compareTexts } from '../../contract/lists.ts'
import { STATUS_LABELS, type Status } from '../../contract/status.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import type { Insight, INSIGHT_GROUPS, CHARTS, InsightFilter, InsightSeries } from './contract.ts'
import { type Cells, type Figures, type Measure, PLACES } from './figures.server.ts'
import { listPoints } from './rules.ts'

/** What an insight is read for: the filters of the page, with the `_id`s of records, and the period. */
export interface Reader {
  readonly context: AppContext
  readonly figures: Figures
  readonly filter: Pick<InsightFilter, 'region' | 'brand' | 'charter' | 'type'>
  readonly from: string
  readonly to: string
  readonly today: string
  /** The period before, of the same length. */
  readonly before: { readonly from: string; readonly to: string }
  /** The first day of the history; later than `to` if there is none. */
  readonly begins: string
}

export interface Reading {
  readonly title: string
  readonly series: readonly InsightSeries[]
  readonly compared?: readonly InsightSeries[] | null
  readonly link: string
  readonly records?: number | undefined
  /** Where they depend on the choice. */
  readonly unit?: string
  readonly chart?: (typeof CHARTS)[number]
}

/** An insight: everything that the program knows of it. */
export interface InsightDeclaration {
  readonly name: string
  readonly group: (typeof INSIGHT_GROUPS)[number]
  readonly label: string
  readonly drawn: string
  readonly chart: (typeof CHARTS)[number]
  readonly unit: string
  /** Who may read it, if not everyone who browses the directory. */
  readonly capability?: Capability
  /** What the series can be, the default first. */
  readonly choices: Readonly<Record<string, string>>
  /** What is counted of each day, and kept before anyone asks. */
  readonly measure?: (reader: Reader) => Promise<Measure> | Measure
  readonly read: (reader: Reader, by: string) => Promise<Reading>
}

export const PLACE_CHOICES = { region: 'By region', brand: 'By brand', charter: 'By charter', type: 'By facility type' } as const

/** The name of a value that series are made by. */
export const getLabel = ({ context: { readModel } }: Reader, by: string, key: string): string => {
  switch (by) {
    case 'region':
      return readModel.table('region').get(key)?.name ?? 'No region'
    case 'brand':
      return readModel.table('brand').get(key)?.brandName ?? 'No brand'
    case 'charter':
      return readModel.table('charter').get(key)?.name ?? 'No charter'
    case 'person':
      return readModel.table('person').get(key)?.name ?? 'Someone who was removed'
    case 'status':
      return STATUS_LABELS[key as Status] ?? key
    case 'type':
      return key || 'No facility type'
    default:
      return key || 'Not known'
  }
}

/** Some of the figures of a measure: those of some facets. */
export interface Selection {
  readonly measure: Measure
  readonly only?: Readonly<Record<string, string | readonly string[]>>
}

/** The sums of a day by what the series are; '' is the only key without. */
export const sumCells = (
  { filter, figures }: Reader,
  { measure, only = {} }: Selection,
  cells: Iterable<readonly [cell: string, value: number]>,
  by: string | null,
): Map<string, number> => {
  const names: readonly string[] = [...PLACES, ...measure.facets]
  const at = by === null ? -1 : names.indexOf(by)
  const places = PLACES.flatMap((name, index) => (filter[name] === undefined ? [] : [[index, [filter[name]]] as const]))
  const facets = Object.entries(only).map(([name, values]) => [names.indexOf(name), [values].flat()] as const)
  const conditions = [...places, ...facets]
  const sums = new Map<string, number>()
  for (const [cell, value] of cells) {
    const parts = figures.split(cell)
    if (!conditions.every(([index, values]) => values.includes(parts[index] ?? ''))) continue
    const key = parts[at] ?? ''
    sums.set(key, (sums.get(key) ?? 0) + value)
  }
  return sums
}

export const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

/** More series are drawn as one. */
const MAX_SERIES = 12
const OTHERS = 'others'

/** The series of sums: those with most first, of a state over time with most at its end, and the rest together. */
export const toSeries = (
  reader: Reader,
  by: string,
  days: readonly (readonly [on: string, sums: ReadonlyMap<string, number>])[],
  max = MAX_SERIES,
  isState = false,
): InsightSeries[] => {
  const last = isState ? days.at(-1)?.[1] : undefined
  const totals = new Map<string, number>()
  for (const [, sums] of days) for (const [key, value] of sums) totals.set(key, (totals.get(key) ?? 0) + value)
  const keys = [...totals.keys()].toSorted(
    (a, b) =>
      (last?.get(b) ?? 0) - (last?.get(a) ?? 0) ||
      (totals.get(b) ?? 0) - (totals.get(a) ?? 0) ||
      compareTexts(getLabel(reader, by, a), getLabel(reader, by, b)),
  )
  const shown = keys.length > max ? keys.slice(0, max - 1) : keys
  const rest = keys.slice(shown.length)
  const series = shown.map((key): InsightSeries => ({
    key,
    label: getLabel(reader, by, key),
    points: days.map(([on, sums]) => ({ on, value: sums.get(key) ?? 0 })),
  }))
  if (rest.length === 0) return series
  const points = days.map(([on, sums]) => ({ on, value: sum(rest.map((key) => sums.get(key) ?? 0)) }))
  return [...series, { key: OTHERS, label: `${formatNumber(rest.length)} others`, points }]
}

/** The same series, each with the list behind it. */
export const withLinks = (
  series: readonly InsightSeries[],
  toLink: (key: string) => Promise<string | undefined> | string | undefined,
): Promise<InsightSeries[]> =>
  Promise.all(series.map(async (one) => (one.key === OTHERS ? one : { ...one, link: (await toLink(one.key)) ?? null })))

/** The same for each value. */
export const withPointLinks = (
  series: readonly InsightSeries[],
  toLink: (key: string, on: string) => string | undefined,
): InsightSeries[] =>
  series.map((one) =>
    one.key === OTHERS
      ? one
      : { ...one, points: one.points.map((point) => (point.value === 0 ? point : { ...point, link: toLink(one.key, point.on) ?? null })) },
  )

/** The reader of one of the series that are made by places. */
export const narrow = (reader: Reader, by: string, key: string): Reader =>
  PLACES.some((place) => place === by) ? { ...reader, filter: { ...reader.filter, [by]: key } } : reader

/** The days of a period that are drawn: none before the history. */
export const listDrawn = ({ begins }: Reader, from: string, to: string): string[] => listPoints(from > begins ? from : begins, to)

export interface OverTime {
  readonly series: readonly InsightSeries[]
  readonly compared: readonly InsightSeries[] | null
  /** The sums on the last day, and on the last day of the period before. */
  readonly now: ReadonlyMap<string, number>
  readonly earlier: ReadonlyMap<string, number> | null
}

/** A measure at the end of each day of the period, and of the one before. */
export const readOverTime = async (
  reader: Reader,
  selection: Selection,
  by: string,
  change: (sums: ReadonlyMap<string, number>, cells: Cells) => ReadonlyMap<string, number> = (sums) => sums,
): Promise<OverTime> => {
  const { before } = reader
  const periods = [listDrawn(reader, reader.from, reader.to), listDrawn(reader, before.from, before.to)] as const
  const read = async (days: readonly string[]) => {
    const cells = await reader.figures.read(selection.measure, days)
    const rest = createTimeSlices()
    const sums: (readonly [on: string, sums: ReadonlyMap<string, number>])[] = []
    for (const [at, on] of days.entries()) {
      const ofDay = cells[at] ?? new Map()
      sums.push([on, change(sumCells(reader, selection, ofDay, by), ofDay)])
      await rest()
    }
    return sums
  }
  const [now, earlier] = await Promise.all(periods.map(read))
  return {
    series: toSeries(reader, by, now ?? [], MAX_SERIES, true),
    compared: earlier && earlier.length > 0 ? toSeries(reader, by, earlier, MAX_SERIES, true) : null,
    now: now?.at(-1)?.[1] ?? new Map(),
    earlier: earlier?.at(-1)?.[1] ?? null,
  }
}

/** The sums of one day; null before the history. */
export const readDay = async (reader: Reader, selection: Selection, by: string | null, on: string): Promise<Map<string, number> | null> => {
  if (on < reader.begins) return null
  const [cells] = await reader.figures.read(selection.measure, [on])
  return cells ? sumCells(reader, selection, cells, by) : null
}

/** '9 more than on Nov 28, 2025'; nothing if there is nothing to compare. */
export const formatDifference = (now: number, earlier: number | null | undefined, reader: Reader, unit = ''): string => {
  if (earlier === null || earlier === undefined) return ''
  const on = formatShortDay(reader.before.to, reader.today)
  const difference = now - earlier
  if (difference === 0) return `, as many as on ${on}`
  return `, ${formatNumber(Math.abs(difference))}${unit} ${difference > 0 ? 'more' : 'fewer'} than on ${on}`
}

/** The filters in words, after a noun: ' in Ohio'. */
export const formatWhere = (reader: Reader): string => {
  const { region, brand, charter, type } = reader.filter
  return [
    ...(type === undefined ? [] : [` of the type ${type}`]),
    ...(charter === undefined ? [] : [` of ${getLabel(reader, 'charter', charter)}`]),
    ...(brand === undefined ? [] : [` of ${getLabel(reader, 'brand', brand)}`]),
    ...(region === undefined ? [] : [` in ${getLabel(reader, 'region', region)}`]),
  ].join('')
}

export const formatPath = (path: string, search: Readonly<Record<string, string | undefined>>): string => {
  const pairs = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** The day that lists show: none if it is today. */
export const getLinkDay = ({ to, today }: Reader): string | undefined => (to < today ? to : undefined)

export const getRegionSlug = ({ filter, context }: Reader): string | undefined =>
  context.readModel.table('region').get(filter.region ?? null)?.slug

/** The charters that the filters leave, by name, and the empty one of sites without a charter: lists of sites have a column with them. */
const listCharterNames = ({ filter: { brand, charter }, context }: Reader): readonly string[] | undefined => {
  if (charter === undefined && brand === undefined) return undefined
  const charters = [...context.readModel.table('charter').all()].filter(
    (one) => (charter ?? one._id) === one._id && (brand ?? one.brand ?? '') === (one.brand ?? ''),
  )
  const isWithout = (charter ?? '') === '' && (brand ?? '') === ''
  return [...charters.map(({ name }) => name), ...(isWithout ? [''] : [])]
}

/** A filter by the exact values of a column, in which the empty one is a missing value. */
export const isOneOf = (key: string, values: readonly string[]): ColumnFilter => ({ key, operator: 'is', values })

interface SiteSearch {
  readonly status?: string
  readonly unchecked?: string
  readonly where?: readonly ColumnFilter[]
}

/** The list of the sites that the filters leave. */
export const linkToSites = (reader: Reader, { where = [], ...search }: SiteSearch = {}): string => {
  const { region, type } = reader.filter
  const charters = listCharterNames(reader)
  const missing = Object.entries({ region, type }).flatMap(([key, value]) => (value === '' ? [isOneOf(key, [''])] : []))
  return formatPath('/locations', {
    ...search,
    type: type || undefined,
    region: getRegionSlug(reader),
    where: formatColumnFilters([...missing, ...(charters ? [isOneOf('charter', charters)] : []), ...where]),
    on: getLinkDay(reader),
  })
}

/** A longer address may be cut off on its way. */
const MAX_NAMES_LENGTH = 3000

const formatAddress = (path: string, filter: ColumnFilter, on: string | undefined): string | undefined => {
  const where = formatColumnFilters([filter]) ?? ''
  return filter.values.length === 0 || where.length > MAX_NAMES_LENGTH ? undefined : formatPath(path, { where, on })
}

/** The list of these records by their names; undefined if there are none, or too many for an address. */
export const linkToNamed = (reader: Reader, path: '/locations' | '/charters', names: readonly string[]): string | undefined =>
  formatAddress(
    path,
    isOneOf(
      'name',
      names.map((name) => name.replaceAll(/\s+/g, ' ').trim()),
    ),
    getLinkDay(reader),
  )

/** The list of these people at the end of a day; undefined if HR does not know one of them. */
export const linkToPeople = ({ context, today }: Reader, people: readonly string[], on: string): string | undefined => {
  const numbers = people.map((person) => context.readModel.table('person').get(person)?.sql_person_id ?? '')
  return numbers.includes('') ? undefined : formatAddress('/staff', isOneOf('hr', numbers), on < today ? on : undefined)
}

export const nameSite = ({ readModel }: Reader['context'], site: string): string =>
  readModel.table('site').get(site)?.displayName ?? 'Removed site'

export const nameSites = ({ context }: Reader, sites: Iterable<string>): string[] =>
  [...new Set(sites)].map((site) => nameSite(context, site))

/** The list behind a title: these records by their names, or a wider one. */
export const listBehind = (
  reader: Reader,
  path: '/locations' | '/charters',
  names: readonly string[],
  wider: string,
): Pick<Reading, 'link' | 'records'> => {
  const link = linkToNamed(reader, path, names)
  return link === undefined ? { link: wider } : { link, records: names.length }
}

/** The board of positions that the filters leave. */
export const linkToCoverage = (reader: Reader, search: Readonly<Record<string, string | undefined>>): string =>
  formatPath('/coverage', { ...search, region: getRegionSlug(reader), on: getLinkDay(reader) })

/** The list of the charters that the filters leave, of whatever region. */
export const linkToCharters = (reader: Reader): string => {
  const { brand, charter } = reader.filter
  const where =
    charter !== undefined
      ? [isOneOf('name', [getLabel(reader, 'charter', charter)])]
      : brand !== undefined
        ? [isOneOf('brand', [brand && getLabel(reader, 'brand', brand)])]
        : []
  return formatPath('/charters', { status: 'active', where: formatColumnFilters(where), on: getLinkDay(reader) })
}

export const listChoices = ({ choices }: InsightDeclaration): Insight['choices'] =>
  Object.entries(choices).map(([key, label]) => ({ key, label }))
