import { z } from 'zod'

import { can } from '../../contract/capabilities.ts'
import { DEADLINE_KINDS, DEADLINE_SOURCES, KIND_NAMES } from '../../contract/deadlines.ts'
import { getReadCapability } from '../../contract/records.ts'
import { createTextMatcher, normalizeText } from '../../contract/text-match.ts'
import { DeadlineState, listDeadlines } from '../../features/deadlines/deadlines/contract.ts'
import {
  type AssistantCaller,
  type AssistantTool,
  defineTool,
  offsetInput,
  type Toolbox,
} from '../../features/exchange/assistants/tools.server.ts'
import { readActivity } from '../../features/finding/activity/contract.ts'
import { ACTIVITY_RECORD_KINDS, ACTS } from '../../features/finding/activity/rules.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { type CoveredSite, listCoverage } from '../coverage/contract.ts'
import { InsightQuery, InsightSeries, listInsights, readInsight } from '../insights/contract.ts'
import { listReadableInsights } from '../insights/queries.server.ts'
import { createRecordTools, createResources, createWritingTools, dayInput, findPageUrl } from './record-tools.server.ts'

const text = z.string().nullable()
const placeInput = z.string().min(1).max(200).optional().describe('A site, city, state, charter or region, by name')
const roleInput = z.string().min(1).max(200).optional().describe('A role by name, such as Principal')

/** The items for which a text is exactly one of these; without any, those for which it is a part of one. */
const filterByText = <T>(
  items: readonly T[],
  typed: string | undefined,
  getTexts: (item: T) => readonly (string | null | undefined)[],
): T[] => {
  if (typed === undefined) return [...items]
  const wanted = normalizeText(typed.trim())
  const toTexts = (item: T) => getTexts(item).map((one) => normalizeText(one ?? ''))
  const exact = items.filter((item) => toTexts(item).includes(wanted))
  const isPart = createTextMatcher(typed)
  return exact.length > 0 ? exact : items.filter((item) => toTexts(item).some(isPart))
}

const getPlaceTexts = ({ _id, slug, displayName, city, state, region, charter }: CoveredSite) => [
  _id,
  slug,
  displayName,
  city,
  state,
  region?.name,
  region?.slug,
  charter?.name,
  charter?.slug,
]

const readCoverage = async ({ send }: AssistantCaller, place: string | undefined, day: string | undefined): Promise<CoveredSite[]> =>
  filterByText(await send(listCoverage, { on: day }), place, getPlaceTexts)

const siteItem = { site: z.string(), city: text, region: text, siteUrl: text }
const toSiteItem = (caller: AssistantCaller, { _id, slug, displayName, city, region }: CoveredSite) => ({
  site: displayName,
  city,
  region: region?.name ?? null,
  siteUrl: findPageUrl(caller, { kind: 'site', _id, slug }),
})

const whoHolds = defineTool({
  name: 'who_holds',
  title: 'Who holds a role',
  description:
    'Who holds which role where: “who is the principal in Lodi”. Leave out the role for everyone at a place, or the place for everyone with a role. With a day, who held it then.',
  scope: 'look_up',
  input: { role: roleInput, place: placeInput, day: dayInput, offset: offsetInput },
  item: z.object({ role: z.string(), person: z.string(), phone: text, email: text, personUrl: text, ...siteItem }),
  run: async (caller, { role, place, day, offset }) => {
    const held = (await readCoverage(caller, place, day)).flatMap((site) => site.people.map((one) => ({ site, ...one })))
    const items = filterByText(held, role, (one) => [one.role]).map(({ site, person, ...one }) => ({
      role: one.role,
      person: person.name,
      phone: person.phone,
      email: person.email,
      personUrl: findPageUrl(caller, { kind: 'person', _id: person._id, slug: person.slug }),
      ...toSiteItem(caller, site),
    }))
    return { heading: 'Who holds which role', items: items.slice(offset), offset, total: items.length }
  },
})

const vacancies = defineTool({
  name: 'vacancies',
  title: 'Vacant roles',
  description: 'Roles that no one holds, site by site, in all or by role and place. With a day, what was vacant then.',
  scope: 'look_up',
  input: { role: roleInput, place: placeInput, day: dayInput, offset: offsetInput },
  item: z.object({ role: z.string(), ...siteItem }),
  run: async (caller, { role, place, day, offset }) => {
    const vacant = (await readCoverage(caller, place, day)).flatMap((site) => site.vacant.map((name) => ({ site, name })))
    const items = filterByText(vacant, role, ({ name }) => [name]).map(({ site, name }) => ({ role: name, ...toSiteItem(caller, site) }))
    return { heading: 'Vacant roles', items: items.slice(offset), offset, total: items.length }
  },
})

/** The kinds of deadlines that come from texts which a level may read. */
const listDeadlineKinds = (level: number) =>
  KIND_NAMES.filter((kind) => DEADLINE_SOURCES.some((source) => source.kind === kind && can(level, getReadCapability(source.table))))

const createDeadlines = (level: number): AssistantTool => {
  const kinds = listDeadlineKinds(level)
  return defineTool({
    name: 'deadlines',
    title: 'Deadlines',
    description: `Dates that must not be missed, by date: ${kinds.map((kind) => DEADLINE_KINDS[kind].name.toLowerCase()).join(', ')}, and those that people added. “proposed” ones have a date that no one has confirmed: say so.`,
    scope: 'look_up',
    input: {
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      kind: z.enum(kinds as [(typeof kinds)[number], ...typeof kinds]).optional(),
      place: z.string().min(1).max(200).optional().describe('A part of the name of the site or charter, of the title or of the text'),
      region: z.string().min(1).max(200).optional().describe('The id or slug of a region'),
      responsible: z.string().min(1).max(200).optional().describe('The id of a person, me, or none'),
      state: DeadlineState.optional().describe('open by default'),
      offset: offsetInput,
    },
    item: z.object({
      title: z.string(),
      date: z.string(),
      kind: z.string(),
      state: z.string(),
      proposed: z.boolean(),
      about: text,
      responsible: text,
      text,
      note: text,
      url: text,
    }),
    run: async (caller, { from, to, kind, place, region, responsible, state = 'open', offset }) => {
      const found = await caller.send(listDeadlines, { query: { from, to, kind, q: place, region, responsible, state } })
      const items = found.map(({ title, date, kind: name, state: now, proposed, charter, site, responsible: person, source, note }) => ({
        title,
        date,
        kind: DEADLINE_KINDS[name].name,
        state: now,
        proposed,
        about: site?.name ?? charter?.name ?? null,
        responsible: person?.name ?? null,
        text: source?.text ?? null,
        note,
        url: site
          ? findPageUrl(caller, { kind: 'site', ...site })
          : charter && findPageUrl(caller, { kind: source === null ? 'charter' : source.record, _id: charter._id, slug: charter.slug }),
      }))
      return { heading: 'Deadlines by date', items: items.slice(offset), offset, total: items.length }
    },
  })
}

const createActivity = (level: number): AssistantTool => {
  const kinds = ACTIVITY_RECORD_KINDS.filter((kind) => can(level, getReadCapability(kind)))
  return defineTool({
    name: 'activity',
    title: 'What changed',
    description:
      'What changed in the records, who changed it and when, newest first, with the values before and after. Not everyone sees all changes: some people see those of their own sites and favorites. An entry has its first changes; `changeCount` says how many there are.',
    scope: 'look_up',
    input: {
      record: z.string().min(1).max(200).optional().describe('The id or slug of a record'),
      actor: z.string().min(1).max(200).optional().describe('Who changed it: a name, the id of a person, or me'),
      region: z.string().min(1).max(200).optional().describe('The id or slug of a region'),
      kind: z.enum([...ACTS, ...kinds]).optional(),
      day: z.iso.date().optional().describe('Only changes of this day'),
      search: z.string().min(1).max(200).optional().describe('A part of the name of a record or a person'),
      before: z.string().max(40).optional().describe('`next` of the answer before, for older changes'),
    },
    item: z.object({
      at: z.string(),
      by: text,
      act: z.string(),
      records: z.array(z.object({ kind: z.string(), name: z.string(), url: text })),
      changes: z.array(z.object({ part: z.string(), action: z.string(), field: z.string(), from: z.unknown(), to: z.unknown() })),
      changeCount: z.int(),
    }),
    run: async (caller, { search: q, ...filters }) => {
      const { entries, before } = await caller.send(readActivity, { query: { ...filters, q } })
      const items = entries.map(({ at, by, act, records, changes, changeCount }) => ({
        at,
        by,
        act,
        records: records.map((record) => ({ kind: record.kind, name: record.name, url: findPageUrl(caller, record) })),
        changes: changes.flatMap(({ part, action, fields }) =>
          fields.map(({ field, from, to, fromName, toName }) => ({ part, action, field, from: fromName ?? from, to: toName ?? to })),
        ),
        changeCount,
      }))
      const cursors = entries.map(({ _id }, at) => (at === entries.length - 1 ? before : _id))
      return { heading: 'Changes, newest first', items, cursors }
    },
  })
}

const insightItem = z.object({
  name: z.string(),
  finding: text,
  choices: z.array(z.string()).optional().describe('What `by` can be'),
  series: text,
  unit: text,
  ...InsightSeries.pick({ points: true, term: true, place: true }).shape,
  before: InsightSeries.shape.points.optional().describe('The points of the period before, of the same length'),
  url: text,
})

const createInsight = (level: number, publicUrl: string): AssistantTool =>
  defineTool({
    name: 'insight',
    title: 'What the records and their history say about the network',
    description:
      'Figures of the network over time, by name: growth, vacancies, students, leases. Without a name, all of them with what they found. Points are the state at the end of a day, or what happened in the time that begins on it.',
    scope: 'look_up',
    input: {
      name: z.enum(listReadableInsights(level).map(({ name }) => name)).optional(),
      by: InsightQuery.shape.by.describe('What the series are: one of the choices of the insight'),
      from: z.iso.date().optional().describe('A year before `to` by default'),
      to: z.iso.date().optional().describe('Today by default'),
      region: InsightQuery.shape.region.describe('The id or slug of a region'),
      brand: InsightQuery.shape.brand.describe('The id or slug of a brand'),
      charter: InsightQuery.shape.charter.describe('The id or slug of a charter'),
      type: InsightQuery.shape.type.describe('A facility type'),
      offset: offsetInput,
    },
    item: insightItem,
    run: async ({ send }, { name, by, offset, ...query }) => {
      if (name === undefined) {
        const all = await send(listInsights, { query })
        const items = all.map(({ name: one, title = null, choices, link = '' }) => ({
          name: one,
          finding: title,
          choices: choices.map(({ key }) => key),
          series: null,
          unit: null,
          points: [],
          url: publicUrl + link,
        }))
        return { heading: 'Insights and what they found', items: items.slice(offset), offset, total: items.length }
      }
      const { title, unit, series, compared, link } = await send(readInsight, { params: { name }, query: { ...query, by } })
      const before = new Map(compared?.series.map(({ key, points }) => [key, points]))
      const items = series.map(({ key, label, points, term, place, link: own }) => ({
        name,
        finding: title,
        series: label,
        unit,
        points,
        ...(before.has(key) && { before: before.get(key) }),
        ...(term && { term }),
        ...(place && { place }),
        url: publicUrl + (own ?? link),
      }))
      return { heading: 'The series of an insight', items: items.slice(offset), offset, total: items.length }
    },
  })

/** What assistants of someone with this level can use. */
export const createGetToolbox = ({ kinds, configuration }: AppContext): ((level: number) => Toolbox) => {
  const toolboxes = new Map<number, Toolbox>()
  return (level) => {
    const known = toolboxes.get(level)
    if (known) return known
    const tools = [
      ...createRecordTools(level, kinds),
      whoHolds,
      vacancies,
      createDeadlines(level),
      createActivity(level),
      createInsight(level, configuration.publicUrl),
      ...createWritingTools(level),
    ]
    const toolbox = { tools, resources: createResources(level, configuration.publicUrl) }
    toolboxes.set(level, toolbox)
    return toolbox
  }
}
