import type { ColumnFilter } from '../../contract/column-filters.ts'
import { formatShortDay } from '../../contract/dates.ts'
import { formatCount, formatNumber } from '../../contract/format.ts'
import { buildPagePath } from '../../contract/pages.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { type Cells, findOpenSite, type Measure, splitCell } from './figures.server.ts'
import { formatShort } from './format.ts'
import {
  formatDifference,
  formatPath,
  formatWhere,
  getLinkDay,
  type InsightDeclaration,
  isOneOf,
  linkToSites,
  listBehind,
  nameSites,
  narrow,
  PLACE_CHOICES,
  readDay,
  type Reader,
  readOverTime,
  sum,
  sumCells,
  toSeries,
  withLinks,
  withPointLinks,
} from './insight.server.ts'

/** The first number of a text: '$4,120.00 a month', 'approx. 3,150 incl. storage'. */
const readNumber = (text: string | null): number => Number(/\d[\d,]*(\.\d+)?/.exec(text ?? '')?.[0].replaceAll(',', '') ?? 0)

const OPEN_ENDED = 'open'

/** The leases of open sites; `what` is their number, rent and size, `end` a day, `open`, or empty. */
const LEASES: Measure = {
  name: 'leases',
  facets: ['what', 'year', 'end', 'holder', 'guarantor', 'site'],
  of: 'site',
  from: 'leases',
  isNotKept: true,
  count: (rows, key, _on, add) => {
    const facility = rows.tables.facility.get(key)
    const place = facility && findOpenSite(rows, key)?.place
    if (!place) return
    const { lease_end, lease_end_open, lease_holder, guarantor } = facility
    // The end of some leases is not known.
    if ((lease_end ?? lease_holder ?? guarantor) === null && !lease_end_open) return
    const end = lease_end_open ? OPEN_ENDED : (lease_end ?? '')
    const facets = [lease_end?.slice(0, 4) ?? '', end, lease_holder ?? '', guarantor ?? '', key]
    add(place, ['leases', ...facets], 1)
    add(place, ['rent', ...facets], readNumber(facility.base_rent))
    add(place, ['feet', ...facets], readNumber(facility.sq_footage))
  },
}

/** Which of the leases of open sites are open-ended. */
const OPEN_LEASES: Measure = {
  name: 'open leases',
  of: 'site',
  from: 'leases',
  facets: ['end'],
  count: (rows, key, _on, add) => {
    const facility = rows.tables.facility.get(key)
    const place = facility && findOpenSite(rows, key)?.place
    if (place && facility.lease_end_open) add(place, [OPEN_ENDED], 1)
    else if (place && facility.lease_end) add(place, ['day'], 1)
  },
}

type What = 'leases' | 'rent' | 'feet'

/** Where the year, the end and the site of a lease are in its cell. */
const [YEAR, END, SITE] = [5, 6, 9]

const readLeases = async (reader: Reader, on = reader.to): Promise<Cells> => {
  const [cells] = await reader.figures.read(LEASES, [on])
  return cells ?? new Map()
}

/** The leases that end on a day, by year. */
const sumYears = (reader: Reader, cells: Cells, what: What, by: string): (readonly [on: string, sums: ReadonlyMap<string, number>])[] =>
  [...Map.groupBy(cells, ([cell]) => reader.figures.split(cell)[YEAR] ?? '')]
    .map(([year, own]) => [`${year}-01-01`, sumCells(reader, { measure: LEASES, only: { what } }, own, by)] as const)
    .filter(([on, sums]) => on.length === 10 && sums.size > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const formatDollars = (amount: number): string => `$${formatNumber(Math.round(amount))}`

/** Columns of the list of sites. */
const [LEASE_END, HOLDER, GUARANTOR] = ['facility_info.lease_end', 'facility_info.lease_holder', 'facility_info.guarantor'] as const
const IS_OPEN_ENDED = isOneOf('facility_info.lease_end_open', ['Yes'])
const endsIn = (year: string): ColumnFilter => ({ key: LEASE_END, operator: 'contains', values: [year.slice(0, 4)] })

const linkToLeases = (reader: Reader, ...where: ColumnFilter[]): string => linkToSites(reader, { status: 'active', where })

const NEXT_YEAR_DAYS = 365
const MAX_RANKS = 50

export const LEASE_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'lease-ends',
    group: 'Leases',
    label: 'Leases by year of their end',
    drawn: 'Leases of active and pending sites on the last day, by the year of their end',
    chart: 'bars',
    unit: 'leases',
    choices: { year: 'All leases', ...PLACE_CHOICES },
    read: async (reader, by) => {
      const cells = await readLeases(reader)
      const total = (of: What) => new Map(sumYears(reader, cells, of, 'year').map(([year, sums]) => [year, sum(sums.values())]))
      const [counts, rents, feet] = [total('leases'), total('rent'), total('feet')]
      const coming = [...counts].filter(([year]) => year >= `${reader.to.slice(0, 4)}-01-01`)
      const [most] = coming.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      return {
        title: most
          ? `Leases${formatWhere(reader)}: most, ${formatNumber(most[1])}, end in ${most[0].slice(0, 4)}, with ${formatDollars(rents.get(most[0]) ?? 0)} of rent a month and ${formatNumber(feet.get(most[0]) ?? 0)} square feet`
          : `No lease${formatWhere(reader)} ends after ${formatShortDay(reader.to, reader.today)}`,
        chart: by === 'year' ? 'ranks' : 'bars',
        series:
          by === 'year'
            ? [...counts].map(([year, value]) => ({
                key: year,
                label: year.slice(0, 4),
                points: [
                  {
                    on: reader.to,
                    value,
                    stakes: [
                      `${formatShort(rents.get(year) ?? 0, 'dollars')} a month`,
                      `${formatShort(feet.get(year) ?? 0, 'feet')} sq ft`,
                    ],
                  },
                ],
                link: linkToLeases(reader, endsIn(year)),
              }))
            : withPointLinks(toSeries(reader, by, sumYears(reader, cells, 'leases', by)), (key, year) =>
                linkToLeases(narrow(reader, by, key), endsIn(year)),
              ),
        link: linkToLeases(reader, ...(most ? [endsIn(most[0])] : [])),
        ...(most ? { records: most[1] } : {}),
      }
    },
  },
  {
    name: 'lease-open-ended',
    group: 'Leases',
    label: 'Open-ended leases',
    drawn: 'Leases without an end, of active and pending sites, at the end of each day',
    chart: 'lines',
    unit: 'leases',
    choices: PLACE_CHOICES,
    measure: () => OPEN_LEASES,
    read: async (reader, by) => {
      const [{ series, compared }, { now, earlier }] = await Promise.all([
        readOverTime(reader, { measure: OPEN_LEASES, only: { end: OPEN_ENDED } }, by),
        readOverTime(reader, { measure: OPEN_LEASES }, 'end'),
      ])
      const count = now.get(OPEN_ENDED) ?? 0
      return {
        title: `Open-ended: ${formatNumber(count)} of ${formatCount(sum(now.values()), 'lease')}${formatWhere(reader)}${formatDifference(count, earlier && (earlier.get(OPEN_ENDED) ?? 0), reader)}`,
        series: await withLinks(series, (key) => linkToLeases(narrow(reader, by, key), IS_OPEN_ENDED)),
        compared,
        link: linkToLeases(reader, IS_OPEN_ENDED),
        records: count,
      }
    },
  },
  {
    name: 'lease-parties',
    group: 'Leases',
    label: 'Lease holders and guarantors',
    drawn: 'Leases of active and pending sites on the last day, by who holds or guarantees them',
    chart: 'ranks',
    unit: 'leases',
    choices: { holder: 'By lease holder', guarantor: 'By guarantor' },
    read: async (reader, by) => {
      const selection = { measure: LEASES, only: { what: 'leases' } }
      const sums = (await readDay(reader, selection, by, reader.to)) ?? new Map<string, number>()
      const rents = (await readDay(reader, { measure: LEASES, only: { what: 'rent' } }, by, reader.to)) ?? new Map<string, number>()
      const series = toSeries(reader, by, [[reader.to, sums]], MAX_RANKS)
      const most = series.find(({ key }) => key !== '')
      const noun = by === 'holder' ? 'holds' : 'guarantees'
      const linkTo = (key: string) => linkToLeases(reader, isOneOf(by === 'holder' ? HOLDER : GUARANTOR, [key]))
      return {
        title: most
          ? `${most.label} ${noun} ${formatNumber(most.points[0]?.value ?? 0)} of ${formatCount(sum(sums.values()), 'lease')}${formatWhere(reader)}, with ${formatDollars(rents.get(most.key) ?? 0)} of rent a month`
          : `No lease${formatWhere(reader)} names who ${noun} it`,
        // Sites without a lease have no name either.
        series: await withLinks(series, (key) => (key === '' ? undefined : linkTo(key))),
        ...(most ? { link: linkTo(most.key), records: most.points[0]?.value } : { link: linkToLeases(reader) }),
      }
    },
  },
  {
    name: 'lease-map',
    group: 'Leases',
    label: 'Leases ending within 12 months',
    drawn: 'Active and pending sites whose lease ends within 12 months of the last day, by rent a month',
    chart: 'map',
    unit: 'dollars a month',
    choices: {},
    read: async (reader) => {
      const { to, context } = reader
      const cells = await readLeases(reader)
      const list = (what: What) => [
        ...sumCells(reader, { measure: LEASES, only: { what } }, onlyEnds(cells, to, addDays(to, NEXT_YEAR_DAYS)), 'site'),
      ]
      const [leases, rents, feet] = [list('leases'), new Map(list('rent')), list('feet')]
      const ends = new Map([...cells.keys()].map((cell) => [splitCell(cell)[SITE], splitCell(cell)[END] ?? to]))
      const series = leases
        .map(([_id]) => {
          const site = context.readModel.table('site').get(_id)
          const { latitude = null, longitude = null } = site ?? {}
          return {
            key: _id,
            label: site?.displayName ?? 'Removed site',
            points: [{ on: ends.get(_id) ?? to, value: rents.get(_id) ?? 0 }],
            link: formatPath(buildPagePath('/location/fac/$slug', site?.slug ?? _id), { on: getLinkDay(reader) }),
            ...(latitude === null || longitude === null ? {} : { place: { latitude, longitude } }),
          }
        })
        .toSorted((a, b) => (`${a.points[0]?.on} ${a.key}` < `${b.points[0]?.on} ${b.key}` ? -1 : 1))
      const rent = sum(rents.values())
      return {
        title: `${formatCount(leases.length, 'lease')}${formatWhere(reader)} ${leases.length === 1 ? 'ends' : 'end'} within 12 months, with ${formatDollars(rent)} of rent a month and ${formatNumber(sum(feet.map(([, value]) => value)))} square feet`,
        series,
        ...listBehind(
          reader,
          '/locations',
          nameSites(
            reader,
            leases.map(([site]) => site),
          ),
          linkToLeases(reader),
        ),
      }
    },
  },
]

const onlyEnds = (cells: Cells, from: string, to: string): Cells =>
  new Map(
    [...cells].filter(([cell]) => {
      const end = splitCell(cell)[END] ?? ''
      return end !== OPEN_ENDED && end >= from && end <= to
    }),
  )
