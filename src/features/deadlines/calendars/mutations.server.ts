import { sql } from 'kysely'

import { notFound, Problem } from '../../../contract/problem.ts'
import type { Tx, Queryable } from '../../../database/connection.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import { createSecret, hashSecret } from '../../access/session/secrets.server.ts'
import type { DeadlineSearch } from '../deadlines/contract.ts'

const MAX_CALENDARS = 50

/** A new URL, shown once. */
export interface GivenAddress {
  readonly _id: string
  readonly secret: string
  readonly filter: DeadlineSearch
  readonly version: number
}

/** Locks the account's row, so that two concurrent inserts cannot exceed the limit. */
const assertRoom = async (tx: Tx, account: string): Promise<void> => {
  await tx.selectFrom('account').select('_id').where('_id', '=', account).forUpdate().execute()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from calendar where account = ${account}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_CALENDARS)
    throw new Problem(409, `You can have at most ${MAX_CALENDARS} calendar feeds`, { detail: 'Remove one first.' })
}

interface NewCalendar {
  readonly account: string
  readonly name: string
  readonly filter: DeadlineSearch
  readonly reminderDays: number | null
  readonly createdAt: Date
}

export const insertCalendar = async (tx: Tx, { filter, ...columns }: NewCalendar): Promise<GivenAddress> => {
  await assertRoom(tx, columns.account)
  const secret = createSecret()
  const { _id, version } = await tx
    .insertInto('calendar')
    .values({ ...columns, filter: JSON.stringify(filter), hash: hashSecret(secret) })
    .returning(['_id', 'version'])
    .executeTakeFirstOrThrow()
  return { _id, secret, filter, version }
}

/** Locks a calendar of the account, or of anyone if null; throws 412 if it was saved in between. */
const lockCalendar = async (tx: Tx, _id: string, account: string | null, ifMatchVersion: number | undefined) => {
  const row = await tx
    .selectFrom('calendar')
    .select(['account', 'filter', 'version'])
    .where('_id', '=', _id)
    .$if(account !== null, (query) => query.where('account', '=', account ?? ''))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Calendar feed')
  assertVersion(row, ifMatchVersion)
  return row
}

export const renewAddress = async (
  tx: Tx,
  _id: string,
  { account, createdAt }: Pick<NewCalendar, 'account' | 'createdAt'>,
  ifMatchVersion: number | undefined,
): Promise<GivenAddress> => {
  const { filter, version } = await lockCalendar(tx, _id, account, ifMatchVersion)
  const secret = createSecret()
  await tx
    .updateTable('calendar')
    .set({ hash: hashSecret(secret), version: version + 1, createdAt, lastUsedAt: null, userAgent: null })
    .where('_id', '=', _id)
    .execute()
  return { _id, secret, filter, version: version + 1 }
}

/** Returns its owner. */
export const removeCalendar = async (tx: Tx, _id: string, account: string | null, ifMatchVersion: number | undefined): Promise<string> => {
  const { account: owner } = await lockCalendar(tx, _id, account, ifMatchVersion)
  await tx.deleteFrom('calendar').where('_id', '=', _id).execute()
  return owner
}

/** Updated at most once a minute. */
export const markCalendarUsed = async (db: Queryable, _id: string, now: Date, userAgent: string | undefined): Promise<void> => {
  await db
    .updateTable('calendar')
    .set({ lastUsedAt: now, userAgent: userAgent?.slice(0, 300) ?? null })
    .where('_id', '=', _id)
    .where(sql<boolean>`("lastUsedAt" is null or "lastUsedAt" < ${now}::timestamptz - interval '1 minute')`)
    .execute()
}
