import { type RawBuilder, sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { disableAccount, enableAccount } from './queries.server.ts'

interface SigningIn {
  readonly account: string
  readonly tenant: string
  readonly objectId: string
  readonly address: string
}

interface DirectoryUser {
  readonly _id: string
  readonly isActive: boolean
}

/** True for users with this email address; for a query on `directory_user`. */
const hasEmail = (address: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from jsonb_array_elements(coalesce(resource -> 'emails', '[]')) as email where lower(email ->> 'value') = lower(${address}))`

/** The user that is bound to the account, else one that matches and is bound to none; users that are not deleted first. */
const findUser = async (
  tx: Tx,
  account: string,
  { tenant, match, objectId }: { tenant: string; match: RawBuilder<boolean>; objectId: string },
): Promise<DirectoryUser | undefined> => {
  const { rows } = await sql<DirectoryUser>`
    select _id, active and "deletedAt" is null as "isActive" from directory_user
    where account = ${account} or (tenant = ${tenant} and account is null and ${match})
    order by account is null, "deletedAt" is not null, "externalId" = ${objectId} is not true, "createdAt" limit 1 for update`.execute(tx)
  return rows[0]
}

/** A change of users by the directory either sees the account that signs in, or is seen here. Taken before any row, as such a change takes it. */
export const lockDirectoryUsers = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.provisioning})`.execute(tx)
}

/**
 * Frees a user with the object id or the name of who signs in from an account that only one of its email addresses led to: otherwise an address of someone
 * else, added in the directory, would keep the user's own account from being disabled with it.
 */
const freeFromOtherAccount = async (tx: Tx, { account, tenant, objectId, address }: SigningIn): Promise<void> => {
  await sql`
    update directory_user set account = null from account as holder
    where directory_user.tenant = ${tenant} and directory_user."deletedAt" is null
      and ("externalId" = ${objectId} or lower("userName") = lower(${address}))
      and holder._id = directory_user.account and holder._id <> ${account}
      and (holder."objectId" = "externalId" or lower(holder."azureID") = lower("userName")) is not true
      and not exists (select from directory_user as own where own.account = ${account})`.execute(tx)
}

/**
 * Binds the provisioned user that is this account, by the object id or else the address, and returns false where it is disabled or deleted in the
 * directory. A user that belongs to another account is left alone: the address was passed on. True where the directory provisions nobody like this.
 */
export const bindDirectoryUser = async (tx: Tx, { account, tenant, objectId, address }: SigningIn): Promise<boolean> => {
  await freeFromOtherAccount(tx, { account, tenant, objectId, address })
  const user =
    (await findUser(tx, account, {
      tenant,
      match: sql<boolean>`("externalId" = ${objectId} or lower("userName") = lower(${address}))`,
      objectId,
    })) ?? (await findUser(tx, account, { tenant, match: hasEmail(address), objectId }))
  if (!user) return true
  await sql`update directory_user set account = ${account} where _id = ${user._id} and account is null`.execute(tx)
  await (user.isActive ? enableAccount(tx, account) : disableAccount(tx, account))
  return user.isActive
}
