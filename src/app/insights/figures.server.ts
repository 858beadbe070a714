import { type RawBuilder, sql } from 'kysely'

import { isActive } from '../../contract/status.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { createTimeSlices, nextTurn } from '../../platform/server/time-slices.ts'
import type { CountedRow } from './event-log.server.ts'
import { type CountedGroup, type Rows, walkHistory } from './history.server.ts'

/** Where something counts: `_id`s and a facility type, empty if there is none. */
export interface Place {
  readonly region: string
  readonly brand: string
  readonly charter: string
  readonly type: string
}
export const PLACES = ['region', 'brand', 'charter', 'type'] as const

/** Something that is counted at the end of each day. */
export interface Measure {
  readonly name: string
  /** The records that count. */
  readonly of: 'site' | 'charter'
  /** What is read besides places. */
  readonly from?: CountedGroup
  /** What is known of each figure besides its place. */
  readonly facets: readonly string[]
  /** What a record counts at the end of a day. */
  readonly count: (rows: Rows, key: string, on: string, add: (place: Place, facets: readonly string[], value: number) => void) => void
  /** It depends on the day, not only on the record. */
  readonly changesDaily?: true
  /** Its facets are texts of people, which are not stored a second time. */
  readonly isNotKept?: true
}

/** The figures of a day: the place and the facets of each, as one text, and its value. */
export type Cells = ReadonlyMap<string, number>
const SEPARATOR = '\n'
export const splitCell = (cell: string): readonly string[] => cell.split(SEPARATOR)

/** The figures of a measure on the day that a walk has reached: only records that changed are counted again. */
class Tally {
  readonly #measure: Measure
  readonly #touched = new Set<string>()
  #isNew = true
  /** What each record counts. */
  readonly #parts = new Map<string, readonly (readonly [cell: string, value: number])[]>()
  readonly #sums = new Map<string, { value: number; records: number }>()

  constructor(measure: Measure) {
    this.#measure = measure
  }

  /** Remembers what has changed on days that are not counted. */
  touch({ touched }: Rows): void {
    if (!this.#isNew) for (const key of touched[this.#measure.of]) this.#touched.add(key)
  }

  #add([cell, value]: readonly [cell: string, value: number], sign: 1 | -1): void {
    const sum = this.#sums.get(cell) ?? { value: 0, records: 0 }
    sum.value += sign * value
    sum.records += sign
    if (sum.records === 0) this.#sums.delete(cell)
    else this.#sums.set(cell, sum)
  }

  async count(rows: Rows, on: string, rest: () => Promise<void>): Promise<Cells> {
    const { of, count, changesDaily } = this.#measure
    const isWhole = this.#isNew || changesDaily === true
    for (const key of isWhole ? new Set([...rows.tables[of].keys(), ...this.#parts.keys()]) : this.#touched) {
      for (const part of this.#parts.get(key) ?? []) this.#add(part, -1)
      const parts: (readonly [cell: string, value: number])[] = []
      count(rows, key, on, ({ region, brand, charter, type }, facets, value) => {
        const part = [[region, brand, charter, type, ...facets].join(SEPARATOR), value] as const
        parts.push(part)
        this.#add(part, 1)
      })
      this.#parts.set(key, parts)
      await rest()
    }
    this.#touched.clear()
    this.#isNew = false
    return new Map(this.#sums.entries().map(([cell, { value }]) => [cell, value]))
  }
}

export const toPlace = (rows: Rows, { region, charter, category }: CountedRow<'site'>): Place => ({
  region: region ?? '',
  charter: charter ?? '',
  brand: (charter !== null && rows.tables.charter.get(charter)?.brand) || '',
  type: category ?? '',
})

interface PlacedSite {
  readonly key: string
  readonly site: CountedRow<'site'>
  readonly place: Place
}

/** A site that is not archived, with its place. */
export const findSite = (rows: Rows, key: string): PlacedSite | undefined => {
  const site = rows.tables.site.get(key)
  return site?.archivedAt === null ? { key, site, place: toPlace(rows, site) } : undefined
}

/** The same of an open one. */
export const findOpenSite = (rows: Rows, key: string): PlacedSite | undefined => {
  const site = rows.tables.site.get(key)
  return site && isActive(site.status) ? findSite(rows, key) : undefined
}

export function* listOpenSites(rows: Rows): Generator<PlacedSite> {
  for (const key of rows.tables.site.keys()) {
    const found = findOpenSite(rows, key)
    if (found) yield found
  }
}

interface Wanted {
  readonly measure: Measure
  readonly day: string
}
type Found = Map<Measure, Map<string, Cells>>

interface KeptDay {
  readonly measure: string
  readonly day: string
  readonly cells: Readonly<Record<string, number>>
}

/** The days that are kept and still true: no change since is one of that day or an earlier one. */
const selectKept = ({ configuration }: AppContext, wanted: readonly Wanted[]): RawBuilder<unknown> => sql`
  with kept as materialized (
    select measure, day, through from insight_day
    where (measure, day) in (select * from unnest(${wanted.map(({ measure }) => measure.name)}::text[], ${wanted.map(({ day }) => day)}::date[]))
      and "timeZone" = ${configuration.timeZone}),
  changed as materialized (
    select through, (select min(at at time zone ${configuration.timeZone})::date from change where _id > through) as since
    from (select distinct through from kept) as known)
  select measure, day from kept join changed using (through) where since is null or day < since`

/** Keeps the days of the past, one at a time, so that others do not wait. */
const saveDays = async (
  { db }: AppContext,
  found: Found,
  columns: { readonly through: number; readonly timeZone: string },
  today: string,
) => {
  for (const [{ name, isNotKept }, cellsOfDays] of found)
    for (const [day, cells] of cellsOfDays) {
      if (isNotKept || day >= today) continue
      await nextTurn()
      const kept = { ...columns, cells: JSON.stringify(Object.fromEntries(cells)) }
      await db
        .insertInto('insight_day')
        .values({ measure: name, day, ...kept })
        .onConflict((conflict) => conflict.columns(['measure', 'day']).doUpdateSet(kept))
        .execute()
    }
}

/** Counts days, all that are wanted at one moment in one walk through the history. */
export class Figures {
  readonly #context: AppContext
  readonly #parts = new Map<string, readonly string[]>()
  #wanted: Wanted[] = []
  #found: Promise<Found> | undefined
  #saving: Promise<void> | undefined

  constructor(context: AppContext) {
    this.#context = context
  }

  /** The parts of a cell, which most days have in common. */
  split(cell: string): readonly string[] {
    const parts = this.#parts.get(cell) ?? splitCell(cell)
    this.#parts.set(cell, parts)
    return parts
  }

  /** The figures of each day, none of which is later than today. */
  async read(measure: Measure, days: readonly string[]): Promise<readonly Cells[]> {
    this.#wanted.push(...days.map((day) => ({ measure, day })))
    this.#found ??= nextTurn().then(() => this.#count())
    const found = await this.#found
    return days.map((day) => found.get(measure)?.get(day) ?? new Map())
  }

  async #count(): Promise<Found> {
    const wanted = this.#wanted
    this.#wanted = []
    this.#found = undefined
    const found: Found = new Map(wanted.map(({ measure }) => [measure, new Map()]))
    const today = getToday(this.#context)
    const byName = new Map(wanted.map(({ measure }) => [measure.name, measure]))
    const past = wanted.filter(({ day }) => day < today)
    const rest = createTimeSlices()
    const { rows } = await sql<KeptDay>`
      select measure, day, cells from insight_day join (${selectKept(this.#context, past)}) as kept using (measure, day)`.execute(
      this.#context.db,
    )
    for (const { measure, day, cells } of rows) {
      const known = byName.get(measure)
      if (known) found.get(known)?.set(day, new Map(Object.entries(cells)))
      await rest()
    }
    const counted = await this.#countMissing(
      wanted.filter(({ measure, day }) => !found.get(measure)?.has(day)),
      today,
    )
    for (const [measure, days] of counted) for (const [day, cells] of days) found.get(measure)?.set(day, cells)
    return found
  }

  /** Keeps the days of a measure that are not kept yet, before anyone asks. */
  async keep(measure: Measure, days: readonly string[]): Promise<void> {
    const today = getToday(this.#context)
    const wanted = days.filter((day) => day < today).map((day) => ({ measure, day }))
    const { rows } = await sql<Pick<KeptDay, 'day'>>`${selectKept(this.#context, wanted)}`.execute(this.#context.db)
    const kept = new Set(rows.map(({ day }) => day))
    await this.#countMissing(
      wanted.filter(({ day }) => !kept.has(day)),
      today,
    )
    await this.#saving
  }

  /** Counts days in one walk, and keeps those of the past. The answer does not wait for that. */
  async #countMissing(wanted: readonly Wanted[], today: string): Promise<Found> {
    const { configuration } = this.#context
    const { timeZone } = configuration
    const missing = Map.groupBy(wanted, ({ day }) => day)
    const counted: Found = new Map(wanted.map(({ measure }) => [measure, new Map()]))
    if (missing.size === 0) return counted
    const tallies = new Map([...counted.keys()].map((measure) => [measure, new Tally(measure)]))
    const rest = createTimeSlices()
    const through = await walkHistory(this.#context, {
      of: [...new Set([...tallies.keys()].flatMap(({ from = [] }) => from))],
      days: [...missing.keys()].toSorted().toReversed(),
      onDay: async (day, rows) => {
        const measures = new Set(missing.get(day)?.map((one) => one.measure))
        for (const [measure, tally] of tallies) {
          tally.touch(rows)
          if (!measures.has(measure)) continue
          counted.get(measure)?.set(day, await tally.count(rows, day, rest))
        }
      },
    })
    // Otherwise it changed while they were counted. What cannot be kept is counted again.
    if (configuration.timeZone === timeZone) this.#saving = saveDays(this.#context, counted, { through, timeZone }, today).catch(() => {})
    return counted
  }
}
