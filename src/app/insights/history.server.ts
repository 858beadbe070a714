import { memoize } from '../../contract/memoize.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { getText } from '../../platform/server/read-model/table-rows.ts'
import { getTable, type ModelRow } from '../../platform/server/read-model/tables.ts'
import { Semaphore } from '../../platform/server/semaphore.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import { type AnyRow, type CountedRow, type CountedTable, EventLog, pickColumns, type RowEvent, sortByDay } from './event-log.server.ts'

/** The tables that are read together. */
const GROUPS = {
  places: ['site', 'charter'],
  leases: ['facility'],
  staff: ['site_person', 'person', 'role'],
} as const satisfies Record<string, readonly CountedTable[]>
export type CountedGroup = keyof typeof GROUPS
const TABLES = Object.values(GROUPS).flat()

/** Rows by a value that several have. */
class Groups<Row> {
  readonly #rows = new Map<string, Row[]>()

  get(key: string): readonly Row[] {
    return this.#rows.get(key) ?? []
  }
  add(key: string | null, row: Row): void {
    if (key === null) return
    const others = this.#rows.get(key)
    if (others) others.push(row)
    else this.#rows.set(key, [row])
  }
  remove(key: string | null, row: Row): void {
    const rows = key === null ? undefined : this.#rows.get(key)
    rows?.splice(rows.indexOf(row), 1)
  }
}

/** The records that are other ones than on the day that was visited before. */
export interface Touched {
  /** Sites with another status, place, lease or staff. */
  readonly site: Set<string>
  /** Sites at another place. */
  readonly place: Set<string>
  /** Charters that changed, or with other sites. */
  readonly charter: Set<string>
  /** People with other positions. */
  readonly person: Set<string>
}

type SiteRow = CountedRow<'site'>
type Position = CountedRow<'site_person'>
const isSamePlace = (a: SiteRow | undefined, b: SiteRow | null): boolean =>
  a?.region === b?.region && a?.charter === b?.charter && a?.category === b?.category && a?.archivedAt === b?.archivedAt

/** The rows of one moment, by table and key. */
export class Rows {
  readonly tables = Object.fromEntries(TABLES.map((table) => [table, new Map()])) as {
    readonly [T in CountedTable]: Map<string, CountedRow<T>>
  }
  readonly sitesOfCharter = new Groups<string>()
  readonly positionsOfSite = new Groups<Position>()
  readonly positionsOfPerson = new Groups<Position>()
  readonly touched: Touched = { site: new Set(), place: new Set(), charter: new Set(), person: new Set() }

  get(table: CountedTable, key: string): AnyRow | undefined {
    return this.tables[table].get(key)
  }

  /** Sets a row, which touches nothing. Returns the one before. */
  put(table: CountedTable, key: string, row: AnyRow | null): AnyRow | undefined {
    const rows = this.tables[table] as Map<string, AnyRow>
    const old = rows.get(key)
    if (row) rows.set(key, row)
    else rows.delete(key)
    if (table === 'site') {
      const [from, to] = [old as SiteRow | undefined, row as SiteRow | null]
      if (from?.charter === to?.charter) return old
      if (from) this.sitesOfCharter.remove(from.charter, key)
      if (to) this.sitesOfCharter.add(to.charter, key)
    } else if (table === 'site_person') {
      this.#index('remove', old as Position | undefined)
      this.#index('add', row as Position | null)
    }
    return old
  }

  #index(change: 'add' | 'remove', position: Position | undefined | null): void {
    if (!position) return
    this.positionsOfSite[change](position.site, position)
    this.positionsOfPerson[change](position.person, position)
  }

  /** Sets a row, and remembers which records count otherwise. */
  set(table: CountedTable, key: string, row: AnyRow | null): void {
    const old = this.put(table, key, row)
    const { site, charter, person } = this.touched
    switch (table) {
      case 'site':
        return this.#touchSite(key, old as SiteRow | undefined, row as SiteRow | null)
      case 'charter':
        charter.add(key)
        if ((old as CountedRow<'charter'> | undefined)?.brand !== (row as CountedRow<'charter'> | null)?.brand)
          for (const one of this.sitesOfCharter.get(key)) this.#touchPlace(one)
        return
      case 'facility':
        site.add(key)
        return
      case 'person':
        person.add(key)
        for (const position of this.positionsOfPerson.get(key)) site.add(position.site)
        return
      case 'role':
        for (const one of this.tables.site.keys()) site.add(one)
        return
      case 'site_person':
        for (const position of [old as Position | undefined, row as Position | null])
          if (position) {
            site.add(position.site)
            person.add(position.person)
          }
    }
  }

  #touchPlace(site: string): void {
    this.touched.site.add(site)
    this.touched.place.add(site)
  }

  #touchSite(key: string, old: SiteRow | undefined, row: SiteRow | null): void {
    if (!isSamePlace(old, row)) this.#touchPlace(key)
    else if (old?.status === row?.status) return
    this.touched.site.add(key)
    for (const charter of [old?.charter, row?.charter]) if (charter) this.touched.charter.add(charter)
  }

  forgetTouched(): void {
    for (const keys of Object.values(this.touched)) keys.clear()
  }
}

/** The days on which the rows are visited, and what is done with each change on the way. */
export interface Walk {
  /** What is read besides places. */
  readonly of?: readonly CountedGroup[]
  /** The last one first. */
  readonly days: readonly string[]
  /** `rows.touched` are the records that changed between this day and the one that was visited before. */
  readonly onDay: (day: string, rows: Rows) => Promise<void> | void
  readonly onEvent?: (event: RowEvent, after: AnyRow | undefined) => void
}

/** The present rows of these groups. */
const readPresent = async ({ readModel }: AppContext, groups: readonly CountedGroup[]): Promise<Rows> => {
  const rows = new Rows()
  const rest = createTimeSlices()
  for (const table of groups.flatMap((group) => GROUPS[group])) {
    const { key } = getTable(table)
    for (const row of readModel.table(table).allWithArchived()) {
      if (table === 'person' && (row as ModelRow<'person'>).archivedAt === null) continue
      rows.put(table, getText(row, key), row as unknown as AnyRow)
      await rest()
    }
  }
  return rows
}

/**
 * The changes of what insights count, which are caught up with before each use: reading all of them again would take most of the time of an answer.
 * One walk at a time.
 */
class History {
  #log = new EventLog('')
  /** The changes of the groups that were walked, in the order of the walk. */
  #sorted: { readonly source: readonly RowEvent[]; readonly byGroups: Map<string, readonly RowEvent[]> } = {
    source: [],
    byGroups: new Map(),
  }
  readonly #turn = new Semaphore(1)

  async #catchUp({ db, configuration: { timeZone } }: AppContext): Promise<void> {
    if (timeZone !== this.#log.timeZone) this.#log = new EventLog(timeZone)
    await this.#log.catchUp(db)
  }

  /** The changes of these groups, the newest first. */
  #listEvents(groups: readonly CountedGroup[]): readonly RowEvent[] {
    const { events } = this.#log
    if (this.#sorted.source !== events) this.#sorted = { source: events, byGroups: new Map() }
    const key = groups.join()
    const tables = new Set<CountedTable>(groups.flatMap((group) => GROUPS[group]))
    const sorted = this.#sorted.byGroups.get(key) ?? sortByDay(events.filter(({ table }) => tables.has(table)))
    this.#sorted.byGroups.set(key, sorted)
    return sorted
  }

  async read(context: AppContext): Promise<void> {
    const release = await this.#turn.acquire()
    await this.#catchUp(context).finally(release)
  }

  async walk(context: AppContext, walk: Walk): Promise<number> {
    const groups = ['places', ...(walk.of ?? [])] as const
    const release = await this.#turn.acquire()
    try {
      await context.readModel.ready()
      const rows = await readPresent(context, groups)
      const today = getToday(context)
      // Nothing has changed since the end of today.
      const isPresent = walk.days.every((day) => day >= today)
      if (!isPresent) await this.#catchUp(context)
      await walkBack(isPresent ? [] : this.#listEvents(groups), rows, walk)
      return isPresent ? 0 : this.#log.last
    } finally {
      release()
    }
  }
}

/** The row before an event. A column that is newer than the event keeps its value. */
const undo = ({ table, before, isCheck }: RowEvent, after: AnyRow | undefined): AnyRow | null => {
  if (before === null) return null
  if (isCheck && table !== 'site') return after ?? null
  if (isCheck) return after ? { ...pickColumns(table, after), checkedAt: (before as SiteRow).checkedAt } : null
  if (table === 'role' && (before as CountedRow<'role'>).notAt === null)
    return { ...before, notAt: (after as CountedRow<'role'> | undefined)?.notAt ?? [] }
  return before
}

/** Undoes the changes until each day. */
const walkBack = async (events: readonly RowEvent[], rows: Rows, { days, onDay, onEvent }: Walk): Promise<void> => {
  const rest = createTimeSlices()
  let at = 0
  for (const day of days) {
    for (let event = events[at]; event !== undefined && event.day > day; event = events[++at]) {
      const after = rows.get(event.table, event.key)
      onEvent?.(event, after)
      rows.set(event.table, event.key, undo(event, after))
      await rest()
    }
    await onDay(day, rows)
    rows.forgetTouched()
    await rest()
  }
}

const getHistory = memoize((_model: AppContext['readModel']) => new History())

/** Walks from the present back in time. Returns the last number up to which the history was certain to be complete. */
export const walkHistory = (context: AppContext, walk: Walk): Promise<number> => getHistory(context.readModel).walk(context, walk)

/** Reads the history before anyone asks for it. */
export const readHistory = (context: AppContext): Promise<void> => getHistory(context.readModel).read(context)
