import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { notFound } from '../../../contract/problem.ts'
import { isActive } from '../../../contract/status.ts'
import { matchesText } from '../../../contract/text-match.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { sortByTexts, toMoment, toRegionReference } from '../../../platform/server/read-model/references.ts'
import type { Contradiction, Deadline, DeadlineCounts, DeadlineSearch, UnreadText } from './contract.ts'
import { type DeadlineRow, getDeadlineIndex } from './deadline-index.server.ts'
import { DEADLINE_SOURCES, type DeadlineKind, findSource } from './fields.ts'
import { describeNoDate, readDate } from './read-date.ts'
import { type DatedField, findContradictions, getAgendaGroup, getState } from './rules.ts'
import { getLeadDays, type StoredDeadlineSettings } from './settings.server.ts'

export { countDeadlinesOf, type HandedOver, handOverDeadlines, takeBackDeadlines } from './hand-over.server.ts'

/** A reader of deadlines: what they may see, and who they are in the directory. */
export interface DeadlineReader {
  readonly mayReadAffairs: boolean
  readonly person: string | null
}

const findPersonOfAddress = async ({ db }: Pick<AppContext, 'db'>, address: string): Promise<string | null> => {
  const { rows } = await sql<{ _id: string }>`select _id from person where lower(email) = lower(${address}) and "leftAt" is null`.execute(
    db,
  )
  return rows[0]?._id ?? null
}

export const getReader = async (context: Pick<AppContext, 'db'>, user: SignedIn): Promise<DeadlineReader> => ({
  mayReadAffairs: can(user.accessLevel, 'read a charter affair'),
  person: await findPersonOfAddress(context, user.azureID),
})

export const getToday = ({ configuration, now }: Pick<AppContext, 'configuration' | 'now'>): string =>
  toIsoDay(now(), configuration.timeZone)

interface Responsible {
  readonly person: string
  /** What names them: the deadline itself, or the settings. */
  readonly from: 'deadline' | 'region' | 'kind'
}

const TWIN_FIELDS = new Set(DEADLINE_SOURCES.flatMap(({ sameAs }) => sameAs?.split('.').slice(1) ?? []))

/** All deadlines of a moment, with what is needed to show them. */
class DeadlineView {
  readonly model: ReadModel
  readonly today: string
  readonly rows: ReadonlyMap<string, DeadlineRow>
  readonly #settings: StoredDeadlineSettings
  /** The fields that stand for others with the same date. */
  readonly #twins = new Map<string, DeadlineRow>()
  readonly #responsible = new Map<DeadlineRow, Responsible | undefined>()
  readonly #remembered = new Map<string, unknown>()
  readonly #regionsOfCharters = new Map<string, readonly string[]>()

  constructor(model: ReadModel, today: string, rows: ReadonlyMap<string, DeadlineRow>, settings: StoredDeadlineSettings) {
    this.model = model
    this.today = today
    this.rows = rows
    this.#settings = settings
    for (const row of rows.values())
      if (row.isCurrent && row.field !== null && TWIN_FIELDS.has(row.field)) this.#twins.set(toTextKey(row), row)
  }

  /** What follows from the deadlines of this moment, computed once. */
  remember<T>(name: string, compute: () => T): T {
    if (!this.#remembered.has(name)) this.#remembered.set(name, compute())
    return this.#remembered.get(name) as T
  }

  isVisible(row: DeadlineRow, { mayReadAffairs }: DeadlineReader): boolean {
    return mayReadAffairs || row.charter === null
  }

  /** Whether it is a deadline: it has a date, and no other field stands for the same. */
  isDeadline(row: DeadlineRow): row is DeadlineRow & { date: string } {
    if (row.date === null || row.isIgnored || this.isOver(row)) return false
    if (!row.isCurrent) return true
    const sameAs = findSource(row.source, row.section, row.field)?.sameAs
    if (sameAs === undefined) return true
    const twin = this.#twins.get(`${row.record} ${sameAs}`)
    return twin?.date !== row.date || twin.isIgnored
  }

  /** Texts of a charter that is closed for good are no deadlines any more, but for what was handled. */
  isOver({ charter, source, state }: DeadlineRow): boolean {
    return source !== 'custom' && state !== 'handled' && this.model.table('charter').get(charter)?.status === 'CLOSED - PERMANENTLY'
  }

  /** The regions of its site, or of the sites of its charter: the one with most sites first. */
  listRegions({ site, charter }: DeadlineRow): readonly string[] {
    if (site !== null) {
      const region = this.model.table('site').get(site)?.region
      return region ? [region] : []
    }
    if (charter === null) return []
    let regions = this.#regionsOfCharters.get(charter)
    if (!regions) {
      const counts = new Map<string, number>()
      for (const { region } of this.model.table('site').where('charter', charter))
        if (region) counts.set(region, (counts.get(region) ?? 0) + 1)
      regions = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([region]) => region)
      this.#regionsOfCharters.set(charter, regions)
    }
    return regions
  }

  findResponsible(row: DeadlineRow): Responsible | undefined {
    if (!this.#responsible.has(row)) this.#responsible.set(row, this.#computeResponsible(row))
    return this.#responsible.get(row)
  }

  #computeResponsible(row: DeadlineRow): Responsible | undefined {
    const isThere = (person: string | null | undefined): person is string => {
      const known = this.model.table('person').get(person ?? null)
      return known !== undefined && known.leftAt === null
    }
    if (isThere(row.responsible)) return { person: row.responsible, from: 'deadline' }
    const settings = this.#settings.kinds[row.kind as DeadlineKind]
    const [region] = this.listRegions(row)
    const ofRegion = region === undefined ? undefined : settings?.regions?.[region]
    if (isThere(ofRegion)) return { person: ofRegion, from: 'region' }
    return isThere(settings?.responsible) ? { person: settings.responsible, from: 'kind' } : undefined
  }

  /** When whoever is responsible is reminded, and since when that is so. */
  getReminderSettings({ kind, datedAt }: DeadlineRow): { readonly leadDays: readonly number[]; readonly since: string } {
    const { leadDaysSince = datedAt } = this.#settings.kinds[kind as DeadlineKind] ?? {}
    const isLater = Date.parse(leadDaysSince) > Date.parse(datedAt)
    return { leadDays: getLeadDays(this.#settings.kinds, kind as DeadlineKind), since: isLater ? leadDaysSince : datedAt }
  }

  toResponsible(row: DeadlineRow): Deadline['responsible'] {
    const person = this.findResponsible(row)?.person
    return person === undefined ? null : { _id: person, name: this.model.table('person').need(person).name }
  }

  getState(row: DeadlineRow): Deadline['state'] {
    return getState(row.state, row.snoozedUntil, this.today)
  }

  toRecord(row: DeadlineRow) {
    const charter = this.model.table('charter').get(row.charter)
    const site = this.model.table('site').get(row.site)
    const region = this.model.table('region').get(this.listRegions(row)[0] ?? null)
    return {
      charter: charter ? { _id: charter._id, slug: charter.slug, name: charter.name } : null,
      site: site ? { _id: site._id, slug: site.slug, name: site.displayName } : null,
      region: region ? toRegionReference(region) : null,
    }
  }

  toDeadline(row: DeadlineRow & { date: string }): Deadline {
    const state = this.getState(row)
    return {
      _id: row._id,
      kind: row.kind as DeadlineKind,
      title: getTitle(row),
      date: row.date,
      precision: row.precision ?? 'day',
      state,
      snoozedUntil: state === 'snoozed' ? row.snoozedUntil : null,
      responsible: this.toResponsible(row),
      responsibleFrom: this.findResponsible(row)?.from ?? null,
      note: row.note,
      yearly: row.yearly,
      isCurrent: row.isCurrent,
      source: toOrigin(row),
      ...this.toRecord(row),
      version: row.version,
      updatedAt: toMoment(row.updatedAt),
      updatedBy: row.updatedBy,
    }
  }
}

const toTextKey = ({ record, section, field }: DeadlineRow): string => `${record} ${section === null ? '' : `${section}.`}${field}`

export const getTitle = ({ title, source, section, field, subject }: DeadlineRow): string => {
  if (title !== null) return title
  const name = findSource(source, section, field)?.title ?? 'Deadline'
  return subject === null ? name : `${name}: ${subject}`
}

const isOfAffair = ({ source }: DeadlineRow): boolean => source === 'charter_affair' || source === 'authorizer_board_member'

const toOrigin = (row: DeadlineRow): Deadline['source'] => {
  if (row.source === 'custom') return { record: 'custom', section: null, field: null, row: null, text: null, isByHand: false }
  const isMember = row.source === 'authorizer_board_member'
  return {
    record: isOfAffair(row) ? 'charter_affair' : 'facility',
    section: isMember ? 'authorizer_board_member' : row.section,
    field: row.field,
    row: isMember ? row.record : null,
    text: row.text,
    isByHand: row.isByHand,
  }
}

const views = new WeakMap<ReadModel, { readonly key: string; readonly view: DeadlineView }>()

/** The deadlines as of now; the same view as long as nothing changes. */
export const getDeadlineView = async (context: AppContext): Promise<DeadlineView> => {
  const { rows, settings, revision } = await getDeadlineIndex(context)
  const { readModel } = context
  const today = getToday(context)
  const key = `${revision} ${readModel.revision} ${today}`
  const known = views.get(readModel)
  if (known?.key === key) return known.view
  const view = new DeadlineView(readModel, today, rows, settings)
  views.set(readModel, { key, view })
  return view
}

const getIdOf = (model: ReadModel, table: 'region' | 'brand' | 'charter' | 'site' | 'person', idOrSlug: string, name: string): string => {
  const _id = model.findId(table, idOrSlug)
  if (_id === undefined) throw notFound(name)
  return _id
}

const buildTextFilter = (view: DeadlineView, q: string | undefined): ((row: DeadlineRow) => boolean) => {
  const typed = q?.trim() ?? ''
  if (typed === '') return () => true
  return (row) => {
    const { charter, site } = view.toRecord(row)
    return matchesText(typed, [getTitle(row), row.text, charter?.name, site?.name])
  }
}

/** The rows that a filter finds, by date; throws 404 for a record that does not exist. */
export const filterRows = (view: DeadlineView, reader: DeadlineReader, filter: DeadlineSearch): (DeadlineRow & { date: string })[] => {
  const { model } = view
  const region = filter.region === undefined ? undefined : getIdOf(model, 'region', filter.region, 'Region')
  const charter = filter.charter === undefined ? undefined : getIdOf(model, 'charter', filter.charter, 'Charter')
  const site = filter.site === undefined ? undefined : getIdOf(model, 'site', filter.site, 'Site')
  const responsible =
    filter.responsible === undefined || filter.responsible === 'none'
      ? filter.responsible
      : filter.responsible === 'me'
        ? (reader.person ?? 'nobody')
        : getIdOf(model, 'person', filter.responsible, 'Person')
  const brand = filter.brand === undefined ? undefined : getIdOf(model, 'brand', filter.brand, 'Brand')
  const getCharter = (row: DeadlineRow): string | null | undefined => row.charter ?? model.table('site').get(row.site)?.charter
  const hasText = buildTextFilter(view, filter.q)
  const isFound = (row: DeadlineRow): row is DeadlineRow & { date: string } =>
    view.isVisible(row, reader) &&
    (filter.kind === undefined || row.kind === filter.kind) &&
    (site === undefined || row.site === site) &&
    (charter === undefined || getCharter(row) === charter) &&
    (brand === undefined || model.table('charter').get(getCharter(row) ?? null)?.brand === brand) &&
    view.isDeadline(row) &&
    (filter.from === undefined || row.date >= filter.from) &&
    (filter.to === undefined || row.date <= filter.to) &&
    (filter.state === undefined || view.getState(row) === filter.state) &&
    (region === undefined || view.listRegions(row).includes(region)) &&
    (responsible === undefined ||
      (responsible === 'none' ? view.findResponsible(row) === undefined : view.findResponsible(row)?.person === responsible)) &&
    hasText(row)
  const found: (DeadlineRow & { date: string })[] = []
  for (const row of view.rows.values()) if (isFound(row)) found.push(row)
  return found.toSorted((a, b) => (a.date === b.date ? (a._id < b._id ? -1 : 1) : a.date < b.date ? -1 : 1))
}

export const toDeadlines = (view: DeadlineView, rows: readonly (DeadlineRow & { date: string })[]): Deadline[] =>
  rows.map((row) => view.toDeadline(row))

const GROUP_KEYS = {
  Overdue: 'overdue',
  'This week': 'week',
  'Next 30 days': 'days30',
  'Next 90 days': 'days90',
  'Next 365 days': 'days365',
  Later: 'later',
} as const

export const countRows = (view: DeadlineView, reader: DeadlineReader, filter: DeadlineSearch): DeadlineCounts => {
  const { from: _from, to: _to, state: _state, ...rest } = filter
  const counts = { overdue: 0, week: 0, days30: 0, days90: 0, days365: 0, later: 0, snoozed: 0, handled: 0 }
  const people = new Map<string | null, number>()
  for (const row of filterRows(view, reader, rest)) {
    const state = view.getState(row)
    if (state !== 'open') counts[state]++
    else {
      counts[GROUP_KEYS[getAgendaGroup(row.date, view.today)]]++
      const person = view.findResponsible(row)?.person ?? null
      people.set(person, (people.get(person) ?? 0) + 1)
    }
  }
  const responsible = [...people].map(([person, count]) => ({
    person: person === null ? null : { _id: person, name: view.model.table('person').need(person).name },
    count,
  }))
  return {
    ...counts,
    responsible: responsible.toSorted((a, b) =>
      a.person === null ? -1 : b.person === null ? 1 : b.count - a.count || (a.person.name < b.person.name ? -1 : 1),
    ),
    unread: reader.mayReadAffairs ? listUnread(view).length : 0,
    contradictions: reader.mayReadAffairs ? listContradictions(view).length : 0,
    me: reader.person,
  }
}

/** The texts that should have a date and have none. */
export const listUnread = (view: DeadlineView): UnreadText[] => view.remember('unread', () => findUnread(view))

const findUnread = (view: DeadlineView): UnreadText[] => {
  const unread = [...view.rows.values()].flatMap((row): UnreadText[] => {
    if (!row.isCurrent || row.isIgnored || row.date !== null || row.text === null || row.field === null || view.isOver(row)) return []
    const reading = readDate(row.text)
    if (reading.date !== null) return []
    const { charter, site } = view.toRecord(row)
    const origin = toOrigin(row)
    return [
      {
        _id: row._id,
        kind: row.kind as DeadlineKind,
        title: getTitle(row),
        charter,
        site,
        section: origin?.section ?? null,
        field: row.field,
        row: origin?.row ?? null,
        text: row.text,
        why: describeNoDate(reading),
        suggestion: reading.suggestion ?? null,
        responsible: view.toResponsible(row),
        version: row.version,
      },
    ]
  })
  return sortByTexts(
    unread,
    ({ charter }) => charter?.name ?? '',
    ({ title }) => title,
    ({ _id }) => _id,
  )
}

interface DatedRow extends DatedField {
  readonly row: DeadlineRow
}

/** Dates that do not go together, charter by charter and site by site. */
export const listContradictions = (view: DeadlineView): Contradiction[] => view.remember('contradictions', () => toContradictions(view))

const toContradictions = (view: DeadlineView): Contradiction[] => {
  const { model, today } = view
  const current = [...view.rows.values()].filter((row) => row.isCurrent && !row.isIgnored && row.source !== 'custom' && !view.isOver(row))
  const found: Contradiction[] = []
  for (const [owner, rows] of Map.groupBy(current, ({ charter, site }) => charter ?? site)) {
    const [first] = rows
    if (!first || owner === null) continue
    const status = (first.charter === null ? model.table('site').get(first.site) : model.table('charter').get(first.charter))?.status
    const fields = rows.map((row): DatedRow => ({
      row,
      section: row.section,
      field: row.field ?? '',
      date: row.date,
      subject: row.subject,
    }))
    for (const { kind, message, fields: values } of findContradictions({
      fields,
      isActive: status !== undefined && isActive(status),
      today,
    }))
      found.push({
        kind,
        message,
        ...view.toRecord(first),
        responsible: values[0] ? view.toResponsible(values[0].row) : null,
        values: values.map(({ row }) => {
          const origin = toOrigin(row)
          return {
            label: getTitle(row),
            text: row.text,
            date: row.date,
            section: origin?.section ?? null,
            field: row.field,
            row: origin?.row ?? null,
            deadline: row._id,
            changedAt: toMoment(row.updatedAt),
            changedBy: row.updatedBy,
          }
        }),
      })
  }
  return sortByTexts(
    found,
    ({ charter, site }) => charter?.name ?? site?.name ?? '',
    ({ kind }) => kind,
    ({ message }) => message,
  )
}
