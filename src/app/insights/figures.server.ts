import { sql } from 'kysely'

import { isActive } from '../../contract/status.ts'
import { getToday } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { nextTurn } from '../../platform/server/time-slices.ts'
import { type CountedRow, type Rows, walkHistory } from './history.server.ts'

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
  /** What is known of each figure besides its place. */
  readonly facets: readonly string[]
  readonly count: (rows: Rows, on: string, add: (place: Place, facets: readonly string[], value: number) => void) => Promise<void> | void
  /** Its facets are texts of people, which are not stored a second time. */
  readonly isNotKept?: true
}

/** The figures of a day: the place and the facets of each, as one text, and its value. */
export type Cells = ReadonlyMap<string, number>
const SEPARATOR = '\n'
export const splitCell = (cell: string): readonly string[] => cell.split(SEPARATOR)

const countDay = async (measure: Measure, rows: Rows, on: string): Promise<Cells> => {
  const cells = new Map<string, number>()
  await measure.count(rows, on, ({ region, brand, charter, type }, facets, value) => {
    const cell = [region, brand, charter, type, ...facets].join(SEPARATOR)
    cells.set(cell, (cells.get(cell) ?? 0) + value)
  })
  return cells
}

type CountedSite = CountedRow<'site'> & { readonly _id: string }

export const toPlace = (rows: Rows, { region, charter, category }: CountedRow<'site'>): Place => ({
  region: region ?? '',
  charter: charter ?? '',
  brand: (charter !== null && rows.tables.charter.get(charter)?.brand) || '',
  type: category ?? '',
})

/** The sites that are not archived, with their places. */
export function* listSites(rows: Rows): Generator<readonly [site: CountedSite, place: Place]> {
  for (const [_id, site] of rows.tables.site) if (site.archivedAt === null) yield [{ ...site, _id }, toPlace(rows, site)]
}

/** The same without closed ones. */
export function* listOpenSites(rows: Rows): ReturnType<typeof listSites> {
  for (const found of listSites(rows)) if (isActive(found[0].status)) yield found
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
const readKept = async ({ db, configuration }: AppContext, wanted: readonly Wanted[]): Promise<readonly KeptDay[]> => {
  const measures = wanted.map(({ measure }) => measure.name)
  const days = wanted.map(({ day }) => day)
  const { rows } = await sql<KeptDay>`
    with kept as materialized (
      select measure, day, through, cells from insight_day
      where (measure, day) in (select * from unnest(${measures}::text[], ${days}::date[])) and "timeZone" = ${configuration.timeZone}),
    changed as materialized (
      select through, (select min(at at time zone ${configuration.timeZone})::date from change where _id > through) as since
      from (select distinct through from kept) as known)
    select measure, day, cells from kept join changed using (through)
    where since is null or day < since`.execute(db)
  return rows
}

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
    const { configuration } = this.#context
    const { timeZone } = configuration
    const today = getToday(this.#context)
    const byName = new Map(wanted.map(({ measure }) => [measure.name, measure]))
    for (const { measure, day, cells } of await readKept(
      this.#context,
      wanted.filter(({ day }) => day < today),
    )) {
      const known = byName.get(measure)
      if (known) found.get(known)?.set(day, new Map(Object.entries(cells)))
    }
    const missing = Map.groupBy(
      wanted.filter(({ measure, day }) => !found.get(measure)?.has(day)),
      ({ day }) => day,
    )
    if (missing.size === 0) return found
    const counted: Found = new Map(wanted.map(({ measure }) => [measure, new Map()]))
    const through = await walkHistory(this.#context, {
      days: [...missing.keys()].toSorted().toReversed(),
      onDay: async (day, rows) => {
        for (const measure of new Set(missing.get(day)?.map((one) => one.measure))) {
          const cells = await countDay(measure, rows, day)
          counted.get(measure)?.set(day, cells)
          found.get(measure)?.set(day, cells)
          await nextTurn()
        }
      },
    })
    // Otherwise it changed while they were counted. The answer does not wait; what cannot be kept is counted again.
    if (configuration.timeZone === timeZone) saveDays(this.#context, counted, { through, timeZone }, today).catch(() => {})
    return found
  }
}
