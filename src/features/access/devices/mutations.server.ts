import { sql } from 'kysely'

import { notFound, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { createDevicePassword, hashDevicePassword } from './secrets.server.ts'

const MAX_DEVICES = 50

interface NewDevice {
  readonly account: string
  readonly username: string
  readonly name: string
  readonly createdAt: Date
}

/** Inserts a device and returns its password, of which only the hash is stored. */
export const insertDevice = async (tx: Tx, device: NewDevice): Promise<{ _id: string; password: string }> => {
  // Locked, so that two concurrent inserts cannot exceed the limit.
  await tx.selectFrom('account').select('_id').where('_id', '=', device.account).forUpdate().execute()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device where account = ${device.account}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_DEVICES)
    throw new Problem(409, `You can have at most ${MAX_DEVICES} devices`, { detail: 'End one first.' })
  const password = createDevicePassword()
  const { _id } = await tx
    .insertInto('device')
    .values({ ...device, hash: hashDevicePassword(password) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return { _id, password }
}

/** Removes a device of the account, or of anyone if null; returns its owner and name. */
export const removeDevice = async (tx: Tx, _id: string, account: string | null): Promise<{ account: string; name: string }> => {
  const removed = await tx
    .deleteFrom('device')
    .where('_id', '=', _id)
    .$if(account !== null, (query) => query.where('account', '=', account ?? ''))
    .returning(['account', 'name'])
    .executeTakeFirst()
  if (!removed) throw notFound('Device')
  return removed
}

export const markDeviceUsed = async (db: Queryable, _id: string, userAgent: string | null): Promise<void> => {
  await db
    .updateTable('device')
    .set({ lastUsedAt: sql<Date>`now()`, userAgent })
    .where('_id', '=', _id)
    .execute()
}
