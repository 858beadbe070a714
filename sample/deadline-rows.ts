import { DEADLINE_SOURCES, type DeadlineKind, findSource } from '../src/contract/deadlines.ts'
import { readDate } from '../src/features/deadlines/deadlines/read-date.ts'
import { countDays } from '../src/features/deadlines/deadlines/rules.ts'
import { DEADLINE_SETTINGS, type StoredDeadlineSettings } from '../src/features/deadlines/deadlines/settings.server.ts'
import { getOfficeId } from './accounts.ts'
import { createAffairFacts } from './affair-facts.ts'
import type { AffairRows } from './affair-rows.ts'
import { toIsoDay } from './calendar.ts'
import type { PlannedCharter, PlannedSite, Plan } from './plan.ts'
import { createRandom, generateId } from './random.ts'
import type { Row } from './rows.ts'

type DeadlineRow = Row<'deadline'>

const NOTHING = {
  title: null,
  subject: null,
  snoozedUntil: null,
  note: null,
  responsible: null,
  isByHand: false,
  isIgnored: false,
  isCurrent: true,
  yearly: false,
  state: 'open',
} as const

const HANDLED_NOTES: Readonly<Partial<Record<DeadlineKind, string>>> = {
  petition: 'Submitted by courier, receipt in the file',
  oversight: 'Report filed, two recommendations',
  funding: 'Submitted, confirmation printed',
}
const RECENT_DAYS = 20

/** What people did with the deadlines of an affair: past dates are handled, some are snoozed, some have their own responsible person. */
export const toAffairDeadlines = (plan: Plan, charter: PlannedCharter, { affair }: AffairRows): DeadlineRow[] => {
  const random = createRandom(plan.seed, 'deadlines', charter.index)
  const sections = affair as unknown as Readonly<Record<string, Readonly<Record<string, string | null>>>>
  const of = { source: 'charter_affair', record: affair._id, charter: charter._id, site: null } as const
  const rows = DEADLINE_SOURCES.flatMap((source): DeadlineRow[] => {
    const { table, section, field, kind } = source
    const text = sections[section ?? '']?.[field] ?? null
    if (table !== 'charter_affair' || section === null || text === null) return []
    const reading = readDate(text, source)
    const { date, precision } = reading.status === 'certain' ? reading : { date: null, precision: null }
    const row = {
      ...NOTHING,
      ...of,
      _id: generateId(plan.seed, 'deadline', charter.index, section, field),
      kind,
      section,
      field,
      text,
      date,
      precision,
    }
    if (date === null) return text.endsWith('extension granted') ? [{ ...row, isIgnored: true }] : []
    const isExpired = field === 'charter_expiration_date' && charter.status.startsWith('ACTIVE')
    if (date < toIsoDay(plan.day, -RECENT_DAYS)) return isExpired ? [] : [{ ...row, state: 'handled', note: HANDLED_NOTES[kind] ?? null }]
    if (field === 'fol_report_due_date' && charter.index % 10 === 4)
      return [{ ...row, state: 'snoozed', snoozedUntil: toIsoDay(plan.day, random.int(9, 30)), note: 'County gave two weeks' }]
    return random.chance(0.06) ? [{ ...row, responsible: getOfficeId(plan, random.pick([0, 0, 4, 5])) }] : []
  })
  return [...rows, ...(charter.index % 2 === 0 ? [toLastMeeting(plan, charter, of)] : [])]
}

/** The last board meeting; its text now has another date. */
const toLastMeeting = (
  plan: Plan,
  charter: PlannedCharter,
  of: Pick<DeadlineRow, 'source' | 'record' | 'charter' | 'site'>,
): DeadlineRow => {
  const text = createAffairFacts(plan, charter).dates.lastBoardMeeting
  const reading = readDate(text, findSource('charter_affair', 'overview', 'next_board_meeting'))
  return {
    ...NOTHING,
    ...of,
    _id: generateId(plan.seed, 'last meeting', charter.index),
    kind: 'board_meeting',
    section: 'overview',
    field: 'next_board_meeting',
    text,
    date: reading.status === 'certain' ? reading.date : null,
    precision: 'day',
    state: 'handled',
    isCurrent: false,
  }
}

/** Deadlines before are handled as they are entered: no one knows when. */
const MANAGED_DAYS = 330
const ENTERED_BEFORE_DAYS = 60

/**
 * How many days ago people entered a past deadline, once there was its affair, and handled it: most in time, some late, a few not at all. Null for one
 * that is entered with what people did with it; so are those of funding, whose texts changed later.
 */
export const planHandling = (plan: Plan, { date, isCurrent, section, state, _id }: DeadlineRow, affairSince: number) => {
  if (date === null || state !== 'handled' || !isCurrent || section === 'funding') return null
  const daysAgo = countDays(date, toIsoDay(plan.day, 0))
  const since = Math.min(daysAgo + ENTERED_BEFORE_DAYS, affairSince - 1)
  if (daysAgo > MANAGED_DAYS || since < daysAgo + 15) return null
  const random = createRandom(plan.seed, 'handling', _id)
  if (random.chance(0.12)) return { since, handled: null }
  return { since, handled: random.chance(0.2) ? daysAgo - random.int(5, 14) : daysAgo + random.int(1, 12) }
}

/** Deadlines that people added. */
export const toCustomDeadlines = (plan: Plan): DeadlineRow[] => {
  const add = (
    key: string,
    kind: DeadlineKind,
    title: string,
    days: number,
    of: { charter?: PlannedCharter | undefined; site?: PlannedSite | undefined },
    yearly = false,
  ): DeadlineRow[] =>
    of.charter === undefined && of.site === undefined
      ? []
      : [
          {
            ...NOTHING,
            _id: generateId(plan.seed, 'custom deadline', key),
            source: 'custom',
            record: null,
            section: null,
            field: null,
            text: null,
            kind,
            title,
            charter: of.charter?._id ?? null,
            site: of.site?._id ?? null,
            date: toIsoDay(plan.day, days),
            precision: 'day',
            yearly,
          },
        ]
  return [
    ...add('safety plan', 'oversight', 'Safety plan to the county', 96, { charter: plan.charters[0] }, true),
    ...add('fire inspection', 'lease', 'Fire inspection', 24, { site: plan.sites[0] }, true),
    ...add('elevator', 'lease', 'Elevator permit renewed', 61, { site: plan.sites[3] }),
    ...add('attendance', 'funding', 'First attendance report', 18, { charter: plan.charters[2] }, true),
  ]
}

/** The default responsible people; none for DASS. */
export const toDeadlineSettings = (plan: Plan): Row<'setting'> => {
  const [, affairs, facilities, , directory, enrollment, systems] = Array.from({ length: 7 }, (_, turn) => getOfficeId(plan, turn))
  const texas = plan.known.region.get('Texas')
  const kinds: StoredDeadlineSettings['kinds'] = {
    charter_term: { responsible: affairs ?? null },
    petition: { responsible: affairs ?? null },
    oversight: { responsible: affairs ?? null, ...(texas && systems ? { regions: { [texas]: systems } } : {}) },
    accreditation: { responsible: directory ?? null },
    funding: { responsible: enrollment ?? null },
    board_meeting: { responsible: affairs ?? null },
    lease: { responsible: facilities ?? null },
  }
  return { name: DEADLINE_SETTINGS, value: { kinds } }
}
