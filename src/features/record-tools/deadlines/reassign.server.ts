import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { listNamed, type NamedInSettings, readStoredSettings, replaceInSettings } from './settings.server.ts'

/** What went from someone who left to someone else. */
export interface ReassignedWork {
  readonly to: string
  readonly deadlines: readonly string[]
  readonly settings: readonly NamedInSettings[]
}

/** How many open and put-off deadlines name a person, and how many settings do. */
export const countDeadlinesOf = async (db: Queryable, person: string): Promise<{ deadlines: number; settings: number }> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deadline where responsible = ${person} and state <> 'handled' and "isCurrent" and date is not null`.execute(
    db,
  )
  const { kinds } = await readStoredSettings(db)
  return { deadlines: rows[0]?.count ?? 0, settings: listNamed(kinds, person).length }
}

/** Gives the deadlines of a person that are not handled, and the settings that name them, to someone else. */
export const reassignDeadlines = async (tx: Tx, from: string, to: string): Promise<ReassignedWork> => {
  const { rows } = await sql<{ _id: string }>`
    update deadline set responsible = ${to} where responsible = ${from} and state <> 'handled' returning _id`.execute(tx)
  return { to, deadlines: rows.map(({ _id }) => _id), settings: await replaceInSettings(tx, from, to) }
}

/** Gives back what the other person still has. */
export const restoreDeadlines = async (tx: Tx, from: string, { to, deadlines, settings }: ReassignedWork): Promise<void> => {
  await sql`update deadline set responsible = ${from} where _id = any(${[...deadlines]}::text[]) and responsible = ${to}`.execute(tx)
  await replaceInSettings(tx, to, from, settings)
}
