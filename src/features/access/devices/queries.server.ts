import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from '../levels/queries.server.ts'
import { isOpenAccount } from '../session/queries.server.ts'
import type { Device } from './contract.ts'
import { findClient } from './rules.ts'
import { hashDevicePassword } from './secrets.server.ts'

const selectDevices = (db: Queryable, configuration: Configuration) =>
  db.selectFrom('device').innerJoin('account', 'account._id', 'device.account').where(isOpenAccount(configuration))

/** The devices of an account, oldest first; of everyone if null. */
export const listDevicesOf = async (db: Queryable, configuration: Configuration, account: string | null): Promise<Device[]> => {
  const rows = await selectDevices(db, configuration)
    .select(['device._id', 'device.name', 'device.username', 'device.createdAt', 'device.lastUsedAt', 'device.userAgent'])
    .select(['device.account', 'account.name as ownerName'])
    .$if(account !== null, (query) => query.where('device.account', '=', account ?? ''))
    .orderBy('device.createdAt')
    .orderBy('device._id')
    .execute()
  return rows.map(({ createdAt, lastUsedAt, userAgent, account: owner, ownerName, ...device }) => ({
    ...device,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    client: findClient(userAgent),
    owner: { _id: owner, name: ownerName },
  }))
}

/** A device that has signed in, and its owner at their current level. */
export interface SignedInDevice {
  readonly _id: string
  readonly user: SignedIn
  /** Whether to mark it as used. */
  readonly isMarkDue: boolean
}

/** The device with this name and password, if its owner may sign in. */
export const findDevice = async (
  db: Queryable,
  configuration: Configuration,
  { username, password, userAgent }: { readonly username: string; readonly password: string; readonly userAgent: string | null },
): Promise<SignedInDevice | undefined> => {
  const row = await selectDevices(db, configuration)
    .select(['device._id', 'device.name as device', 'account._id as account', 'account.name', 'account.azureID'])
    .select([
      accountLevel(configuration, sql.ref('account._id')).as('accessLevel'),
      sql<boolean>`coalesce(device."lastUsedAt" < now() - interval '1 minute', true) or device."userAgent" is distinct from ${userAgent}`.as(
        'isMarkDue',
      ),
    ])
    .where('device.hash', '=', hashDevicePassword(password))
    .where(sql<boolean>`lower(device.username) = lower(${username})`)
    .executeTakeFirst()
  if (!row) return undefined
  const { _id, device, isMarkDue, ...owner } = row
  return { _id, isMarkDue, user: { ...owner, session: null, token: device } }
}

/** A device of an account with this password; of any open account if null. */
export const findDeviceByPassword = (
  db: Queryable,
  configuration: Configuration,
  { _id, password, account }: { readonly _id: string; readonly password: string; readonly account: string | null },
) =>
  selectDevices(db, configuration)
    .select(['device._id', 'device.account', 'device.username'])
    .where('device._id', '=', _id)
    .where('device.hash', '=', hashDevicePassword(password))
    .$if(account !== null, (query) => query.where('device.account', '=', account ?? ''))
    .executeTakeFirst()
