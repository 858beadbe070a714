import { type RawBuilder, sql } from 'kysely'

import { DEFAULT_INTERVALS } from '../../contract/checks.ts'
import { DAY_MS, toIsoDay } from '../../contract/dates.ts'
import { formatCount, formatNumber } from '../../contract/format.ts'
import { getKindOfTable } from '../../contract/records.ts'
import { isActive } from '../../contract/status.ts'
import { readStoredCheckSettings } from '../../features/changing/checks/queries.server.ts'
import { countDays } from '../../features/deadlines/deadlines/rules.ts'
import { RECORD_PARTS } from '../exports/history.ts'
import type { InsightSeries } from './contract.ts'
import { findOpenSite, listOpenSites, type Measure } from './figures.server.ts'
import { type Flow, matches, sumFlows, toFlowSeries } from './flows.server.ts'
import { walkHistory } from './history.server.ts'
import {
  formatPath,
  formatWhere,
  getLabel,
  type InsightDeclaration,
  getRegionSlug,
  linkToSites,
  narrow,
  PLACE_CHOICES,
  type Reader,
  readOverTime,
  sum,
  toSeries,
  withLinks,
} from './insight.server.ts'
import { getMedian, listParts } from './rules.ts'

const IN_TIME = 'in time'

/** Whether each open site was checked within the interval, as of the end of a day. */
const getChecks = (interval: number, timeZone: string): Measure => {
  const isInTime = (checkedAt: string | null, on: string): boolean => {
    if (checkedAt === null) return false
    const due = Date.parse(checkedAt) + interval * DAY_MS
    // Time zones matter only close to the day.
    const distance = due - Date.parse(on)
    return Math.abs(distance) > 3 * DAY_MS ? distance > 0 : toIsoDay(new Date(due), timeZone) > on
  }
  return {
    name: `checks within ${interval} days`,
    of: 'site',
    facets: ['state'],
    changesDaily: true,
    count: (rows, key, on, add) => {
      const found = findOpenSite(rows, key)
      if (found) add(found.place, [isInTime(found.site.checkedAt, on) ? IN_TIME : 'due'], 1)
    },
  }
}

const toPercent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10)

const readInterval = async ({ context }: Reader): Promise<number> =>
  (await readStoredCheckSettings(context.db)).intervals.site ?? DEFAULT_INTERVALS.site

/** The open sites of today that pass the filters. */
const listSiteIds = (reader: Reader): readonly { readonly _id: string; readonly region: string }[] => {
  const { readModel } = reader.context
  return [...readModel.table('site').all()].flatMap(({ _id, status, region, charter, category }) => {
    const brand = readModel.table('charter').get(charter)?.brand ?? ''
    const place = { region: region ?? '', brand, charter: charter ?? '', type: category ?? '' }
    return isActive(status) && matches(reader, place) ? [{ _id, region: place.region }] : []
  })
}

/** A condition: the record is one of the places that the filters leave; true without a filter. */
const isRecordOfPlace = (reader: Reader, column: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { filter, context } = reader
  if (Object.values(filter).every((value) => value === undefined)) return sql`true`
  const charters = [...context.readModel.table('charter').all()].filter(
    ({ _id, brand }) =>
      filter.region === undefined && filter.type === undefined && (filter.charter ?? _id) === _id && (filter.brand ?? brand) === brand,
  )
  return sql`${column} = any(${[...listSiteIds(reader), ...charters].map(({ _id }) => _id)}::text[])`
}

/** Whether a moment is on a day of a period. */
const isWithin = (reader: Reader, column: RawBuilder<unknown>, from: string, to: string): RawBuilder<unknown> => {
  const { timeZone } = reader.context.configuration
  return sql`${column} >= ${from}::date::timestamp at time zone ${timeZone} and ${column} < (${to}::date + 1)::timestamp at time zone ${timeZone}`
}

const toDay = (reader: Reader, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${column} at time zone ${reader.context.configuration.timeZone})::date::text`

/** The day of the last check of an open site of each region until the last day. */
const readNewestChecks = async (reader: Reader): Promise<ReadonlyMap<string, string>> => {
  const newest = new Map<string, string>()
  await walkHistory(reader.context, {
    days: [reader.to],
    onDay: (_day, rows) => {
      for (const { site, place } of listOpenSites(rows)) {
        const { checkedAt } = site
        if (checkedAt === null || !matches(reader, place)) continue
        const last = newest.get(place.region)
        if (last === undefined || Date.parse(checkedAt) > Date.parse(last)) newest.set(place.region, checkedAt)
      }
    },
  })
  const { timeZone } = reader.context.configuration
  return new Map([...newest].map(([region, at]) => [region, toIsoDay(at, timeZone)]))
}

/** The same of the last change of a site or a part of it. */
const readNewestChanges = async (reader: Reader): Promise<ReadonlyMap<string, string>> => {
  const sites = listSiteIds(reader)
  const { rows } = await sql<{ region: string; day: string }>`
    select site.region, max(${toDay(reader, sql`last.at`)}) as day
    from unnest(${sites.map(({ _id }) => _id)}::text[], ${sites.map(({ region }) => region)}::text[]) as site (_id, region)
    cross join lateral (
      select at from change where parent = site._id and action not in ('check', 'uncheck')
        and at < (${reader.to}::date + 1)::timestamp at time zone ${reader.context.configuration.timeZone}
      order by _id desc limit 1) as last
    group by site.region`.execute(reader.context.db)
  return new Map(rows.map(({ region, day }) => [region, day]))
}

const MAX_FIELDS = 30
const UPKEEP = ['version', 'updatedAt', 'updatedBy', 'checkedAt', 'checkedBy', 'checkVersion', 'studentCountUpdatedAt', 'archivedAt']

interface FieldCount {
  readonly table: string
  readonly field: string
  readonly count: number
}

/** How often each field got another value instead of one. */
const readCorrections = async (reader: Reader): Promise<readonly FieldCount[]> => {
  const tables = Object.keys(RECORD_PARTS)
  const { rows } = await sql<FieldCount>`
    select c."table", value.key as field, count(*)::int as count
    from change as c cross join lateral jsonb_each(c.before) as value
    where c.action = 'update' and c."table" = any(${tables}::text[]) and ${isWithin(reader, sql`c.at`, reader.from, reader.to)}
      and ${isRecordOfPlace(reader, sql`c.parent`)} and value.key <> all(${UPKEEP}::text[])
      and value.value not in ('null', '""', '[]', '{}') and c.after -> value.key is distinct from value.value
    group by 1, 2 order by 3 desc, 1, 2 limit ${MAX_FIELDS}`.execute(reader.context.db)
  return rows
}

const labelField = ({ table, field }: FieldCount): string => {
  const part = RECORD_PARTS[table]
  return `${part?.labels[field] ?? field} (${part?.title ?? table})`
}

interface DatedCount {
  readonly day: string
  readonly key: string
  readonly value: number
}

/** What falls into each month of a period, by key. */
const toMonths = (
  { begins }: Reader,
  found: readonly DatedCount[],
  from: string,
  to: string,
  combine: (values: number[]) => number | null,
): Flow[] =>
  listParts(from > begins ? from : begins, to, 'month').map((part) => {
    const own = found.filter(({ day }) => day >= part.from && day <= part.to)
    const sums = new Map<string, number>()
    for (const [key, items] of Map.groupBy(own, (one) => one.key)) {
      const value = combine(items.map((one) => one.value))
      if (value !== null) sums.set(key, value)
    }
    return [part.start, sums]
  })

const ANSWERS = { accepted: 'Accepted', declined: 'Declined' } as const

const readSuggestions = async (reader: Reader): Promise<readonly DatedCount[]> => {
  const { rows } = await sql<DatedCount>`
    select ${toDay(reader, sql`field."decidedAt"`)} as day, field.state as key, count(*)::int as value
    from proposal_field as field join proposal on proposal._id = field.proposal
    where field.state in ('accepted', 'declined') and ${isWithin(reader, sql`field."decidedAt"`, reader.before.from, reader.to)}
      and ${isRecordOfPlace(reader, sql`proposal.record`)}
    group by 1, 2`.execute(reader.context.db)
  return rows
}

const REQUESTS = { suggestion: 'Suggestions', change: 'Change requests', support: 'Support requests' } as const

const readAnswers = async (reader: Reader): Promise<readonly DatedCount[]> => {
  const { rows } = await sql<DatedCount>`
    select ${toDay(reader, sql`request."answeredAt"`)} as day, case when proposal._id is null then request.kind else 'suggestion' end as key,
      ${toDay(reader, sql`request."answeredAt"`)}::date - ${toDay(reader, sql`request."createdAt"`)}::date as value
    from request left join proposal on proposal._id = request._id
    where ${isWithin(reader, sql`request."answeredAt"`, reader.before.from, reader.to)}
      and ${isRecordOfPlace(reader, sql`coalesce(proposal.record, request.site)`)}`.execute(reader.context.db)
  return rows
}

const linkToRequests = (kind?: string): string => formatPath('/requests', { state: 'all', kind })
const linkToActivity = (reader: Reader, kind: string): string => formatPath('/activity', { kind, region: getRegionSlug(reader) })

/** Series without the days on which there is nothing to say. */
const withoutGaps = (flows: readonly Flow[], labels: Readonly<Record<string, string>>): InsightSeries[] =>
  toFlowSeries(flows, labels).map((one) => ({
    ...one,
    points: one.points.filter(({ on }) => flows.some(([day, sums]) => day === on && sums.has(one.key))),
  }))

export const TRUST_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'checked-share',
    group: 'Trust in the records',
    label: 'Checked in time',
    drawn: 'Percent of active and pending sites that were checked within the time set for them, at the end of each day',
    chart: 'lines',
    unit: 'percent',
    choices: PLACE_CHOICES,
    measure: async (reader) => getChecks(await readInterval(reader), reader.context.configuration.timeZone),
    read: async (reader, by) => {
      const interval = await readInterval(reader)
      const linkToDue = (of: Reader): string => linkToSites(of, { status: 'active', unchecked: String(interval) })
      const measure = getChecks(interval, reader.context.configuration.timeZone)
      const [checked, all, { now, earlier }] = await Promise.all([
        readOverTime(reader, { measure, only: { state: IN_TIME } }, by),
        readOverTime(reader, { measure }, by),
        readOverTime(reader, { measure }, 'state'),
      ])
      const toShare = (of: readonly InsightSeries[], parts: readonly InsightSeries[]): InsightSeries[] =>
        of.map((one) => ({
          ...one,
          points: one.points.map(({ on, value }) => {
            const part = parts.find(({ key }) => key === one.key)?.points.find((point) => point.on === on)?.value ?? 0
            return { on, value: toPercent(part, value) }
          }),
        }))
      const share = (sums: ReadonlyMap<string, number>): number => toPercent(sums.get(IN_TIME) ?? 0, sum(sums.values()))
      const difference = earlier && Math.round(10 * (share(now) - share(earlier))) / 10
      const compared =
        difference === null
          ? ''
          : difference === 0
            ? ', as in the period before'
            : `, ${formatNumber(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} points than in the period before`
      return {
        title: `${formatNumber(now.get(IN_TIME) ?? 0)} of ${formatCount(sum(now.values()), 'site')}${formatWhere(reader)} checked within ${formatNumber(interval)} days: ${formatNumber(share(now))}%${compared}`,
        series: await withLinks(toShare(all.series, checked.series), (key) => linkToDue(narrow(reader, by, key))),
        compared: all.compared && toShare(all.compared, checked.compared ?? []),
        link: linkToDue(reader),
        // The list knows what is due today.
        ...(reader.to < reader.today ? {} : { records: now.get('due') ?? 0 }),
      }
    },
  },
  {
    name: 'check-age',
    group: 'Trust in the records',
    label: 'Newest checks and changes',
    drawn: 'Days from the newest check, or change, of a site of the region to the last day',
    chart: 'ranks',
    unit: 'days',
    choices: { check: 'Newest check', change: 'Newest change' },
    read: async (reader, by) => {
      const newest = await (by === 'check' ? readNewestChecks(reader) : readNewestChanges(reader))
      const ages = new Map([...newest].map(([region, day]) => [region, countDays(day, reader.to)]))
      const series = toSeries(reader, 'region', [[reader.to, ages]])
      const [oldest] = series
      const noun = by === 'check' ? 'check' : 'change'
      return {
        title: oldest
          ? `Longest without a ${noun}: ${getLabel(reader, 'region', oldest.key)}, ${formatCount(oldest.points[0]?.value ?? 0, 'day')}`
          : `No ${noun}${formatWhere(reader)} yet`,
        series: await withLinks(series, (key) => linkToSites(narrow(reader, 'region', key), { status: 'active' })),
        link: linkToSites(oldest ? narrow(reader, 'region', oldest.key) : reader, { status: 'active' }),
      }
    },
  },
  {
    name: 'corrected-fields',
    group: 'Trust in the records',
    label: 'Fields most often corrected',
    drawn: 'How often a value was replaced by another one in the period',
    chart: 'ranks',
    unit: 'changes',
    capability: 'read a history',
    choices: {},
    read: async (reader) => {
      const counts = await readCorrections(reader)
      const [most] = counts
      return {
        title: most
          ? `Most often corrected${formatWhere(reader)}: ${labelField(most)}, ${formatCount(most.count, 'time')}`
          : `Nothing was corrected${formatWhere(reader)} in this period`,
        series: counts.map((one) => ({
          key: `${one.table}.${one.field}`,
          label: labelField(one),
          points: [{ on: reader.to, value: one.count }],
          link: linkToActivity(reader, getKindOfTable(one.table)),
        })),
        link: linkToActivity(reader, 'change'),
      }
    },
  },
  {
    name: 'suggestions',
    group: 'Trust in the records',
    label: 'Suggestions accepted',
    drawn: 'Suggested values that were accepted and declined, by month',
    chart: 'bars',
    unit: 'suggestions',
    capability: 'answer requests',
    choices: {},
    read: async (reader) => {
      const { from, to, before } = reader
      const found = await readSuggestions(reader)
      const [now, earlier] = [toMonths(reader, found, from, to, sum), toMonths(reader, found, before.from, before.to, sum)]
      const [accepted, declined] = [sumFlows(now, 'accepted') ?? 0, sumFlows(now, 'declined') ?? 0]
      const all = accepted + declined
      return {
        title:
          all === 0
            ? `No suggestion${formatWhere(reader)} was decided in this period`
            : `${formatNumber(accepted)} of ${formatCount(all, 'suggested value')}${formatWhere(reader)} accepted: ${formatNumber(toPercent(accepted, all))}%`,
        series: toFlowSeries(now, ANSWERS),
        compared: earlier.length > 0 ? toFlowSeries(earlier, ANSWERS) : null,
        link: linkToRequests('suggestion'),
      }
    },
  },
  {
    name: 'answer-days',
    group: 'Trust in the records',
    label: 'Days to an answer',
    drawn: 'Median days from a request to its answer, by the month of the answer',
    chart: 'bars',
    unit: 'days',
    capability: 'answer requests',
    choices: {},
    read: async (reader) => {
      const { from, to, before } = reader
      const found = await readAnswers(reader)
      const within = (first: string, last: string) => found.filter(({ day }) => day >= first && day <= last).map(({ value }) => value)
      const [now, earlier] = [getMedian(within(from, to)), getMedian(within(before.from, before.to))]
      const draw = (first: string, last: string) => withoutGaps(toMonths(reader, found, first, last, getMedian), REQUESTS)
      return {
        title:
          now === null
            ? `No request${formatWhere(reader)} was answered in this period`
            : `Requests${formatWhere(reader)} were answered within ${formatCount(now, 'day')} in the median${earlier === null ? '' : `; ${formatCount(earlier, 'day')} in the period before`}`,
        series: await withLinks(draw(from, to), linkToRequests),
        compared: before.to < reader.begins ? null : draw(before.from, before.to),
        link: linkToRequests(),
      }
    },
  },
]
