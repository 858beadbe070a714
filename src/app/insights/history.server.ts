import { type RawBuilder, sql } from 'kysely'

import { memoize } from '../../contract/memoize.ts'
import type { Status } from '../../contract/status.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { CompleteHistory, type MomentRow } from '../../platform/server/change-poll.ts'
import { Semaphore } from '../../platform/server/semaphore.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'

type Text = string | null
const asText = (text: Text): Text => text
const asKey = (text: Text): string => text ?? ''
const asNumber = (text: Text): number | null => (text === null ? null : Number(text))
const asFlag = (text: Text): boolean => text === 'true'

/** The columns that insights count, and how the text of each is read. */
const COLUMNS = {
  site: {
    displayName: asKey,
    status: (text: Text) => (text ?? 'ACTIVE') as Status,
    region: asText,
    charter: asText,
    category: asText,
    archivedAt: asText,
    checkedAt: asText,
  },
  charter: { name: asKey, brand: asText, status: (text: Text) => (text ?? 'ACTIVE') as Status, studentCount: asNumber, archivedAt: asText },
  facility: {
    lease_holder: asText,
    lease_end: asText,
    lease_end_open: asFlag,
    sq_footage: asText,
    base_rent: asText,
    guarantor: asText,
  },
  site_person: { site: asKey, person: asKey, role: asKey },
  person: { archivedAt: asText },
  role: { name: asKey, notAt: (text: Text) => (text === null ? null : (JSON.parse(text) as readonly string[])) },
} as const

type Columns = typeof COLUMNS
export type CountedTable = keyof Columns
type AnyFunction = (text: Text) => unknown
/** What insights know of a row. */
export type CountedRow<T extends CountedTable> = {
  readonly [C in keyof Columns[T]]: Columns[T][C] extends AnyFunction ? ReturnType<Columns[T][C]> : never
}
type AnyRow = { readonly [T in CountedTable]: CountedRow<T> }[CountedTable]
const TABLES = Object.keys(COLUMNS) as CountedTable[]
const listColumns = (table: CountedTable): string[] => Object.keys(COLUMNS[table])

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

interface StoredEvent {
  readonly id: number
  readonly record: string
  readonly day: string
  readonly isCheck: boolean
  readonly isNew: boolean
  readonly [column: `c${number}`]: Text
}

/** What changes without a change of these columns is left out; people are read only for whether they are archived. */
const RELEVANT: Readonly<Partial<Record<CountedTable, RawBuilder<unknown>>>> = {
  person: sql`and c.action = 'update' and c.before ->> 'archivedAt' is distinct from c.after ->> 'archivedAt'`,
}

const selectEvents = (table: CountedTable, after: number, timeZone: string): RawBuilder<StoredEvent> => {
  const columns = listColumns(table)
  return sql<StoredEvent>`
    select c._id::float8 as id, c.record, (c.at at time zone ${timeZone})::date::text as day, c.action in ('check', 'uncheck') as "isCheck",
      c.before is null as "isNew", ${sql.join(columns.map((column, at) => sql`b.${sql.ref(column)} as ${sql.ref(`c${at}`)}`))}
    from change as c left join lateral jsonb_to_record(c.before) as b (${sql.join(columns.map((column) => sql`${sql.ref(column)} text`))}) on true
    where c."table" = ${table} and c._id > ${after} and not (c.action = 'insert' and c."actorName" is not distinct from 'Homeroom')
      ${RELEVANT[table] ?? sql``}
    order by c._id`
}

const READERS = Object.fromEntries(TABLES.map((table) => [table, Object.entries(COLUMNS[table])])) as unknown as Readonly<
  Record<CountedTable, readonly (readonly [column: string, read: AnyFunction])[]>
>

/** Without `Object.fromEntries`, which takes three times as long: a history has ten thousands of rows. */
const toRow = (table: CountedTable, getText: (column: string, at: number) => Text): AnyRow => {
  const row: Record<string, unknown> = {}
  let at = 0
  for (const [column, read] of READERS[table]) row[column] = read(getText(column, at++))
  return row as unknown as AnyRow
}

const toEvent = (table: CountedTable, stored: StoredEvent): RowEvent => ({
  id: stored.id,
  table,
  key: stored.record,
  day: stored.day,
  isCheck: stored.isCheck,
  before: stored.isNew ? null : toRow(table, (_, at) => stored[`c${at}`] ?? null),
})

/** The rows of one moment, by table and key. */
export class Rows {
  readonly tables = Object.fromEntries(TABLES.map((table) => [table, new Map()])) as {
    readonly [T in CountedTable]: Map<string, CountedRow<T>>
  }
  /** The positions of each site. */
  readonly positions = new Map<string, Map<string, CountedRow<'site_person'>>>()

  set(table: CountedTable, key: string, row: AnyRow | null): void {
    const rows = this.tables[table] as Map<string, AnyRow>
    if (table === 'site_person') {
      const old = rows.get(key) as CountedRow<'site_person'> | undefined
      if (old) this.positions.get(old.site)?.delete(key)
      const position = row as CountedRow<'site_person'> | null
      if (position) {
        const others = this.positions.get(position.site)
        if (others) others.set(key, position)
        else this.positions.set(position.site, new Map([[key, position]]))
      }
    }
    if (row) rows.set(key, row)
    else rows.delete(key)
  }
}

const toText = (value: unknown): Text =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

const readPresent = async ({ readModel }: AppContext): Promise<Rows> => {
  await readModel.ready()
  const rest = createTimeSlices()
  const rows = new Rows()
  for (const table of TABLES) {
    const key = table === 'facility' ? 'site' : '_id'
    for (const row of readModel.table(table).allWithArchived()) {
      const values = row as unknown as Readonly<Record<string, unknown>>
      if (table === 'person' && values['archivedAt'] === null) continue
      rows.set(
        table,
        String(values[key]),
        toRow(table, (column) => toText(values[column])),
      )
      await rest()
    }
  }
  return rows
}

/** The days on which the rows are visited, and what is done with each change on the way. */
export interface Walk {
  /** The last one first. */
  readonly days: readonly string[]
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
    for (const table of TABLES) {
      const stored = await selectEvents(table, this.#last, timeZone).execute(db)
      for (const one of stored.rows) {
        added.push(toEvent(table, one))
        await rest()
      }
    }
    if (added.length > 0) {
      // What was read before but may have been incomplete is read again.
      const events = this.#events.filter(({ id }) => id <= this.#last).concat(added)
      this.#events = withLatestDays(events.toSorted((a, b) => a.id - b.id))
    }
    const [moment] = rows
    if (moment) this.#last = this.#complete.advance(moment)
  }

  /** The present rows, which no walk changes. */
  async #readPresent(context: AppContext): Promise<Rows> {
    const { revision } = context.readModel
    if (this.#present?.revision === revision) return this.#present.rows
    const rows = await readPresent(context)
    this.#present = { revision, rows }
    return rows
  }

  async walk(context: AppContext, walk: Walk): Promise<number> {
    const release = await this.#turn.acquire()
    try {
      const today = getToday(context)
      // Nothing has changed since the end of today.
      const isPresent = walk.days.every((day) => day >= today)
      const rows = await (isPresent ? this.#readPresent(context) : readPresent(context))
      if (!isPresent) await this.#catchUp(context)
      await walkBack(isPresent ? [] : this.#events, rows, walk)
      return this.#last
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

/** A change counts from the latest day of those before it: a record is as it was before the first change after a day. */
const withLatestDays = (events: readonly RowEvent[]): RowEvent[] => {
  const latest = new Map<string, string>()
  const dated = events.map((event): RowEvent => {
    const name = `${event.table} ${event.key}`
    const before = latest.get(name)
    const day = before !== undefined && before > event.day ? before : event.day
    latest.set(name, day)
    return day === event.day ? event : { ...event, day }
  })
  return dated.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : b.id - a.id))
}

/** The row before an event. A column that is newer than the event keeps its value. */
const undo = ({ table, before, isCheck }: RowEvent, after: AnyRow | undefined): AnyRow | null => {
  if (before === null) return null
  if (isCheck) return after ? { ...after, checkedAt: (before as CountedRow<'site'>).checkedAt } : null
  if (table === 'role' && (before as CountedRow<'role'>).notAt === null) return { ...before, notAt: (after as CountedRow<'role'>)?.notAt }
  return before
}

const walkBack = async (events: readonly RowEvent[], rows: Rows, { days, onDay, onEvent }: Walk): Promise<void> => {
  const rest = createTimeSlices()
  let at = 0
  const walkTo = async (day: string): Promise<void> => {
    for (let event = events[at]; event !== undefined && event.day > day; event = events[++at]) {
      const after = rows.tables[event.table].get(event.key)
      onEvent?.(event, after)
      rows.set(event.table, event.key, undo(event, after))
      await rest()
    }
  }
  for (const day of days) {
    await walkTo(day)
    await onDay(day, rows)
    await rest()
  }
}

const getHistory = memoize((_model: AppContext['readModel']) => new History())

/** Walks from the present back in time. Returns the last number up to which the history was certain to be complete. */
export const walkHistory = (context: AppContext, walk: Walk): Promise<number> => getHistory(context.readModel).walk(context, walk)
