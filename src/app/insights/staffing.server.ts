import { formatShortDay } from '../../contract/dates.ts'
import { formatCount, formatNumber } from '../../contract/format.ts'
import { compareTexts } from '../../contract/lists.ts'
import { buildPagePath } from '../../contract/pages.ts'
import { EXPECTED_ROLES, findVacantRoles } from '../../contract/roles.ts'
import { addDays, countDays } from '../../features/deadlines/deadlines/rules.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import type { CountedRow } from './event-log.server.ts'
import { findSite, listOpenSites, type Place } from './figures.server.ts'
import { listRecords, matches, readFlows, sumFlows, toFlowSeries } from './flows.server.ts'
import { type Rows, walkHistory } from './history.server.ts'
import {
  formatDifference,
  formatPath,
  formatWhere,
  getLinkDay,
  getRegionSlug,
  type InsightDeclaration,
  linkToCoverage,
  linkToNamed,
  linkToPeople,
  linkToSites,
  listBehind,
  nameSite,
  nameSites,
  narrow,
  PLACE_CHOICES,
  readDay,
  type Reader,
  readOverTime,
  sum,
  toSeries,
  withLinks,
  withPointLinks,
} from './insight.server.ts'
import { listHolders, listRoles, LOAD, LOAD_ROLES, POSITIONS } from './positions.server.ts'
import { getMedian, listParts } from './rules.ts'

type Role = (typeof EXPECTED_ROLES)[number]

interface Vacancy {
  readonly site: string
  readonly role: string
  readonly place: Place
  /** The day on which the last person in the role was removed, or on which the site was added. */
  since: string
}

/** The vacant positions of the last day, longest first, with how long each has stood vacant. */
const readVacancies = async (reader: Reader): Promise<readonly Vacancy[]> => {
  const { to, begins } = reader
  const vacancies = new Map<string, Vacancy>()
  const open = new Map<string, Set<Vacancy>>()
  let roleNames = new Map<string, string>()
  const close = (vacancy: Vacancy | undefined, day: string): void => {
    if (!vacancy || !open.get(vacancy.site)?.delete(vacancy)) return
    vacancy.since = day
  }
  await walkHistory(reader.context, {
    of: ['staff'],
    days: to > begins ? [to, begins] : [to],
    onDay: async (day, rows) => {
      if (day !== to) return
      const rest = createTimeSlices()
      const roles = listRoles(rows)
      roleNames = new Map([...rows.tables.role].map(([_id, { name }]) => [_id, name]))
      for (const { key, site, place } of listOpenSites(rows)) {
        await rest()
        if (!matches(reader, place)) continue
        const holders = listHolders(rows, key)
        for (const role of findVacantRoles(roles, site.category, (name) => holders.has(name))) {
          const vacancy = { site: key, role, place, since: begins }
          vacancies.set(`${key} ${role}`, vacancy)
          open.set(key, (open.get(key) ?? new Set()).add(vacancy))
        }
      }
    },
    onEvent: ({ table, key, day, before }) => {
      if (day > to) return
      if (table === 'site_person' && before !== null) {
        const { site, role } = before as CountedRow<'site_person'>
        close(vacancies.get(`${site} ${roleNames.get(role)}`), day)
      } else if (table === 'site' && before === null) for (const vacancy of open.get(key) ?? []) close(vacancy, day)
    },
  })
  const toOrder = ({ since, site, role }: Vacancy): string => `${since} ${site} ${role}`
  return [...vacancies.values()].toSorted((a, b) => (toOrder(a) < toOrder(b) ? -1 : 1))
}

const AGES = [
  ['month', 'Less than a month', 30],
  ['quarter', 'One to three months', 91],
  ['half', 'Three to six months', 182],
  ['year', 'Six to twelve months', 365],
  ['longer', 'More than a year', Number.POSITIVE_INFINITY],
] as const
const HALF_A_YEAR = 182
const MAX_LISTED = 50

const nameVacancy = (reader: Reader, { role, site }: Vacancy): string =>
  `${role} of ${reader.context.readModel.table('site').get(site)?.displayName ?? 'a site that was removed'}`

const linkToStaff = (reader: Reader, site: string): string =>
  formatPath(buildPagePath('/location/staff/$slug', reader.context.readModel.table('site').get(site)?.slug ?? site), {
    on: getLinkDay(reader),
  })

const MOVES = { joined: 'Joined', moved: 'Moved', left: 'Left' } as const
type Move = keyof typeof MOVES

type Position = CountedRow<'site_person'>

/** The sites and roles of a person at places that pass the filters. */
const takePositions =
  (reader: Reader) =>
  (rows: Rows, person: string): readonly Position[] | undefined => {
    if (rows.tables.person.get(person)?.archivedAt) return undefined
    const positions = rows.positionsOfPerson.get(person).filter(({ site }) => {
      const place = findSite(rows, site)?.place
      return place && matches(reader, place)
    })
    return positions.length === 0 ? undefined : positions
  }

function* listMoved({ touched, positionsOfSite }: Rows): Generator<string> {
  yield* touched.person
  for (const site of touched.place) for (const { person } of positionsOfSite.get(site)) yield person
}

const isSame = (a: Position, b: Position): boolean => a === b || (a.site === b.site && a.role === b.role)

const findMove = (before: readonly Position[] | undefined, after: readonly Position[] | undefined): Move | undefined => {
  if (!before || !after) return after ? 'joined' : before && 'left'
  const isEqual = before.length === after.length && after.every((one) => before.some((other) => isSame(one, other)))
  return isEqual ? undefined : 'moved'
}

const TURNOVER_DAYS = 365

export const STAFFING_INSIGHTS: readonly InsightDeclaration[] = [
  {
    name: 'vacancies',
    group: 'Staffing',
    label: 'Vacant positions',
    drawn: 'Vacant positions of active and pending sites at the end of each day',
    chart: 'lines',
    unit: 'positions',
    choices: { role: 'By role', ...PLACE_CHOICES },
    measure: () => POSITIONS,
    read: async (reader, by) => {
      const role: Role = 'Principal'
      const only = { state: 'vacant' }
      const [{ series, compared }, { now, earlier }] = await Promise.all([
        readOverTime(reader, { measure: POSITIONS, only }, by),
        readOverTime(reader, { measure: POSITIONS, only: { role } }, 'state'),
      ])
      const vacant = now.get('vacant') ?? 0
      return {
        title: `Principals${formatWhere(reader)}: ${formatNumber(vacant)} of ${formatCount(sum(now.values()), 'position')} vacant${formatDifference(vacant, earlier && (earlier.get('vacant') ?? 0), reader)}`,
        series: await withLinks(series, (key) => (by === 'role' ? linkToVacant(reader, key) : linkToVacant(narrow(reader, by, key)))),
        compared,
        link: linkToVacant(reader, role),
        records: vacant,
      }
    },
  },
  {
    name: 'vacancy-age',
    group: 'Staffing',
    label: 'How long positions stand vacant',
    drawn: 'Vacant positions on the last day, by the time since someone was last in the role, or since the site was added',
    chart: 'ranks',
    unit: 'positions',
    choices: { age: 'By time', position: 'By position' },
    read: async (reader, by) => {
      const { to, today } = reader
      const vacancies = await readVacancies(reader)
      const getDays = ({ since }: Vacancy): number => countDays(since, to)
      const [longest] = vacancies
      const old = vacancies.filter((vacancy) => getDays(vacancy) > HALF_A_YEAR).length
      return {
        title:
          longest === undefined
            ? `No position${formatWhere(reader)} is vacant`
            : `${formatNumber(old)} of ${formatCount(vacancies.length, 'vacant position')}${formatWhere(reader)} ${old === 1 ? 'is' : 'are'} vacant for more than half a year, the longest since ${formatShortDay(longest.since, today)}`,
        unit: by === 'position' ? 'days' : 'positions',
        series:
          by === 'position'
            ? vacancies.slice(0, MAX_LISTED).map((vacancy) => ({
                key: `${vacancy.site} ${vacancy.role}`,
                label: nameVacancy(reader, vacancy),
                points: [{ on: to, value: getDays(vacancy) }],
                link: linkToStaff(reader, vacancy.site),
              }))
            : AGES.map(([key, label, most], at) => {
                const least = AGES[at - 1]?.[2] ?? -1
                const found = vacancies.filter((vacancy) => getDays(vacancy) > least && getDays(vacancy) <= most)
                const sites = nameSites(
                  reader,
                  found.map(({ site }) => site),
                )
                return { key, label, points: [{ on: to, value: found.length }], link: linkToNamed(reader, '/locations', sites) ?? null }
              }),
        link: linkToVacant(reader),
        records: new Set(vacancies.map(({ site }) => site)).size,
      }
    },
  },
  {
    name: 'staff-moves',
    group: 'Staffing',
    label: 'Who joined, moved and left',
    drawn: 'People who had a position at the end of a quarter and none before it, another one, or no longer one',
    chart: 'bars',
    unit: 'people',
    choices: { change: 'Joined, moved, left', joined: 'Joined, by role', moved: 'Moved, by role', left: 'Left, by role' },
    read: async (reader, by) => {
      const [now, earlier] = await readFlows(reader, 'quarter', {
        of: ['staff'],
        listAll: (rows) => new Set(rows.tables.site_person.values().map(({ person }) => person)),
        listTouched: listMoved,
        take: takePositions(reader),
        compare: (before, after, add) => {
          const move = findMove(before, after)
          if (move === undefined) return
          add(move)
          const [first] = after ?? before ?? []
          if (move === by) add(`role ${reader.context.readModel.table('role').get(first?.role ?? null)?.name ?? ''}`)
        },
      })
      const toRoles = (flows: typeof now) =>
        flows.map(
          ([on, sums]) =>
            [on, new Map([...sums].flatMap(([key, value]) => (key.startsWith('role ') ? [[key.slice(5), value]] : [])))] as const,
        )
      const draw = (flows: typeof now) => (by === 'change' ? toFlowSeries(flows, MOVES) : toSeries(reader, 'role', toRoles(flows)))
      // People who left are listed on the day before the quarter.
      const getDay = (move: string, start: string): string =>
        (move === 'left'
          ? [start, reader.from, addDays(reader.begins, 1)]
              .toSorted()
              .map((day) => addDays(day, -1))
              .at(-1)
          : listParts(start, reader.to, 'quarter')[0]?.to) ?? reader.to
      const linkTo = (key: string, start: string) =>
        by === 'change'
          ? linkToPeople(reader, listRecords(now, key, start), getDay(key, start))
          : linkToPeople(reader, listRecords(now, `role ${key}`, start), getDay(by, start))
      const [joined, moved, left] = (['joined', 'moved', 'left'] as const).map((move) => sumFlows(now, move) ?? 0)
      const leftBefore = sumFlows(earlier, 'left')
      return {
        title: `${formatCount(joined ?? 0, ['person', 'people'])} joined${formatWhere(reader)}, ${formatNumber(moved ?? 0)} moved and ${formatNumber(left ?? 0)} left${leftBefore === null ? '' : `; ${formatNumber(leftBefore)} left in the period before`}`,
        series: withPointLinks(draw(now), linkTo),
        compared: earlier && draw(earlier),
        link: linkToCoverage(reader, { status: 'active' }),
      }
    },
  },
  {
    name: 'site-load',
    group: 'Staffing',
    label: 'Sites per person',
    drawn: 'Active and pending sites of each person in the role on the last day',
    chart: 'ranks',
    unit: 'sites',
    choices: LOAD_ROLES,
    read: async (reader, by) => {
      const sums = (await readDay(reader, { measure: LOAD, only: { role: by } }, 'person', reader.to)) ?? new Map<string, number>()
      const series = toSeries(reader, 'person', [[reader.to, sums]], sums.size).map((one) => ({
        ...one,
        link: linkToPerson(reader, one.key),
      }))
      const [most] = series
      const least = series.at(-1)
      const plural = LOAD_ROLES[by as keyof typeof LOAD_ROLES]
      return {
        title:
          most === undefined || least === undefined
            ? `No ${by}${formatWhere(reader)}`
            : `${plural}${formatWhere(reader)}: ${formatCount(getMedian([...sums.values()]) ?? 0, 'site')} in the median, from ${formatNumber(least.points[0]?.value ?? 0)} to ${formatNumber(most.points[0]?.value ?? 0)} (${most.label})`,
        series: series.slice(0, MAX_LISTED),
        link: formatPath('/leadership', { role: by, region: getRegionSlug(reader), on: getLinkDay(reader) }),
        // People are not listed by other places.
        ...(hasOtherPlaces(reader) ? {} : { records: sums.size }),
      }
    },
  },
  {
    name: 'principal-changes',
    group: 'Staffing',
    label: 'Principal changed twice',
    drawn: 'Sites that got a new principal at least twice in the year until the last day',
    chart: 'table',
    unit: 'changes',
    choices: {},
    read: async (reader) => {
      const { to, begins, context, before } = reader
      const since = addDays(to, -TURNOVER_DAYS)
      const found = await readPrincipalChanges(reader, to)
      const earlier = before.to < begins ? null : await readPrincipalChanges(reader, before.to)
      const sites = [...found].toSorted(
        ([a, times], [b, others]) => others - times || compareTexts(nameSite(context, a), nameSite(context, b)),
      )
      return {
        title: `${formatCount(sites.length, 'site')}${formatWhere(reader)} changed ${sites.length === 1 ? 'its' : 'their'} principal twice or more since ${formatShortDay(since, reader.today)}${formatDifference(sites.length, earlier && earlier.size, reader)}`,
        series: sites.map(([site, times]) => ({
          key: site,
          label: nameSite(context, site),
          points: [{ on: to, value: times }],
          link: linkToStaff(reader, site),
        })),
        ...listBehind(reader, '/locations', nameSites(reader, found.keys()), linkToSites(reader, { status: 'active' })),
      }
    },
  },
]

/** Whether a filter is used that lists of positions and people do not have. */
const hasOtherPlaces = ({ filter: { region, brand, charter, type } }: Reader): boolean =>
  region === '' || [brand, charter, type].some((value) => value !== undefined)

/** The sites where a role is vacant, or any: on the board of positions, or in the list of sites, which has more filters. */
const linkToVacant = (reader: Reader, role?: string): string =>
  hasOtherPlaces(reader)
    ? linkToSites(reader, {
        status: 'active',
        where: [{ key: 'vacant', operator: role === undefined ? 'is not empty' : 'contains', values: role === undefined ? [] : [role] }],
      })
    : linkToCoverage(reader, { role: role ?? EXPECTED_ROLES.join(','), empty: '1', status: 'active' })

const linkToPerson = (reader: Reader, person: string): string | null => {
  const slug = reader.context.readModel.table('person').get(person)?.slug
  return slug === undefined ? null : formatPath(buildPagePath('/staff/$slug', slug), { on: getLinkDay(reader) })
}

/** How often each open site got a new principal in the year until a day, if at least twice. The first principal of a site does not count. */
const readPrincipalChanges = async (reader: Reader, to: string): Promise<ReadonlyMap<string, number>> => {
  const since = addDays(to, -TURNOVER_DAYS)
  const from = since > reader.begins ? since : reader.begins
  const found = new Map<string, number>()
  const sites = new Set<string>()
  const people = new Map<string, string>()
  let principal: string | undefined
  if (to <= from) return found
  await walkHistory(reader.context, {
    of: ['staff'],
    days: [to, from],
    onDay: (day, rows) => {
      if (day === to) {
        principal = [...rows.tables.role].find(([, { name }]) => name === 'Principal')?.[0]
        for (const { key, place } of listOpenSites(rows)) if (matches(reader, place)) sites.add(key)
      } else for (const site of found.keys()) if (!hadPrincipal(rows, site)) found.set(site, (found.get(site) ?? 0) - 1)
      for (const [site, times] of day === to ? [] : found) if (times < 2) found.delete(site)
    },
    onEvent: ({ table, day, before }, after) => {
      if (table !== 'site_person' || day > to || after === undefined) return
      const [was, is] = [before as CountedRow<'site_person'> | null, after as CountedRow<'site_person'>]
      const isSame = was !== null && was.person === is.person && was.role === is.role && was.site === is.site
      if (isSame || is.role !== principal || !sites.has(is.site)) return
      // A position that was removed and restored is none of a new person.
      if (people.get(is.site) === is.person) return
      people.set(is.site, is.person)
      found.set(is.site, (found.get(is.site) ?? 0) + 1)
    },
  })
  return found
}

const hadPrincipal = (rows: Rows, site: string): boolean => listHolders(rows, site).has('Principal')
