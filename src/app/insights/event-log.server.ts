import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { CompleteHistory, type MomentRow } from '../../platform/server/change-poll.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
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
const TABLES = Object.keys(COLUMNS) as CountedTable[]
/** What insights know of a row. */
export type CountedRow<T extends CountedTable> = Pick<ModelRow<T>, (typeof COLUMNS)[T][number] & keyof ModelRow<T>>
export type AnyRow = { readonly [T in CountedTable]: CountedRow<T> }[CountedTable]

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

/** How many numbers of the history are read at a time. */
const BATCH_SIZE = 20_000

/** The values of `COLUMNS` in a row of the query. */
const selectColumns = (row: string): RawBuilder<unknown> =>
  sql`case c."table" ${sql.join(
    TABLES.map(
      (table) =>
        sql`when ${sql.lit(table)} then jsonb_build_array(${sql.join(COLUMNS[table].map((column) => sql.ref(`${row}.${column}`)))})`,
    ),
    sql` `,
  )} end`

/**
 * The changes between two numbers. Each row is unpacked once, for all of its columns. What changes no more than other columns is left out; people are
 * read only for whether they are archived.
 */
const selectEvents = (after: number, timeZone: string): RawBuilder<StoredEvent> => {
  const columns = new Set(Object.values(COLUMNS).flat())
  const row = sql.join([...columns].map((column) => sql`${sql.ref(column)} jsonb`))
  return sql<StoredEvent>`
    select c._id::float8 as id, c."table", c.record as key, (c.at at time zone ${timeZone})::date::text as day,
      c.action in ('check', 'uncheck') as "isCheck", case when c.before is not null then ${selectColumns('b')} end as before
    from change as c left join lateral jsonb_to_record(c.before) as b(${row}) on true
      left join lateral jsonb_to_record(c.after) as a(${row}) on c.action = 'update'
    where c._id > ${after} and c._id <= ${after + BATCH_SIZE} and c."table" in (${sql.join(TABLES)})
      and (c."table" <> 'person' or c.action = 'update')
      and case c.action when 'insert' then c."actorName" is distinct from 'Homeroom'
        when 'update' then ${selectColumns('b')} <> ${selectColumns('a')} else true end
    order by c._id`
}

const toRow = (table: CountedTable, values: readonly unknown[]): AnyRow => {
  const row: Record<string, unknown> = {}
  let at = 0
  for (const column of COLUMNS[table]) row[column] = values[at++]
  return row as unknown as AnyRow
}

/** The columns that insights count, of a row that may have others. */
export const pickColumns = (table: CountedTable, row: AnyRow): AnyRow =>
  toRow(
    table,
    COLUMNS[table].map((column) => (row as unknown as Readonly<Record<string, unknown>>)[column]),
  )

/** The changes by their number, up to the last one that is certain to be complete, and those known after it. */
export class EventLog {
  readonly #complete = new CompleteHistory()
  #last = 0
  #begin: string | null = null
  #events: readonly RowEvent[] = []
  readonly timeZone: string

  constructor(timeZone: string) {
    this.timeZone = timeZone
  }

  get events(): readonly RowEvent[] {
    return this.#events
  }
  get last(): number {
    return this.#last
  }

  async catchUp(db: Queryable): Promise<void> {
    const { rows } = await sql<MomentRow & { begin: string | null }>`
      select (select min(at)::text from change) as begin, (select coalesce(max(_id), 0)::float8 from change) as last, pg_snapshot_xmin(s)::text::float8 as oldest,
        pg_snapshot_xmax(s)::text::float8 as next from pg_current_snapshot() as s`.execute(db)
    const [moment] = rows
    if (moment === undefined) return
    // Someone has given its rows other times.
    if (moment.begin !== this.#begin) this.#last = 0
    this.#begin = moment.begin
    const rest = createTimeSlices()
    const added: RowEvent[] = []
    // Equal texts, such as days and ids, are one in memory.
    const texts = new Map<unknown, unknown>()
    const share = <Value>(value: Value): Value => {
      if (typeof value !== 'string') return value
      if (!texts.has(value)) texts.set(value, value)
      return texts.get(value) as Value
    }
    for (let after = this.#last; after < moment.last; after += BATCH_SIZE)
      for (const { id, table, key, day, before, isCheck } of (await selectEvents(after, this.timeZone).execute(db)).rows) {
        const row = before && toRow(table, before.map(share))
        added.push({ id, table: share(table), key: share(key), day: share(day), before: row, isCheck })
        await rest()
      }
    // What was read before but may have been incomplete is read again.
    if (added.length > 0)
      this.#events = append(
        this.#events.filter(({ id }) => id <= this.#last),
        added,
      )
    this.#last = this.#complete.advance(moment)
  }
}

/** A change counts from the latest day of those before it: a record is as it was before the first change after a day. */
const append = (known: readonly RowEvent[], added: readonly RowEvent[]): readonly RowEvent[] => {
  const latest = new Map(TABLES.map((table) => [table, new Map<string, string>()]))
  for (const { table, key } of added) latest.get(table)?.set(key, '')
  for (const { table, key, day } of known) if (latest.get(table)?.has(key)) latest.get(table)?.set(key, day)
  const dated = added.map((event) => {
    const before = latest.get(event.table)?.get(event.key) ?? ''
    if (before > event.day) return { ...event, day: before }
    latest.get(event.table)?.set(event.key, event.day)
    return event
  })
  return known.concat(dated)
}

/** The newest first. */
export const sortByDay = (events: readonly RowEvent[]): RowEvent[] => {
  const days = Map.groupBy(events, ({ day }) => day)
  return [...days.keys()]
    .toSorted()
    .toReversed()
    .flatMap((day) => (days.get(day) ?? []).toSorted((a, b) => b.id - a.id))
}
