import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import type { DeadlineKind } from '../../../contract/deadlines.ts'
import { notFound } from '../../../contract/problem.ts'
import type { RecordKind } from '../../../contract/records.ts'
import { isActive } from '../../../contract/status.ts'
import { matchesText } from '../../../contract/text-match.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { sortByTexts, toMoment } from '../../../platform/server/read-model/references.ts'
import type { Contradiction, Deadline, DeadlineCounts, DeadlineSearch, DeadlineText, UnreadText } from './contract.ts'
import { type DeadlineRow, getDeadlineIndex } from './deadline-index.server.ts'
import { type DeadlineReader, ReadableDeadlines, getTitle, toOrigin } from './readable-deadlines.server.ts'
import { AGENDA_COUNT_KEYS, type DatedField, findContradictions, getAgendaGroup } from './rules.ts'
import { getLikeliestDate } from './stored-reading.server.ts'

export { type DeadlineOutcome, listDeadlineOutcomes } from './outcomes.server.ts'
export { countDeadlinesOf, type ReassignedWork, reassignDeadlines, releaseDeadlines, restoreDeadlines } from './reassign.server.ts'

const findPersonOfAddress = async ({ db }: Pick<AppContext, 'db'>, address: string): Promise<string | null> => {
  const { rows } = await sql<{
    _id: string
  }>`select _id from person where lower(email) = lower(${address}) and "leftAt" is null and "archivedAt" is null`.execute(db)
  return rows[0]?._id ?? null
}

export const getReader = async (context: Pick<AppContext, 'db'>, user: SignedIn): Promise<DeadlineReader> => ({
  mayReadAffairs: can(user.accessLevel, 'read a charter affair'),
  person: await findPersonOfAddress(context, user.azureID),
})

export const getToday = ({ configuration, now }: Pick<AppContext, 'configuration' | 'now'>): string =>
  toIsoDay(now(), configuration.timeZone)

const views = new WeakMap<ReadModel, { readonly key: string; readonly view: ReadableDeadlines }>()

/** The current deadlines; the same view until something changes. */
export const getReadableDeadlines = async (context: AppContext): Promise<ReadableDeadlines> => {
  const { rows, settings, revision } = await getDeadlineIndex(context)
  const { readModel } = context
  const today = getToday(context)
  const key = `${revision} ${readModel.revision} ${today}`
  const known = views.get(readModel)
  if (known?.key === key) return known.view
  const view = new ReadableDeadlines(readModel, today, rows, settings)
  views.set(readModel, { key, view })
  return view
}

const getIdOf = (model: ReadModel, table: RecordKind, idOrSlug: string, name: string): string => {
  const _id = model.findId(table, idOrSlug)
  if (_id === undefined) throw notFound(name)
  return _id
}

const buildTextFilter = (view: ReadableDeadlines, q: string | undefined): ((row: DeadlineRow) => boolean) => {
  const typed = q?.trim() ?? ''
  if (typed === '') return () => true
  return (row) => {
    const { charter, site } = view.toRecord(row)
    return matchesText(typed, [getTitle(row), row.text, charter?.name, site?.name])
  }
}

/** All rows sorted by date, once: filtering stops when it has enough. */
const listByDate = (view: ReadableDeadlines): readonly DeadlineRow[] =>
  view.remember('by date', () =>
    [...view.rows.values()].toSorted((a, b) => {
      const [dayA, dayB] = [getLikeliestDate(a) ?? '', getLikeliestDate(b) ?? '']
      return dayA === dayB ? (a._id < b._id ? -1 : 1) : dayA < dayB ? -1 : 1
    }),
  )

/** The rows that match a filter, by date, optionally limited, without proposed ones; throws 404 for an unknown record. */
export const filterRows = (
  view: ReadableDeadlines,
  reader: DeadlineReader,
  filter: DeadlineSearch,
  limit?: number,
): (DeadlineRow & { date: string })[] =>
  findRows(view, reader, filter, (row): row is DeadlineRow & { date: string } => view.isDeadline(row), limit)

/** The same for proposed ones, or for both. */
export const filterProposals = (view: ReadableDeadlines, reader: DeadlineReader, filter: DeadlineSearch, limit?: number): DeadlineRow[] =>
  findRows(view, reader, filter, (row): row is DeadlineRow => view.isProposal(row), limit)
export const filterAllRows = (view: ReadableDeadlines, reader: DeadlineReader, filter: DeadlineSearch, limit?: number): DeadlineRow[] =>
  findRows(view, reader, filter, (row): row is DeadlineRow => view.isDeadline(row) || view.isProposal(row), limit)

const findRows = <R extends DeadlineRow>(
  view: ReadableDeadlines,
  reader: DeadlineReader,
  filter: DeadlineSearch,
  isListed: (row: DeadlineRow) => row is R,
  limit = Number.POSITIVE_INFINITY,
): R[] => {
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
  const isBetween = (date: string): boolean =>
    (filter.from === undefined || date >= filter.from) && (filter.to === undefined || date <= filter.to)
  const isFound = (row: DeadlineRow): row is R =>
    view.isVisible(row, reader) &&
    (filter.kind === undefined || row.kind === filter.kind) &&
    (site === undefined || row.site === site) &&
    (charter === undefined || getCharter(row) === charter) &&
    (brand === undefined || model.table('charter').get(getCharter(row) ?? null)?.brand === brand) &&
    isListed(row) &&
    isBetween(getLikeliestDate(row) ?? '') &&
    (filter.state === undefined || view.getState(row) === filter.state) &&
    (region === undefined || view.listRegions(row).includes(region)) &&
    (responsible === undefined ||
      (responsible === 'none' ? view.findResponsible(row) === undefined : view.findResponsible(row)?.person === responsible)) &&
    hasText(row)
  const found: R[] = []
  for (const row of listByDate(view)) {
    if (found.length >= limit) break
    if (isFound(row)) found.push(row)
  }
  return found
}

export const toDeadlines = (view: ReadableDeadlines, rows: readonly DeadlineRow[]): Deadline[] => rows.map((row) => view.toDeadline(row))

const BATCH_SIZE = 500

/** The same in batches, built while they are sent: all of a large network for each of many requests would exceed the memory. */
export async function* toDeadlineBatches(view: ReadableDeadlines, rows: readonly DeadlineRow[]): AsyncGenerator<Deadline[]> {
  for (let at = 0; at < rows.length; at += BATCH_SIZE) yield toDeadlines(view, rows.slice(at, at + BATCH_SIZE))
}

export const countRows = (view: ReadableDeadlines, reader: DeadlineReader, filter: DeadlineSearch): DeadlineCounts => {
  const { from: _from, to: _to, state: _state, ...rest } = filter
  // Every page requests the counts without a filter, so they are cached.
  if (Object.keys(rest).length > 0) return countFound(view, reader, rest)
  const counts = view.remember(`counts ${reader.mayReadAffairs}`, () => countFound(view, reader, rest))
  return { ...counts, me: reader.person }
}

const countFound = (view: ReadableDeadlines, reader: DeadlineReader, rest: DeadlineSearch): DeadlineCounts => {
  const counts = { overdue: 0, week: 0, days30: 0, days90: 0, days365: 0, later: 0, snoozed: 0, handled: 0 }
  const people = new Map<string | null, number>()
  for (const row of filterRows(view, reader, rest)) {
    const state = view.getState(row)
    if (state !== 'open') counts[state]++
    else {
      counts[AGENDA_COUNT_KEYS[getAgendaGroup(row.date, view.today)]]++
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
    proposed: filterProposals(view, reader, rest).length,
    unread: reader.mayReadAffairs ? listUnread(view).length : 0,
    contradictions: reader.mayReadAffairs ? listContradictions(view).length : 0,
    me: reader.person,
  }
}

/** The deadlines that are neither handled nor put off. */
export const listOpen = (view: ReadableDeadlines): (DeadlineRow & { date: string })[] =>
  [...view.rows.values()].filter((row): row is DeadlineRow & { date: string } => view.isDeadline(row) && view.getState(row) === 'open')

/** The rows with a date to confirm. */
export const listProposals = (view: ReadableDeadlines): readonly DeadlineRow[] =>
  view.remember('proposals', () => listByDate(view).filter((row) => view.isProposal(row)))

/** The texts that should contain a date but do not. */
export const listUnread = (view: ReadableDeadlines): UnreadText[] => view.remember('unread', () => findUnread(view))

const findUnread = (view: ReadableDeadlines): UnreadText[] => {
  const unread = [...view.rows.values()].flatMap((row): UnreadText[] => {
    if (!row.isCurrent || row.isIgnored || row.text === null || row.field === null || view.isOver(row)) return []
    if (getLikeliestDate(row) !== null) return []
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
        why: row.why ?? '',
        formerDate: row.formerDate,
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

/** The current texts of a charter's affair, by section and field; throws 404 for an unknown charter. */
export const listTexts = (view: ReadableDeadlines, charter: string): DeadlineText[] => {
  const _id = getIdOf(view.model, 'charter', charter, 'Charter')
  return view.remember(`texts ${_id}`, () => findTexts(view, _id))
}

const findTexts = (view: ReadableDeadlines, _id: string): DeadlineText[] => {
  const texts = [...view.rows.values()].flatMap((row): DeadlineText[] => {
    if (row.charter !== _id || !row.isCurrent || row.field === null || row.text === null) return []
    const [origin, responsible, state] = [toOrigin(row), view.findResponsible(row), view.getState(row)]
    return [
      {
        _id: row._id,
        section: origin?.section ?? null,
        field: row.field,
        row: origin?.row ?? null,
        text: row.text,
        date: row.date,
        proposedDates: [...(row.proposedDates ?? [])],
        why: row.why,
        isByHand: row.isByHand,
        isIgnored: row.isIgnored,
        state,
        snoozedUntil: state === 'snoozed' ? row.snoozedUntil : null,
        responsible: responsible ? { _id: responsible.person, name: view.model.table('person').need(responsible.person).name } : null,
        version: row.version,
        updatedAt: toMoment(row.updatedAt),
        updatedBy: row.updatedBy,
      },
    ]
  })
  return sortByTexts(
    texts,
    ({ section }) => section ?? '',
    ({ field }) => field,
    ({ _id }) => _id,
  )
}

interface DatedRow extends DatedField {
  readonly row: DeadlineRow
}

/** Conflicting dates, by charter and site. */
export const listContradictions = (view: ReadableDeadlines): Contradiction[] =>
  view.remember('contradictions', () => toContradictions(view))

/** Adds to each value who typed it or set its date, and when: the deadline's own author may be from a later assignment. */
export const withAuthors = async (db: Queryable, contradictions: readonly Contradiction[]): Promise<Contradiction[]> => {
  const ids = contradictions.flatMap(({ values }) => values.flatMap(({ deadline }) => deadline ?? []))
  const { rows } = await sql<{ record: string; at: Date; by: string | null }>`
    select latest.* from unnest(${[...new Set(ids)]}::text[]) as d (record), lateral (
      select c.record, c.at, c."actorName" as by from change as c
      where c.record = d.record and c."table" = 'deadline'
        and (c.before is null or c.before -> 'text' is distinct from c.after -> 'text' or c.before -> 'date' is distinct from c.after -> 'date')
      order by c._id desc limit 1) as latest`.execute(db)
  const authors = new Map(rows.map((row) => [row.record, row]))
  return contradictions.map((one) => ({
    ...one,
    values: one.values.map((value) => {
      const author = authors.get(value.deadline ?? '')
      return author ? { ...value, changedAt: author.at.toISOString(), changedBy: author.by } : value
    }),
  }))
}

const toContradictions = (view: ReadableDeadlines): Contradiction[] => {
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
