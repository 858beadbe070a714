import { DEADLINE_SOURCES, type DeadlineKind, findSource, getDeadlineOrigin } from '../../../contract/deadlines.ts'
import { isRowKind } from '../../../contract/records.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { toMoment, toRegionReference } from '../../../platform/server/read-model/references.ts'
import type { Deadline } from './contract.ts'
import type { DeadlineRow } from './deadline-index.server.ts'
import { getState } from './rules.ts'
import { getLeadDays, type StoredDeadlineSettings } from './settings.server.ts'
import { getLikeliestDate } from './stored-reading.server.ts'

/** A user who reads deadlines: what they may see, and their record in the directory. */
export interface DeadlineReader {
  readonly mayReadAffairs: boolean
  readonly person: string | null
}

interface Responsible {
  readonly person: string
  /** What determines the person: the deadline itself, or the settings. */
  readonly from: 'deadline' | 'region' | 'kind'
}

const TWIN_FIELDS = new Set(DEADLINE_SOURCES.flatMap(({ sameAs }) => sameAs?.split('.').slice(1) ?? []))

/** All deadlines of records in use at one moment, with what is needed to show them. */
export class ReadableDeadlines {
  readonly model: ReadModel
  readonly today: string
  readonly rows: ReadonlyMap<string, DeadlineRow>
  readonly #settings: StoredDeadlineSettings
  /** Fields that represent others with the same date. */
  readonly #twins = new Map<string, DeadlineRow>()
  readonly #responsible = new Map<DeadlineRow, Responsible | undefined>()
  readonly #remembered = new Map<string, unknown>()
  readonly #regionsOfCharters = new Map<string, readonly string[]>()

  constructor(model: ReadModel, today: string, rows: ReadonlyMap<string, DeadlineRow>, settings: StoredDeadlineSettings) {
    this.model = model
    this.today = today
    const isArchived = ({ charter, site }: DeadlineRow): boolean =>
      (charter !== null && model.table('charter').isArchived(charter)) || (site !== null && model.table('site').isArchived(site))
    this.rows = [...rows.values()].some(isArchived) ? new Map([...rows].filter(([, row]) => !isArchived(row))) : rows
    this.#settings = settings
    for (const row of this.rows.values())
      if (row.isCurrent && row.field !== null && TWIN_FIELDS.has(row.field)) this.#twins.set(toTextKey(row), row)
  }

  /** A value derived from the deadlines of this moment, computed once. */
  remember<T>(name: string, compute: () => T): T {
    if (!this.#remembered.has(name)) this.#remembered.set(name, compute())
    return this.#remembered.get(name) as T
  }

  isVisible(row: DeadlineRow, { mayReadAffairs }: DeadlineReader): boolean {
    return mayReadAffairs || row.charter === null
  }

  /** Whether it is a deadline: it has a date, and no other field represents it. */
  isDeadline(row: DeadlineRow): row is DeadlineRow & { date: string } {
    if (row.date === null || row.isIgnored || this.isOver(row)) return false
    return !row.isCurrent || this.#findTwin(row)?.date !== row.date
  }

  /** Whether its date waits to be confirmed, and not with another field for the same date. */
  isProposal(row: DeadlineRow): boolean {
    if (row.proposedDates === null || !row.isCurrent || row.isIgnored || this.isOver(row)) return false
    const twin = this.#findTwin(row)
    return twin === undefined || getLikeliestDate(twin) !== getLikeliestDate(row)
  }

  /** The field that represents this one if both have the same date. */
  #findTwin(row: DeadlineRow): DeadlineRow | undefined {
    const sameAs = findSource(row.source, row.section, row.field)?.sameAs
    const twin = sameAs === undefined ? undefined : this.#twins.get(`${row.record} ${sameAs}`)
    return twin?.isIgnored ? undefined : twin
  }

  /** Texts of a permanently closed charter are no longer deadlines, except handled ones. */
  isOver({ charter, source, state }: DeadlineRow): boolean {
    return source !== 'custom' && state !== 'handled' && this.model.table('charter').get(charter)?.status === 'CLOSED - PERMANENTLY'
  }

  /** The region of its site, or the regions of its charter's sites, those with most sites first. */
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

  /** The reminder settings of a deadline, and since when they apply. */
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

  toDeadline(row: DeadlineRow): Deadline {
    const state = this.getState(row)
    return {
      _id: row._id,
      kind: row.kind as DeadlineKind,
      title: getTitle(row),
      date: getLikeliestDate(row) ?? '',
      precision: row.precision ?? row.proposedDates?.[0]?.precision ?? 'day',
      proposed: row.proposedDates !== null,
      proposedDates: [...(row.proposedDates ?? [])],
      why: row.why,
      formerDate: row.formerDate,
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

export const toOrigin = (row: DeadlineRow): Deadline['source'] => {
  if (row.source === 'custom') return { record: 'custom', section: null, field: null, row: null, text: null, isByHand: false }
  return {
    ...getDeadlineOrigin({ table: row.source, section: row.section }),
    field: row.field,
    row: isRowKind(row.source) ? row.record : null,
    text: row.text,
    isByHand: row.isByHand,
  }
}
