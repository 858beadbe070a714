import { sql } from 'kysely'

import type { CheckedKind } from '../../../contract/checks.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'

/** How long people can undo their own check. */
const UNDO_MS = 3_600_000

/** Records that the actor of this transaction has checked a record. The triggers write the history. */
export const saveCheck = async (tx: Tx, kind: CheckedKind, _id: string, now: Date): Promise<void> => {
  await sql`
    update ${sql.table(kind)} set "checkedAt" = ${now}, "checkedBy" = setting_or_null('homeroom.actor_name') where _id = ${_id}`.execute(tx)
}

interface LastChange {
  readonly action: string
  readonly actor: string | null
  readonly isNow: boolean
  readonly isRecent: boolean
}

/** Undoes the last check of a record, if it was made recently by this account and the record has not changed since; throws 409 otherwise. */
export const undoCheck = async (tx: Tx, kind: CheckedKind, _id: string, account: string, now: Date): Promise<void> => {
  const table = sql.table(kind)
  await sql`select from ${table} where _id = ${_id} for update`.execute(tx)
  const { rows } = await sql<LastChange>`
    select action, actor::text as actor, (change.after ->> 'checkedAt')::timestamptz = record."checkedAt" as "isNow",
      record."checkedAt" > ${new Date(now.getTime() - UNDO_MS)}::timestamptz as "isRecent"
    from change join ${table} as record on record._id = change.record
    where change.record = ${_id} order by change._id desc limit 1`.execute(tx)
  const [last] = rows
  if (!last || last.action !== 'check' || last.actor !== account || !last.isNow || !last.isRecent)
    throw new Problem(409, 'This check cannot be undone', {
      detail: 'You can undo only your own check, within an hour, and only if nothing has changed since.',
    })
  await sql`
    update ${table} set "checkedAt" = (before ->> 'checkedAt')::timestamptz, "checkedBy" = before ->> 'checkedBy'
    from (select before from change where record = ${_id} order by change._id desc limit 1) as last where ${table}._id = ${_id}`.execute(tx)
}
