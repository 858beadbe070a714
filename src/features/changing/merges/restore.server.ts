import { sql } from 'kysely'

import { Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { restoreMoved } from './references.server.ts'

/** Checks that a merge can be undone: neither record may have been archived or merged since, and an undone merge is made again by merging. */
export const assertCanUndoMerge = async (tx: Tx, changeset: string, undoes: string | null): Promise<void> => {
  const found = await tx
    .selectFrom('merge')
    .selectAll()
    .where('changeset', 'in', [changeset, ...(undoes === null ? [] : [undoes])])
    .executeTakeFirst()
  if (!found) return
  if (found.changeset === undoes) throw new Problem(409, 'This undid a merge', { detail: 'Merge the two records again.' })
  const { rows } = await sql<{ _id: string; archivedAt: string | null; mergedInto: string | null }>`
    select _id, "archivedAt", "mergedInto" from ${sql.table(found.kind)} where _id in (${found.kept}, ${found.merged}) order by _id for update`.execute(
    tx,
  )
  const kept = rows.find(({ _id }) => _id === found.kept)
  const merged = rows.find(({ _id }) => _id === found.merged)
  if (kept && kept.mergedInto !== null)
    throw new Problem(409, 'This was merged again afterwards', { detail: 'Undo the later merge first.' })
  if (kept?.archivedAt !== null || merged?.mergedInto !== found.kept)
    throw new Problem(409, 'One of these records was archived or restored afterwards', { detail: 'Restore the record that stayed first.' })
}

/** Restores what a merge moved and the history does not have. */
export const undoMoves = async (tx: Tx, changeset: string): Promise<void> => {
  const found = await tx.selectFrom('merge').select('moved').where('changeset', '=', changeset).executeTakeFirst()
  if (found) await restoreMoved(tx, found.moved)
}
