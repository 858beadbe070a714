import { formatShortDay, subtractYear } from '../../contract/dates.ts'
import { formatCount, formatNumber } from '../../contract/format.ts'
import { isActive } from '../../contract/status.ts'
import type { InsightSeries } from './contract.ts'
import { findOpenSite, type Measure } from './figures.server.ts'
import type { Rows } from './history.server.ts'
import {
  formatDifference,
  formatWhere,
  type InsightDeclaration,
  getLabel,
  linkToCharters,
  listBehind,
  narrow,
  readDay,
  readOverTime,
  type Reader,
  type Reading,
  sum,
  sumCells,
  toSeries,
  withLinks,
} from './insight.server.ts'

/** The region of most of the open sites of a charter; the first by `_id` among equals. */
const findMainRegion = (rows: Rows, charter: string): string => {
  const counts = new Map<string, number>()
  for (const key of rows.sitesOfCharter.get(charter)) {
    const region = findOpenSite(rows, key)?.place.region
    if (region !== undefined) counts.set(region, (counts.get(region) ?? 0) + 1)
  }
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return first?.[0] ?? ''
}

/** A charter has students, not its sites: they count in its main region, and for every facility type. */
const STUDENTS: Measure = {
  name: 'students',
  of: 'charter',
  facets: [],
  count: (rows, key, _on, add) => {
    const charter = rows.tables.charter.get(key)
    if (charter?.archivedAt === null && isActive(charter.status) && charter.studentCount !== null)
      add({ region: findMainRegion(rows, key), brand: charter.brand ?? '', charter: key, type: '' }, [], charter.studentCount)
  },
}

const ignoreType = (reader: Reader): Reader => {
  const { type: _type, ...filter } = reader.filter
  return { ...reader, filter }
}

/** The charters whose students are counted. The list of charters has no filter by region. */
const listCounted = async (reader: Reader): Promise<Pick<Reading, 'link' | 'records'>> => {
  const counted = reader.filter.region === undefined ? null : await readDay(reader, { measure: STUDENTS }, 'charter', reader.to)
  const names = [...(counted?.keys() ?? [])].map((charter) => getLabel(reader, 'charter', charter))
  return listBehind(reader, '/charters', names, linkToCharters(reader))
}
/** Each series with its charters, and the list behind the title. */
const withCharters = async (reader: Reader, by: string, series: readonly InsightSeries[]) => ({
  series: await withLinks(series, async (key) => (await listCounted(narrow(reader, by, key))).link),
  ...(await listCounted(reader)),
})

const BY = { brand: 'By brand', charter: 'By charter', region: 'By region' } as const

const toShares = (sums: ReadonlyMap<string, number>, all: number): ReadonlyMap<string, number> =>
  new Map([...sums].map(([key, value]) => [key, all === 0 ? 0 : Math.round((1000 * value) / all) / 10]))

export const STUDENT_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'students',
    group: 'Students',
    label: 'Students',
    drawn: 'Students of active and pending charters at the end of each day; those of a charter count in the region of most of its sites',
    chart: 'lines',
    unit: 'students',
    choices: BY,
    measure: () => STUDENTS,
    read: async (given, by) => {
      const reader = ignoreType(given)
      const { series, compared, now, earlier } = await readOverTime(reader, { measure: STUDENTS }, by)
      const count = sum(now.values())
      return {
        title: `Students${formatWhere(reader)}: ${formatNumber(count)}${formatDifference(count, earlier && sum(earlier.values()), reader)}`,
        ...(await withCharters(reader, by, series)),
        compared,
      }
    },
  },
  {
    name: 'student-share',
    group: 'Students',
    label: 'Share of the network',
    drawn: 'Percent of all students of the network at the end of each day',
    chart: 'areas',
    unit: 'percent',
    choices: BY,
    read: async (given, by) => {
      const reader = ignoreType(given)
      const everywhere = { ...reader, filter: {} }
      const { series, compared, earlier } = await readOverTime(reader, { measure: STUDENTS }, by, (sums, cells) =>
        toShares(sums, sum(sumCells(everywhere, { measure: STUDENTS }, cells, null).values())),
      )
      const [first] = series
      const share = first?.points.at(-1)?.value ?? 0
      const difference = earlier && first ? Math.round(10 * (share - (earlier.get(first.key) ?? 0))) / 10 : null
      const change =
        difference === null
          ? ''
          : difference === 0
            ? `, as on ${formatShortDay(reader.before.to, reader.today)}`
            : `, ${formatNumber(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} points than on ${formatShortDay(reader.before.to, reader.today)}`
      return {
        title: first ? `${first.label}: ${formatNumber(share)}% of all students of the network${change}` : 'No students',
        ...(await withCharters(reader, by, series)),
        compared,
      }
    },
  },
  {
    name: 'student-change',
    group: 'Students',
    label: 'Change since last year',
    drawn: 'Students on the last day, compared with the same day of the year before',
    chart: 'ranks',
    unit: 'students',
    choices: { charter: 'By charter', brand: 'By brand', region: 'By region' },
    read: async (given, by) => {
      const reader = ignoreType(given)
      const since = subtractYear(reader.to)
      const [now, earlier] = await Promise.all([reader.to, since].map((day) => readDay(reader, { measure: STUDENTS }, by, day)))
      const changes = new Map(
        [...new Set([...(now ?? new Map<string, number>()).keys(), ...(earlier ?? new Map<string, number>()).keys()])].map((key) => [
          key,
          (now?.get(key) ?? 0) - (earlier?.get(key) ?? 0),
        ]),
      )
      const on = formatShortDay(since, reader.today)
      const series = earlier ? toSeries(reader, by, [[reader.to, changes]], MAX_RANKS) : []
      const [first] = series
      const most = first?.points[0]?.value ?? 0
      const grown = [...changes.values()].filter((change) => change > 0).length
      const nouns = { charter: 'charter', brand: 'brand', region: 'region' } as const
      return {
        title: !earlier
          ? `Students of ${on} are not known: the history begins later`
          : `${formatNumber(grown)} of ${formatCount(changes.size, nouns[by as keyof typeof nouns])}${formatWhere(reader)} ${grown === 1 ? 'has' : 'have'} more students than on ${on}${first && most > 0 ? `; ${first.label} gained most: ${formatNumber(most)}` : ''}`,
        ...(await withCharters(reader, by, series)),
      }
    },
  },
]

const MAX_RANKS = 50
