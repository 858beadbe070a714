import { formatCount, formatNumber } from '../../contract/format.ts'
import { isActive, isPending, STATUS_LABELS, type Status } from '../../contract/status.ts'
import { countDays } from '../../features/deadlines/deadlines/rules.ts'
import type { InsightSeries } from './contract.ts'
import type { CountedRow } from './event-log.server.ts'
import { findSite, type Measure, type Place, toPlace } from './figures.server.ts'
import { listRecords, matches, readFlows, sumFlows, toFlowSeries } from './flows.server.ts'
import { type Rows, walkHistory } from './history.server.ts'
import {
  formatDifference,
  formatWhere,
  type InsightDeclaration,
  isOneOf,
  linkToNamed,
  linkToSites,
  listBehind,
  nameSites,
  narrow,
  PLACE_CHOICES,
  type Reader,
  readOverTime,
  sum,
  withLinks,
  withPointLinks,
} from './insight.server.ts'
import { getMedian, listParts } from './rules.ts'

const SITES: Measure = {
  name: 'sites',
  of: 'site',
  facets: ['status'],
  count: (rows, key, _on, add) => {
    const found = findSite(rows, key)
    if (found) add(found.place, [found.site.status], 1)
  },
}

const OPEN: readonly Status[] = ['ACTIVE', 'ACTIVE - TEMPORARY', 'PENDING']

type State = 'open' | 'closed'
const OPENED_LABELS = { opened: 'Opened', closed: 'Closed' } as const

/** Whether a site is open; one that is pending is not yet. */
const takeState =
  (reader: Reader) =>
  (rows: Rows, key: string): State | undefined => {
    const found = findSite(rows, key)
    if (!found || isPending(found.site.status) || !matches(reader, found.place)) return undefined
    return isActive(found.site.status) ? 'open' : 'closed'
  }

interface Opening {
  readonly site: string
  readonly day: string
  readonly days: number
}

/** How long each site that became active in the period was pending. */
const readOpenings = async (reader: Reader): Promise<Opening[]> => {
  const openings: { site: string; day: string; pendingSince: string | null }[] = []
  const isOpen = (row: CountedRow<'site'> | null | undefined): boolean =>
    row !== null && row !== undefined && row.status.startsWith('ACTIVE')
  const places = new Map<string, Place>()
  await walkHistory(reader.context, {
    days: [reader.to, reader.begins],
    onDay: (day, rows) => {
      if (day === reader.to) for (const [_id, site] of rows.tables.site) places.set(_id, toPlace(rows, site))
    },
    onEvent: ({ table, key, day, before }, after) => {
      if (table !== 'site' || day > reader.to) return
      const [was, is] = [before as CountedRow<'site'> | null, after as CountedRow<'site'> | undefined]
      if (was?.status === 'PENDING' && isOpen(is)) openings.push({ site: key, day, pendingSince: null })
      else if (was?.status !== 'PENDING' && is?.status === 'PENDING')
        for (const opening of openings) if (opening.site === key) opening.pendingSince ??= day
    },
  })
  return openings.flatMap(({ site, day, pendingSince }) => {
    const place = places.get(site)
    return place && pendingSince !== null && matches(reader, place) ? [{ site, day, days: countDays(pendingSince, day) }] : []
  })
}

export const SITE_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'site-status',
    group: 'Sites',
    label: 'Sites by status',
    drawn: 'Sites at the end of each day, by status',
    chart: 'areas',
    unit: 'sites',
    choices: { status: 'By status', ...PLACE_CHOICES },
    measure: () => SITES,
    read: async (reader, by) => {
      const [{ series, compared }, { now, earlier }] = await Promise.all([
        readOverTime(reader, { measure: SITES }, by),
        readOverTime(reader, { measure: SITES }, 'status'),
      ])
      const countOpen = (sums: ReadonlyMap<string, number>): number => sum(OPEN.map((status) => sums.get(status) ?? 0))
      const [open, pending] = [countOpen(now), now.get('PENDING') ?? 0]
      const coming = pending === 0 ? '' : `; ${formatNumber(pending)} of them coming soon`
      return {
        title: `Sites${formatWhere(reader)}: ${formatNumber(open)} active or pending${formatDifference(open, earlier && countOpen(earlier), reader)}${coming}`,
        series: await withLinks(series, (key) =>
          by === 'status'
            ? linkToSites(reader, { where: [isOneOf('status', [STATUS_LABELS[key as Status]])] })
            : linkToSites(narrow(reader, by, key)),
        ),
        compared,
        link: linkToSites(reader, { status: 'active' }),
        records: open,
      }
    },
  },
  {
    name: 'site-openings',
    group: 'Sites',
    label: 'Opened and closed sites',
    drawn: 'Sites that were active, or closed, at the end of a month and not at the end of the month before',
    chart: 'bars',
    unit: 'sites',
    choices: {},
    read: async (reader) => {
      const [now, earlier] = await readFlows(reader, 'month', {
        listAll: (rows) => rows.tables.site.keys(),
        listTouched: (rows) => rows.touched.site,
        take: takeState(reader),
        compare: (before, after, add) => {
          if (after !== undefined && before !== after) add(after === 'open' ? 'opened' : 'closed')
        },
      })
      const [opened, closed] = [sumFlows(now, 'opened') ?? 0, sumFlows(now, 'closed') ?? 0]
      const [openedBefore, closedBefore] = [sumFlows(earlier, 'opened'), sumFlows(earlier, 'closed')]
      const difference =
        openedBefore === null || closedBefore === null
          ? ''
          : `; ${formatNumber(openedBefore)} and ${formatNumber(closedBefore)} in the period before`
      return {
        title: `${formatCount(opened, 'site')}${formatWhere(reader)} opened and ${formatNumber(closed)} closed${difference}`,
        series: withPointLinks(toFlowSeries(now, OPENED_LABELS), (key, on) =>
          linkToNamed(reader, '/locations', nameSites(reader, listRecords(now, key, on))),
        ),
        compared: earlier && toFlowSeries(earlier, OPENED_LABELS),
        ...listBehind(
          reader,
          '/locations',
          nameSites(reader, [...listRecords(now, 'opened'), ...listRecords(now, 'closed')]),
          linkToSites(reader),
        ),
      }
    },
  },
  {
    name: 'site-types',
    group: 'Sites',
    label: 'Sites by facility type',
    drawn: 'Active and pending sites at the end of each day, by facility type',
    chart: 'lines',
    unit: 'sites',
    choices: { type: 'By facility type' },
    read: async (reader) => {
      const { series, compared, now } = await readOverTime(reader, { measure: SITES, only: { status: OPEN } }, 'type')
      const [first] = series
      const count = first?.points.at(-1)?.value ?? 0
      const all = sum(now.values())
      const earlier = compared?.find(({ key }) => key === first?.key)?.points.at(-1)?.value
      return {
        title:
          first === undefined || all === 0
            ? `No sites${formatWhere(reader)}`
            : `${first.label}: ${formatNumber(count)} of ${formatCount(all, 'site')}${formatWhere(reader)}${formatDifference(count, compared && (earlier ?? 0), reader)}`,
        series: await withLinks(series, (key) => linkToSites(narrow(reader, 'type', key), { status: 'active' })),
        compared,
        link: linkToSites(first ? narrow(reader, 'type', first.key) : reader, { status: 'active' }),
        records: count,
      }
    },
  },
  {
    name: 'site-pending',
    group: 'Sites',
    label: 'From Pending to Active',
    drawn: 'Median days from Pending to Active, by the quarter in which sites became active',
    chart: 'bars',
    unit: 'days',
    choices: {},
    read: async (reader) => {
      const { before, begins } = reader
      const openings = await readOpenings(reader)
      const listOpenings = (from: string, to: string) => openings.filter(({ day }) => day >= from && day <= to)
      const list = (from: string, to: string): number[] => listOpenings(from, to).map(({ days }) => days)
      const nameOpenings = (from: string, to: string) =>
        nameSites(
          reader,
          listOpenings(from, to).map(({ site }) => site),
        )
      const linkToOpenings = (from: string, to: string) => linkToNamed(reader, '/locations', nameOpenings(from, to)) ?? null
      const toQuarters = (from: string, to: string): InsightSeries[] => [
        {
          key: 'days',
          label: 'Median days',
          points: listParts(from > begins ? from : begins, to, 'quarter').flatMap((part) => {
            const value = getMedian(list(part.from, part.to))
            return value === null ? [] : [{ on: part.start, value, link: linkToOpenings(part.from, part.to) }]
          }),
        },
      ]
      const [now, earlier] = [list(reader.from, reader.to), list(before.from, before.to)]
      const [median, medianBefore] = [getMedian(now), getMedian(earlier)]
      const difference = medianBefore === null ? '' : `; ${formatCount(medianBefore, 'day')} in the period before`
      return {
        title:
          median === null
            ? `No site${formatWhere(reader)} went from Pending to Active in this period`
            : `From Pending to Active${formatWhere(reader)}: ${formatCount(median, 'day')} in the median of ${formatCount(now.length, 'site')}${difference}`,
        series: toQuarters(reader.from, reader.to),
        compared: before.to < begins ? null : toQuarters(before.from, before.to),
        ...listBehind(reader, '/locations', nameOpenings(reader.from, reader.to), linkToSites(reader, { status: 'active' })),
      }
    },
  },
]
