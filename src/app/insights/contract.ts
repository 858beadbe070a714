import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { byUuid, day, id, idOrSlug, text } from '../../contract/fields.ts'
import { filterText } from '../../contract/lists.ts'

/** The groups of insights, in the order of the page. */
export const INSIGHT_GROUPS = ['Sites', 'Staffing', 'Students', 'Leases', 'Charters', 'Trust in the records'] as const

/**
 * How an insight is drawn. `lines` and `areas` (stacked): the state at the end of each day. `bars`: what falls into the month, quarter or year that
 * begins on the day. `ranks`: one number for each series. `terms`: one `term` for each series. `map`: one `place` for each series. `table`: rows.
 */
export const CHARTS = ['lines', 'areas', 'bars', 'ranks', 'terms', 'map', 'table'] as const

const Point = z.strictObject({
  on: day,
  value: z.number(),
  /** What is at stake besides, in words: '$1.2M a month', '531K sq ft'. */
  stakes: z.array(z.string()).optional(),
  /** The list behind the value, as a path of the app. Of a state over time it is that of the series, with `on` of the day. */
  link: text.optional(),
})

export const InsightSeries = z.strictObject({
  key: z.string(),
  label: z.string(),
  points: z.array(Point),
  /** The list or record behind the series, as a path of the app. */
  link: text.optional(),
  place: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
  /** A charter's term, and the window in which its petition is to be submitted. */
  term: z.strictObject({ from: day.nullable(), to: day, windowFrom: day.nullable(), windowTo: day.nullable() }).optional(),
})
export type InsightSeries = z.infer<typeof InsightSeries>

const filterShape = {
  /** The first and last day; the year until today by default. What is counted at one moment is counted on the last day. */
  from: day.optional(),
  to: day.optional(),
  region: idOrSlug.optional(),
  brand: idOrSlug.optional(),
  charter: idOrSlug.optional(),
  /** A facility type. */
  type: filterText.optional(),
}
export const InsightFilter = z.strictObject(filterShape)
export type InsightFilter = z.infer<typeof InsightFilter>
/** What the series are, one of the `choices` of the insight. */
export const InsightQuery = InsightFilter.extend({ by: z.string().min(1).max(40).optional() })
export type InsightQuery = z.infer<typeof InsightQuery>

const declared = {
  name: z.string(),
  group: z.enum(INSIGHT_GROUPS),
  /** A short name: 'Vacant positions'. */
  label: z.string(),
  /** What is drawn, in one line. */
  drawn: z.string(),
  chart: z.enum(CHARTS),
  /** What the series can be, the default first; empty if there is no choice. */
  choices: z.array(z.strictObject({ key: z.string(), label: z.string() })),
}

const found = {
  /** The finding, as a sentence. */
  title: z.string(),
  /** The filtered list behind it, as a path of the app. */
  link: z.string(),
}

export const InsightSummary = z.strictObject({ ...declared, ...z.strictObject(found).partial().shape })
export type InsightSummary = z.infer<typeof InsightSummary>

export const Insight = z.strictObject({
  ...declared,
  ...found,
  by: text,
  unit: z.string(),
  from: day,
  to: day,
  series: z.array(InsightSeries),
  /** The period before, of the same length; null if the history begins later, or if there is nothing to compare. */
  compared: z.strictObject({ from: day, to: day, series: z.array(InsightSeries) }).nullable(),
  /** How many records the list behind it has; null if that is not known. */
  records: z.int().nullable(),
  /** The first day of the history: nothing before is drawn. */
  begins: day.nullable(),
})
export type Insight = z.infer<typeof Insight>

const byName = z.object({ name: z.string().min(1).max(60) })

export const listInsights = call('GET', '/api/insights', {
  capability: 'browse the directory',
  summary:
    'The insights that the caller may read, with their titles. `titles=no` leaves the titles out, which is faster; each insight has its title in its own answer.',
  query: InsightFilter.extend({ titles: z.literal('no').optional() }),
  response: z.array(InsightSummary),
})

export const readInsight = call('GET', '/api/insights/:name', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 300 },
  summary:
    'One insight: its finding, and the figures of each series. Every point equals what a list shows with `on` of its day. Insights of charter affairs need level 6, those of handled deadlines level 5.',
  params: byName,
  query: InsightQuery,
  response: Insight,
})

export const downloadInsight = call('GET', '/api/insights/:name/workbook', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 30 },
  summary: 'The figures of an insight as a workbook (.xlsx), for the readers of `GET /api/insights/{name}`. Each download is logged.',
  params: byName,
  query: InsightQuery,
  response: 'workbook',
})

/** An insight with its filters that an account has on the home page, or gets in the mail of the first day of each month. */
export const KeptInsight = z.strictObject({
  _id: id,
  place: z.enum(['home', 'mail']),
  name: z.string(),
  filter: InsightQuery,
})
export type KeptInsight = z.infer<typeof KeptInsight>

export const MAX_KEPT_INSIGHTS = 30

export const listKeptInsights = call('GET', '/api/account/insights', {
  capability: 'browse the directory',
  sessionOnly: true,
  shows: [],
  summary:
    'The insights that the caller has on the home page (`home`) or gets by mail on the first day of each month (`mail`), in their order.',
  response: z.array(KeptInsight),
})

export const keepInsight = call('POST', '/api/account/insights', {
  capability: 'browse the directory',
  sessionOnly: true,
  rateLimit: { perMinute: 60 },
  summary: `Adds an insight with its filters to the caller’s home page or monthly mail, at most ${MAX_KEPT_INSIGHTS} to each. One that is there already stays as it is.`,
  body: KeptInsight.omit({ _id: true }),
  response: KeptInsight,
})

export const deleteKeptInsight = call('DELETE', '/api/account/insights/:id', {
  capability: 'browse the directory',
  sessionOnly: true,
  rateLimit: { perMinute: 60 },
  summary: 'Removes an insight from the caller’s home page or monthly mail.',
  params: byUuid,
  response: 'nothing',
})
