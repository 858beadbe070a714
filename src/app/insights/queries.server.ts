import { sql } from 'kysely'

import { can } from '../../contract/capabilities.ts'
import { formatDay, subtractYear, toIsoDay } from '../../contract/dates.ts'
import { memoize } from '../../contract/memoize.ts'
import { invalidFields, notFound, Problem } from '../../contract/problem.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { ACTIVITY_PARTS } from '../exports/history.ts'
import { CHARTER_INSIGHTS } from './charters.server.ts'
import type { Insight, InsightFilter, InsightQuery, InsightSummary } from './contract.ts'
import { Figures } from './figures.server.ts'
import { readHistory } from './history.server.ts'
import { type InsightDeclaration, listChoices, listDrawn, type Reader, type Reading } from './insight.server.ts'
import { LEASE_INSIGHTS } from './leases.server.ts'
import { getPeriodBefore, listMonths, MAX_YEARS } from './rules.ts'
import { SITE_INSIGHTS } from './sites.server.ts'
import { STAFFING_INSIGHTS } from './staffing.server.ts'
import { STUDENT_INSIGHTS } from './students.server.ts'
import { TRUST_INSIGHTS } from './trust.server.ts'

const INSIGHTS: readonly InsightDeclaration[] = [
  ...SITE_INSIGHTS,
  ...STAFFING_INSIGHTS,
  ...STUDENT_INSIGHTS,
  ...LEASE_INSIGHTS,
  ...CHARTER_INSIGHTS,
  ...TRUST_INSIGHTS,
]

const refuse = (path: string, message: string): Problem => invalidFields([{ path, message }])

const readBegin = async ({ db, configuration }: AppContext): Promise<string | null> => {
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from change`.execute(db)
  return rows[0]?.at ? toIsoDay(rows[0].at, configuration.timeZone) : null
}

const toIds = ({ readModel }: AppContext, filter: InsightFilter): Reader['filter'] => {
  const find = (kind: 'region' | 'brand' | 'charter') => {
    const given = filter[kind]
    if (given === undefined) return {}
    const _id = readModel.findId(kind, given)
    if (_id === undefined) throw refuse(kind, 'Not found')
    return { [kind]: _id }
  }
  return { ...find('region'), ...find('brand'), ...find('charter'), ...(filter.type === undefined ? {} : { type: filter.type }) }
}

const createReader = async (context: AppContext, filter: InsightFilter): Promise<Reader> => {
  await context.readModel.ready()
  const today = getToday(context)
  const to = filter.to ?? today
  const from = filter.from ?? subtractYear(to)
  if (to > today) throw refuse('to', 'The day must not be in the future')
  if (from > to) throw refuse('from', 'The first day must not be after the last one')
  if (Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > MAX_YEARS)
    throw refuse('from', `The period must not be longer than ${MAX_YEARS} years`)
  const begins = (await readBegin(context)) ?? today
  return {
    context,
    figures: new Figures(context),
    filter: toIds(context, filter),
    from,
    to,
    today,
    before: getPeriodBefore(from, to),
    begins,
  }
}

const toSummary = (declaration: InsightDeclaration) => {
  const { name, group, label, drawn, chart } = declaration
  return { name, group, label, drawn, chart, choices: listChoices(declaration) }
}

/** The tables that insights read; others, such as of sessions, change all the time. */
const READ_TABLES = new Set([...Object.keys(ACTIVITY_PARTS), 'setting'])
const MAX_READINGS = 200

/** What was read last, until something changes that insights count. */
const getReadings = memoize((lists: AppContext['lists']) => {
  const readings = new Map<string, Promise<Reading>>()
  lists.onChange((tables) => {
    if (tables === 'any' || !READ_TABLES.isDisjointFrom(tables)) readings.clear()
  })
  return readings
})

const readDeclared = (declaration: InsightDeclaration, reader: Reader, by: string): Promise<Reading> => {
  const { context, figures: _figures, ...period } = reader
  // Nothing is known of a period that ends before the history begins.
  if (reader.to < reader.begins)
    return Promise.resolve({
      title: `${declaration.label}: the history begins on ${formatDay(reader.begins)}`,
      link: '/insights',
      series: [],
    })
  const readings = getReadings(context.lists)
  if (readings.size >= MAX_READINGS) readings.clear()
  // The revision is that of the records, which follow a change later than the other tables.
  const key = JSON.stringify([context.readModel.revision, context.configuration.timeZone, declaration.name, by, period])
  const reading = readings.get(key) ?? declaration.read(reader, by)
  readings.set(key, reading)
  reading.catch(() => readings.delete(key)) // the next request tries again
  return reading
}

const mayRead = ({ capability }: InsightDeclaration, level: number): boolean => capability === undefined || can(level, capability)

/** Whether an insight shows parts of charter affairs, of which the audit trail records who read them. */
export const isOfAffairs = (name: string): boolean => CHARTER_INSIGHTS.some((one) => one.name === name)

const getDefaultChoice = ({ choices }: InsightDeclaration): string => Object.keys(choices)[0] ?? ''

const listDeclared = (level: number): readonly InsightDeclaration[] => INSIGHTS.filter((declaration) => mayRead(declaration, level))

/** The insights that a level may read. */
export const listReadableInsights = (level: number): InsightSummary[] => listDeclared(level).map(toSummary)

/** The same with their titles. */
export const listFindings = async (context: AppContext, level: number, filter: InsightFilter): Promise<InsightSummary[]> => {
  const reader = await createReader(context, filter)
  return Promise.all(
    listDeclared(level).map(async (declaration) => {
      const { title, link } = await readDeclared(declaration, reader, getDefaultChoice(declaration))
      return { ...toSummary(declaration), title, link }
    }),
  )
}

/** One insight. Throws 404 for an unknown one, 403 for one that the level may not read. */
export const readInsightOf = async (context: AppContext, level: number, name: string, query: InsightQuery): Promise<Insight> => {
  const { by: given, ...filter } = query
  const declaration = INSIGHTS.find((one) => one.name === name)
  if (!declaration) throw notFound('Insight')
  if (!mayRead(declaration, level)) throw new Problem(403, 'You may not read this insight')
  if (given !== undefined && !Object.hasOwn(declaration.choices, given))
    throw refuse('by', `Must be one of: ${Object.keys(declaration.choices).join(', ') || 'nothing, there is no choice'}`)
  const by = given ?? getDefaultChoice(declaration)
  const reader = await createReader(context, filter)
  const {
    series,
    compared = null,
    records = null,
    unit = declaration.unit,
    chart = declaration.chart,
    title,
    link,
  } = await readDeclared(declaration, reader, by)
  return {
    ...toSummary(declaration),
    chart,
    title,
    link,
    by: by || null,
    unit,
    from: reader.from,
    to: reader.to,
    series: [...series],
    compared: compared && { ...reader.before, series: [...compared] },
    records,
    begins: reader.begins,
  }
}

/**
 * Reads the history, and counts the days that are asked for most, so that no one waits for that: those of the last year, of the year before, and the
 * first of each month.
 */
export const prepareInsights = async (context: AppContext, stopping: AbortSignal): Promise<void> => {
  await readHistory(context)
  const reader = await createReader(context, {})
  const { begins, from, to, before, today, figures } = reader
  const days = new Set([...listDrawn(reader, from, to), ...listDrawn(reader, before.from, before.to), ...listMonths(begins, today)])
  for (const { measure } of INSIGHTS) if (measure && !stopping.aborted) await figures.keep(await measure(reader), [...days])
}
