import { type RawBuilder, sql } from 'kysely'

import { memoize } from '../../contract/memoize.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { CompleteHistory, type MomentRow } from '../../platform/server/change-poll.ts'
import { getText } from '../../platform/server/read-model/table-rows.ts'
import { getTable, type ModelRow } from '../../platform/server/read-model/tables.ts'
import { Semaphore } from '../../platform/server/semaphore.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'

/** The columns that insights count. */
const COLUMNS = {
  site: ['status', 'region', 'charter', 'category', 'archivedAt', 'checkedAt'],
  charter: ['brand', 'status', 'studentCount', 'archivedAt'],
  facility: ['lease_holder', 'lease_end', 'lease_end_open', 'sq_footage', 'base_rent', 'guarantor'],
  site_person: ['site', 'person', 'role'],
  person: ['archivedAt'],
  role: ['name', 'notAt'],
} as const

export type CountedTable = keyof typeof COLUMNS
/** What insights know of a row. */
export type CountedRow<T extends CountedTable> = Pick<ModelRow<T>, (typeof COLUMNS)[T][number] & keyof ModelRow<T>>
type AnyRow = { readonly [T in CountedTable]: CountedRow<T> }[CountedTable]
const TABLES = Object.keys(COLUMNS) as CountedTable[]

/** A change of a row, with the row before it; null if it did not exist. */
export interface RowEvent {
  readonly id: number
  readonly table: CountedTable
  readonly key: string
  /** The day of the change in the organization's time zone. */
  readonly day: string
  readonly before: AnyRow | null
  /** A check sets when a row was checked, and nothing else. */
  readonly isCheck: boolean
}

interface StoredEvent extends Omit<RowEvent, 'before'> {
  /** The values of `COLUMNS`. */
  readonly before: readonly unknown[] | null
}

const selectColumns = (row: string): RawBuilder<unknown> => {
  const toArray = (table: CountedTable) =>
    sql`when ${sql.lit(table)} then jsonb_build_array(${sql.join(COLUMNS[table].map((column) => sql`${sql.ref(row)} -> ${sql.lit(column)}`))})`
  return sql`case c."table" ${sql.join(TABLES.map(toArray), sql` `)} end`
}

/** So many are in memory as text at the same time. */
const BATCH_SIZE = 5000

/** The next changes, without those that change none of the columns; people are read only for whether they are archived. */
const selectEvents = (after: number, timeZone: string): RawBuilder<StoredEvent> => sql<StoredEvent>`
  select c._id::float8 as id, c."table", c.record as key, (c.at at time zone ${timeZone})::date::text as day,
    c.action in ('check', 'uncheck') as "isCheck", case when c.before is not null then ${selectColumns('c.before')} end as before
  from change as c
  where c._id > ${after} and c."table" = any(${TABLES}::text[])
    and case c.action
      when 'insert' then c."table" <> 'person' and c."actorName" is distinct from 'Homeroom'
      when 'update' then ${selectColumns('c.before')} <> ${selectColumns('c.after')}
      else c."table" <> 'person' end
  order by c._id limit ${BATCH_SIZE}`

const toRow = (table: CountedTable, values: readonly unknown[]): AnyRow => {
  const row: Record<string, unknown> = {}
  let at = 0
  for (const column of COLUMNS[table]) row[column] = values[at++]
  return row as unknown as AnyRow
}

const pickColumns = (table: CountedTable, row: AnyRow): AnyRow =>
  toRow(
    table,
    COLUMNS[table].map((column) => (row as unknown as Readonly<Record<string, unknown>>)[column]),
  )

const toEvent = ({ before, ...event }: StoredEvent): RowEvent => ({ ...event, before: before && toRow(event.table, before) })

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
const isSamePlace = (a: SiteRow | undefined, b: SiteRow | null): boolean =>
  a?.region === b?.region && a?.charter === b?.charter && a?.category === b?.category && a?.archivedAt === b?.archivedAt

/** The rows of one moment, by table and key. */
export class Rows {
  readonly tables = Object.fromEntries(TABLES.map((table) => [table, new Map()])) as {
    readonly [T in CountedTable]: Map<string, CountedRow<T>>
  }
  readonly sitesOfCharter = new Groups<string>()
  readonly positionsOfSite = new Groups<CountedRow<'site_person'>>()
  readonly positionsOfPerson = new Groups<CountedRow<'site_person'>>()
  readonly touched: Touched = { site: new Set(), place: new Set(), charter: new Set(), person: new Set() }

  get(table: CountedTable, key: string): AnyRow | undefined {
    return this.tables[table].get(key)
  }

  set(table: CountedTable, key: string, row: AnyRow | null): void {
    const rows = this.tables[table] as Map<string, AnyRow>
    const old = rows.get(key)
    if (row) rows.set(key, row)
    else rows.delete(key)
    const { site, charter, person } = this.touched
    switch (table) {
      case 'site':
        return this.#setSite(key, old as SiteRow | undefined, row as SiteRow | null)
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
        this.#setPosition(old as CountedRow<'site_person'> | undefined, row as CountedRow<'site_person'> | null)
    }
  }

  #touchPlace(key: string): void {
    this.touched.site.add(key)
    this.touched.place.add(key)
  }

  #setSite(key: string, old: SiteRow | undefined, row: SiteRow | null): void {
    const isMoved = !isSamePlace(old, row)
    if (!isMoved && old?.status === row?.status) return
    this.touched.site.add(key)
    if (isMoved) this.#touchPlace(key)
    for (const charter of [old?.charter, row?.charter]) if (charter) this.touched.charter.add(charter)
    if (old?.charter === row?.charter) return
    if (old) this.sitesOfCharter.remove(old.charter, key)
    if (row) this.sitesOfCharter.add(row.charter, key)
  }

  #setPosition(old: CountedRow<'site_person'> | undefined, row: CountedRow<'site_person'> | null): void {
    if (old) {
      this.positionsOfSite.remove(old.site, old)
      this.positionsOfPerson.remove(old.person, old)
    }
    if (row) {
      this.positionsOfSite.add(row.site, row)
      this.positionsOfPerson.add(row.person, row)
    }
    for (const position of [old, row])
      if (position) {
        this.touched.site.add(position.site)
        this.touched.person.add(position.person)
      }
  }

  forgetTouched(): void {
    for (const keys of Object.values(this.touched)) keys.clear()
  }
}

const readPresent = async ({ readModel }: AppContext): Promise<Rows> => {
  await readModel.ready()
  const rest = createTimeSlices()
  const rows = new Rows()
  for (const table of TABLES) {
    const { key } = getTable(table)
    for (const row of readModel.table(table).allWithArchived()) {
      if (table === 'person' && (row as ModelRow<'person'>).archivedAt === null) continue
      rows.set(table, getText(row, key), row as unknown as AnyRow)
      await rest()
    }
  }
  rows.forgetTouched()
  return rows
}

/** The days on which the rows are visited, and what is done with each change on the way. */
export interface Walk {
  /** The last one first. */
  readonly days: readonly string[]
  /** `rows.touched` are the records that changed between this day and the one that was visited before. */
  readonly onDay: (day: string, rows: Rows) => Promise<void> | void
  readonly onEvent?: (event: RowEvent, after: AnyRow | undefined) => void
}

const KEEP_MS = 600_000

/**
 * The changes of all that insights count, newest first. From the present rows it walks back in time: the rows of a day are the present ones, without
 * the changes since. Kept for ten minutes, and caught up with before each use.
 */
class History {
  #complete = new CompleteHistory()
  #last = 0
  #timeZone = ''
  #events: RowEvent[] = []
  #present: { readonly revision: number; readonly rows: Rows } | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #turn = new Semaphore(1)

  async #catchUp({ db, configuration }: AppContext): Promise<void> {
    const { timeZone } = configuration
    if (timeZone !== this.#timeZone) this.#forget()
    this.#timeZone = timeZone
    const { rows } = await sql<MomentRow>`
      select (select coalesce(max(_id), 0)::float8 from change) as last, pg_snapshot_xmin(s)::text::float8 as oldest,
        pg_snapshot_xmax(s)::text::float8 as next from pg_current_snapshot() as s`.execute(db)
    const rest = createTimeSlices()
    const added: RowEvent[] = []
    for (let after: number | undefined = this.#last; after !== undefined;) {
      const stored: readonly StoredEvent[] = (await selectEvents(after, timeZone).execute(db)).rows
      for (const one of stored) {
        added.push(toEvent(one))
        await rest()
      }
      after = stored.length === BATCH_SIZE ? stored.at(-1)?.id : undefined
    }
    // What was read before but may have been incomplete is read again.
    if (added.length > 0) this.#events = sortByDay(this.#events.filter(({ id }) => id <= this.#last).concat(added))
    const [moment] = rows
    if (moment) this.#last = this.#complete.advance(moment)
  }

  async #readPresent(context: AppContext): Promise<Rows> {
    const { revision } = context.readModel
    if (this.#present?.revision !== revision) this.#present = { revision, rows: await readPresent(context) }
    return this.#present.rows
  }

  async walk(context: AppContext, walk: Walk): Promise<number> {
    const release = await this.#turn.acquire()
    try {
      const rows = await this.#readPresent(context)
      const today = getToday(context)
      // Nothing has changed since the end of today.
      const isPresent = walk.days.every((day) => day >= today)
      if (!isPresent) await this.#catchUp(context)
      await walkBack(isPresent ? [] : this.#events, rows, walk)
      return this.#last
    } catch (error) {
      this.#present = undefined // its rows may be those of a past day
      throw error
    } finally {
      release()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#forget(), KEEP_MS).unref()
    }
  }

  #forget(): void {
    this.#events = []
    this.#present = undefined
    this.#last = 0
    this.#complete = new CompleteHistory()
  }
}

/** The newest first. A change counts from the latest day of those before it: a record is as it was before the first change after a day. */
const sortByDay = (events: readonly RowEvent[]): RowEvent[] => {
  const latest = Object.fromEntries(TABLES.map((table) => [table, new Map<string, string>()])) as Record<CountedTable, Map<string, string>>
  const dated = events
    .toSorted((a, b) => a.id - b.id)
    .map((event): RowEvent => {
    const before = latest[event.table].get(event.key) ?? ''
    if (before > event.day) return { ...event, day: before }
    latest[event.table].set(event.key, event.day)
    return event
  })
  return dated.toReversed().toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
}

/** The row before an event. A column that is newer than the event keeps its value. */
const undo = ({ table, before, isCheck }: RowEvent, after: AnyRow | undefined): AnyRow | null => {
  if (before === null) return null
  if (isCheck) return after ? { ...pickColumns('site', after), checkedAt: (before as SiteRow).checkedAt } : null
  if (table === 'role' && (before as CountedRow<'role'>).notAt === null)
    return { ...before, notAt: (after as CountedRow<'role'> | undefined)?.notAt ?? [] }
  return before
}

/** Undoes the changes until each day, and redoes them at the end. */
const walkBack = async (events: readonly RowEvent[], rows: Rows, { days, onDay, onEvent }: Walk): Promise<void> => {
  const rest = createTimeSlices()
  const afters: (AnyRow | null)[] = []
  for (const day of days) {
    for (let event = events[afters.length]; event !== undefined && event.day > day; event = events[afters.length]) {
      const after = rows.get(event.table, event.key)
      onEvent?.(event, after)
      rows.set(event.table, event.key, undo(event, after))
      afters.push(after ?? null)
      await rest()
    }
    await onDay(day, rows)
    rows.forgetTouched()
    await rest()
  }
  for (const [at, after] of [...afters.entries()].toReversed()) {
    const event = events[at]
    if (event) rows.set(event.table, event.key, after)
    await rest()
  }
  rows.forgetTouched()
}

const getHistory = memoize((_model: AppContext['readModel']) => new History())

/** Walks from the present back in time. Returns the last number up to which the history was certain to be complete. */
export const walkHistory = (context: AppContext, walk: Walk): Promise<number> => getHistory(context.readModel).walk(context, walk)
