import { sql } from 'kysely'

import { createDayFormat, formatShortDay } from '../../contract/dates.ts'
import { DEADLINE_KINDS, KIND_NAMES } from '../../contract/deadlines.ts'
import { formatCount, formatNumber } from '../../contract/format.ts'
import { compareTexts } from '../../contract/lists.ts'
import { readDay } from '../../contract/read-day.ts'
import { getRecordPath } from '../../contract/records.ts'
import { isActive } from '../../contract/status.ts'
import { selectRowsBefore } from '../../database/past-rows.server.ts'
import { type DeadlineOutcome, listDeadlineOutcomes } from '../../features/deadlines/deadlines/queries.server.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import type { InsightSeries } from './contract.ts'
import { type Flow, sumFlows, toFlowSeries } from './flows.server.ts'
import {
  formatPath,
  formatWhere,
  getLinkDay,
  getRegionSlug,
  type InsightDeclaration,
  linkToNamed,
  listBehind,
  PLACE_CHOICES,
  type Reader,
  sum,
  toSeries,
  withLinks,
  withPointLinks,
} from './insight.server.ts'
import { findPetitionWindow, listParts } from './rules.ts'

const [PETITION_WINDOW_DAYS] = DEADLINE_KINDS.petition.leadDays
const formatMonth = createDayFormat({ month: 'short', year: 'numeric' })

interface Term {
  readonly charter: string
  readonly name: string
  readonly brand: string
  readonly region: string
  readonly authorizer: string
  readonly from: string | null
  readonly to: string
  /** The window of the next petition: between the dates that the affair names, or before the only one. */
  readonly window: readonly [from: string, to: string] | null
}

/** The context of the last day of the period. */
const getContext = ({ context, to, today }: Reader): Promise<AppContext> | AppContext => (to < today ? context.asOf(to) : context)

const isOfPlace = ({ filter }: Reader, { readModel }: AppContext, { charter, site, region }: DeadlineOutcome['deadline']): boolean => {
  const row = readModel.table('site').get(site?._id ?? null)
  const ofCharter = charter?._id ?? row?.charter ?? null
  return (
    (filter.region === undefined || region?._id === filter.region) &&
    (filter.charter === undefined || ofCharter === filter.charter) &&
    (filter.brand === undefined || readModel.table('charter').get(ofCharter)?.brand === filter.brand) &&
    (filter.type === undefined || row === undefined || row.category === filter.type)
  )
}

interface AffairTexts {
  readonly charter: string
  readonly authorizer: string | null
  readonly begins: string | null
}

/** The terms of active charters that have an end, first to end first. */
const readTerms = async (reader: Reader): Promise<Term[]> => {
  const context = await getContext(reader)
  const { db, readModel, before } = context
  const outcomes = await listDeadlineOutcomes(context, null, reader.to)
  const { rows } = await sql<AffairTexts>`
    select charter, coalesce(nullif(overview ->> 'authorizer', ''), charter_terms ->> 'authorizer') as authorizer,
      overview ->> 'charter_start_date' as begins
    from ${before ? sql`(${selectRowsBefore('charter_affair', before)})` : sql`charter_affair`} as t`.execute(db)
  const affairs = new Map(rows.map((row) => [row.charter, row]))
  const terms = new Map<string, Term>()
  const petitions = new Map<string, string[]>()
  for (const { deadline } of outcomes) {
    const row = readModel.table('charter').get(deadline.charter?._id ?? null)
    if (!row || !isActive(row.status) || !isOfPlace(reader, context, deadline)) continue
    const { date, kind, state, region } = deadline
    if (kind === 'petition' && state !== 'handled') petitions.set(row._id, [...(petitions.get(row._id) ?? []), date])
    if (kind !== 'charter_term' || date < (terms.get(row._id)?.to ?? '')) continue
    const affair = affairs.get(row._id)
    terms.set(row._id, {
      charter: row._id,
      name: row.name,
      brand: row.brand,
      region: region?._id ?? '',
      authorizer: affair?.authorizer ?? '',
      from: readDay(affair?.begins ?? '') ?? null,
      to: date,
      window: null,
    })
  }
  return [...terms.values()]
    .map((term) => ({ ...term, window: findPetitionWindow(petitions.get(term.charter)?.toSorted() ?? [], PETITION_WINDOW_DAYS) }))
    .toSorted((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : compareTexts(a.name, b.name)))
}

/** As many as colors tell apart, and one for the others. */
const MAX_PARTIES = 7

const OUTCOMES = { 'in time': 'In time', late: 'Late', missed: 'Missed' } as const
type Outcome = keyof typeof OUTCOMES

/** Whether a deadline was handled in time; undefined while its day has not passed. */
const getOutcome = ({ deadline, handled, outcome }: DeadlineOutcome): Outcome | undefined => {
  if (outcome === 'ahead') return undefined
  if (outcome === 'kept') return 'in time'
  return handled !== null && handled.day > deadline.date ? 'late' : 'missed'
}

const linkToDeadlines = (reader: Reader, search: Readonly<Record<string, string | undefined>>): string => {
  const { readModel } = reader.context
  const { brand, charter } = reader.filter
  return formatPath('/deadlines', {
    ...search,
    region: getRegionSlug(reader),
    brand,
    charter: charter && readModel.table('charter').get(charter)?.slug,
  })
}

const nameCharters = (terms: readonly Term[]): string[] => terms.map(({ name }) => name)
const listTerms = (reader: Reader, terms: readonly Term[]) =>
  listBehind(reader, '/charters', nameCharters(terms), linkToDeadlines(reader, { kind: 'charter_term' }))

/** The deadlines of a series: the list has those that are handled, and those that are not. */
const linkToOutcomes = (reader: Reader, by: string, key: string): string =>
  linkToDeadlines(reader, {
    state: by === 'outcome' ? (key === 'missed' ? 'open' : 'handled') : 'all',
    ...(by === 'kind' ? { kind: KIND_NAMES.find((kind) => DEADLINE_KINDS[kind].name === key) } : {}),
    ...(by === 'person' ? { responsible: key || 'none' } : {}),
  })

export const CHARTER_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'charter-terms',
    group: 'Charters',
    label: 'Charter terms',
    drawn: `Terms of active charters on the last day, with the time between the dates of their petition, or the ${PETITION_WINDOW_DAYS} days before its only date`,
    chart: 'terms',
    unit: 'charters',
    capability: 'read a charter affair',
    choices: {},
    read: async (reader) => {
      const { to, today, context } = reader
      const terms = await readTerms(reader)
      const inAYear = addDays(to, 365)
      const soon = terms.filter((term) => term.to >= to && term.to <= inAYear).length
      const open = terms.filter(({ window }) => window !== null && window[0] <= to && window[1] >= to).length
      return {
        title: `${formatNumber(soon)} of ${formatCount(terms.length, 'charter term')}${formatWhere(reader)} ${soon === 1 ? 'ends' : 'end'} within a year of ${formatShortDay(to, today)}; ${formatCount(open, 'petition window')} ${open === 1 ? 'is' : 'are'} open`,
        series: terms.map((term): InsightSeries => {
          const slug = context.readModel.table('charter').get(term.charter)?.slug ?? term.charter
          return {
            key: term.charter,
            label: term.name,
            points: [{ on: term.to, value: 1 }],
            link: formatPath(getRecordPath({ kind: 'charter_affair', slug }), { on: getLinkDay(reader) }),
            term: {
              from: term.from,
              to: term.to,
              windowFrom: term.window?.[0] ?? null,
              windowTo: term.window?.[1] ?? null,
            },
          }
        }),
        ...listTerms(reader, terms),
      }
    },
  },
  {
    name: 'charter-expirations',
    group: 'Charters',
    label: 'Expirations by year',
    drawn: 'Terms of active charters on the last day, by the year in which they end',
    chart: 'bars',
    unit: 'charters',
    capability: 'read a charter affair',
    choices: { authorizer: 'By authorizer', brand: PLACE_CHOICES.brand, region: PLACE_CHOICES.region },
    read: async (reader, by) => {
      const terms = await readTerms(reader)
      const choice = by as 'authorizer' | 'brand' | 'region'
      const ofYears = Map.groupBy(terms, ({ to }) => `${to.slice(0, 4)}-01-01`)
      const listOf = (year: string): readonly Term[] => ofYears.get(year) ?? []
      const years = [...ofYears].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const sums = years.map(([year, own]) => {
        const counts = new Map<string, number>()
        for (const term of own) {
          const key = term[choice]
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
        return [year, counts] as const
      })
      const [most] = sums
        .filter(([year]) => year.slice(0, 4) >= reader.to.slice(0, 4))
        .toSorted(([, a], [, b]) => sum(b.values()) - sum(a.values()))
      return {
        title: most
          ? `Charters${formatWhere(reader)}: most terms, ${formatNumber(sum(most[1].values()))} of ${formatNumber(terms.length)}, end in ${most[0].slice(0, 4)}`
          : `No charter term${formatWhere(reader)} ends after ${formatMonth(reader.to)}`,
        series: withPointLinks(toSeries(reader, by, sums, MAX_PARTIES), (key, on) =>
          linkToNamed(reader, '/charters', nameCharters(listOf(on).filter((term) => term[choice] === key))),
        ),
        ...listTerms(reader, most ? listOf(most[0]) : []),
      }
    },
  },
  {
    name: 'deadlines-handled',
    group: 'Charters',
    label: 'Deadlines in time, late, missed',
    drawn: 'Deadlines by the quarter of their date: handled by then, later, or not until the last day',
    chart: 'bars',
    unit: 'deadlines',
    capability: 'manage deadlines',
    choices: { outcome: 'In time, late, missed', kind: 'Late and missed, by kind', person: 'Late and missed, by responsible person' },
    read: async (reader, by) => {
      const { before, begins, to } = reader
      const context = await getContext(reader)
      const found = (await listDeadlineOutcomes(context, null, to))
        .filter(({ deadline }) => isOfPlace(reader, context, deadline))
        .flatMap((one) => {
          const outcome = getOutcome(one)
          const { date, kind, responsible } = one.deadline
          return outcome === undefined ? [] : [{ date, outcome, kind, person: responsible?._id ?? '' }]
        })
      const toQuarters = (from: string, until: string): Flow[] =>
        listParts(from > begins ? from : begins, until, 'quarter').map((part) => {
          const sums = new Map<string, number>()
          for (const { date, outcome, kind, person } of found) {
            if (date < part.from || date > part.to) continue
            const isShown = by === 'outcome' || outcome !== 'in time'
            const key = by === 'outcome' ? outcome : by === 'kind' ? DEADLINE_KINDS[kind].name : person
            if (isShown) sums.set(key, (sums.get(key) ?? 0) + 1)
            sums.set(`all ${outcome}`, (sums.get(`all ${outcome}`) ?? 0) + 1)
          }
          return [part.start, sums]
        })
      const withoutTotals = (flows: readonly Flow[]) =>
        flows.map(([on, sums]) => [on, new Map([...sums].filter(([key]) => !key.startsWith('all ')))] as const)
      const draw = (flows: readonly Flow[]) =>
        by === 'outcome' ? toFlowSeries(flows, OUTCOMES) : toSeries(reader, by, withoutTotals(flows))
      const [now, earlier] = [toQuarters(reader.from, to), toQuarters(before.from, before.to)]
      const count = (outcome: Outcome): number => sumFlows(now, `all ${outcome}`) ?? 0
      const all = count('in time') + count('late') + count('missed')
      return {
        title:
          all === 0
            ? `No deadlines${formatWhere(reader)} in this period`
            : `${formatNumber(count('in time'))} of ${formatCount(all, 'deadline')}${formatWhere(reader)} handled in time, ${formatNumber(count('late'))} late and ${formatNumber(count('missed'))} missed`,
        series: await withLinks(draw(now), (key) => linkToOutcomes(reader, by, key)),
        compared: earlier.length > 0 ? draw(earlier) : null,
        link: linkToDeadlines(reader, { state: 'all' }),
      }
    },
  },
]
