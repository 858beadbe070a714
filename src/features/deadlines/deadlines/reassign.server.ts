import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { listNamed, type NamedInSettings, readStoredDeadlineSettings, replaceInSettings } from './settings.server.ts'

/** What was reassigned from someone who left. */
export interface ReassignedWork {
  readonly to: string
  readonly deadlines: readonly string[]
  readonly settings: readonly NamedInSettings[]
}

/** The number of open and snoozed deadlines assigned to a person, and of settings that name them. */
export const countDeadlinesOf = async (db: Queryable, person: string): Promise<{ deadlines: number; settings: number }> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deadline where responsible = ${person} and state <> 'handled' and "isCurrent" and (date is not null or "proposedDates" is not null)`.execute(
    db,
  )
  const { kinds } = await readStoredDeadlineSettings(db)
  return { deadlines: rows[0]?.count ?? 0, settings: listNamed(kinds, person).length }
}

/** Reassigns the unhandled deadlines of a person, and the settings that name them. */
export const reassignDeadlines = async (tx: Tx, from: string, to: string): Promise<ReassignedWork> => {
  const { rows } = await sql<{ _id: string }>`
    update deadline set responsible = ${to} where responsible = ${from} and state <> 'handled' returning _id`.execute(tx)
  return { to, deadlines: rows.map(({ _id }) => _id), settings: await replaceInSettings(tx, from, to) }
}

/** Leaves everything that a person is responsible for without anyone. */
export const releaseDeadlines = async (tx: Tx, person: string): Promise<void> => {
  await sql`update deadline set responsible = null where responsible = ${person}`.execute(tx)
  await replaceInSettings(tx, person, null)
}

/** Assigns everything that the other person still has back to the first person. */
export const restoreDeadlines = async (tx: Tx, from: string, { to, deadlines, settings }: ReassignedWork): Promise<void> => {
  await sql`update deadline set responsible = ${from} where _id = any(${[...deadlines]}::text[]) and responsible = ${to}`.execute(tx)
  await replaceInSettings(tx, to, from, settings)
}
