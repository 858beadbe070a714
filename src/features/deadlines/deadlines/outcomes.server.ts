import { type RawBuilder, sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import { selectRowsBefore } from '../../../database/past-rows.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { Deadline } from './contract.ts'
import { type DeadlineRow, getDeadlineIndex } from './deadline-index.server.ts'
import { ReadableDeadlines } from './readable-deadlines.server.ts'
import { DEFAULT_SETTINGS } from './settings.server.ts'

/** A deadline as it was on a day: whether and when it was handled until then. */
export interface DeadlineOutcome {
  readonly deadline: Deadline
  readonly outcome: 'kept' | 'missed' | 'ahead'
  readonly handled: { readonly day: string; readonly by: string | null } | null
}

interface Handling {
  readonly record: string
  readonly at: Date
  readonly by: string | null
  readonly date: string | null
  /** It was one of each year, and moved to the next. */
  readonly isMoved: boolean
}

/** When deadlines were handled. One of each year moves to the next year then. */
const selectHandlings = (ids: readonly string[], before: Date): RawBuilder<Handling> => sql`
  select * from (
    select record, at, "actorName" as by, before ->> 'date' as date, after ->> 'state' <> 'handled' as "isMoved",
      (before ->> 'date')::date as old, (after ->> 'date')::date as new, before ->> 'yearly' as yearly, before ->> 'state' as state, _id
    from change where "table" = 'deadline' and record = any(${[...ids]}::text[]) and action = 'update' and at < ${before}) as saved
  where (not "isMoved" and state <> 'handled') or ("isMoved" and yearly = 'true' and new - old between 364 and 367)
  order by _id`

/**
 * The deadlines of a charter and of sites, or of everything, at the end of a day of which `context` is, and those of each year that were handled
 * before.
 */
export const listDeadlineOutcomes = async (
  context: AppContext,
  of: { readonly charter: string; readonly sites: readonly string[] } | null,
  on: string,
): Promise<DeadlineOutcome[]> => {
  const { db, readModel, before, configuration } = context
  // Reads texts that have just been saved; those of today have settings too.
  const settings = before ? DEFAULT_SETTINGS : (await getDeadlineIndex(context)).settings
  const { rows } = await sql<{ row: DeadlineRow }>`
    select to_jsonb(t) as row from ${before ? sql`(${selectRowsBefore('deadline', before)})` : sql`deadline`} as t
    ${of === null ? sql`` : sql`where t.charter = ${of.charter} or t.site = any(${[...of.sites]}::text[])`}`.execute(db)
  const stored = new Map(rows.map(({ row }) => [row._id, row]))
  const view = new ReadableDeadlines(readModel, on, stored, settings)
  const handlings = (await selectHandlings([...stored.keys()], before ?? context.now()).execute(db)).rows
  const toHandled = ({ at, by }: Handling) => ({ day: toIsoDay(at, configuration.timeZone), by })
  const lastHandlings = new Map(handlings.flatMap((handling) => (handling.isMoved ? [] : [[handling.record, handling] as const])))
  const toOutcome = (row: DeadlineRow): DeadlineOutcome => {
    const deadline = view.toDeadline(row)
    const last = lastHandlings.get(row._id)
    if (row.state !== 'handled') return { deadline, outcome: deadline.date < on ? 'missed' : 'ahead', handled: null }
    const handled = last ? toHandled(last) : null
    return { deadline, outcome: handled !== null && handled.day > deadline.date ? 'missed' : 'kept', handled }
  }
  const moved = handlings.flatMap((handling): DeadlineOutcome[] => {
    const row = stored.get(handling.record)
    if (!row || !handling.isMoved || handling.date === null) return []
    const handled = toHandled(handling)
    const deadline = { ...view.toDeadline(row), date: handling.date, state: 'handled' as const }
    return [{ deadline, outcome: handled.day > handling.date ? 'missed' : 'kept', handled }]
  })
  const rest = createTimeSlices()
  const found: DeadlineOutcome[] = []
  for (const row of stored.values()) {
    if (view.isDeadline(row)) found.push(toOutcome(row))
    await rest()
  }
  return [...found, ...moved].toSorted((a, b) => (a.deadline.date < b.deadline.date ? -1 : a.deadline.date > b.deadline.date ? 1 : 0))
}
