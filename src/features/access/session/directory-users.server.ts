import { type RawBuilder, sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { hasWorkEmail, isNamed } from '../levels/queries.server.ts'
import { disableAccount, enableAccount } from './mutations.server.ts'

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

/** The user bound to the account, otherwise an unbound one that matches; users that are not deleted first. */
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

/**
 * A concurrent change of users by the directory either sees the account that signs in, or is seen here. This lock is acquired before any row lock, in
 * the same order as in that change.
 */
export const lockDirectoryUsers = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.provisioning})`.execute(tx)
}

/** Selects users with the object id or the name of the person who signs in. */
const matchesSignIn = ({ objectId, address }: SigningIn) => sql<boolean>`(directory_user."externalId" = ${objectId} or ${isNamed(address)})`

/**
 * Removes bindings by email address alone if a user exists with the object id or name of the person who signs in: someone else's address must neither
 * protect an account from being disabled, nor disable another one.
 */
const endBindingsByEmail = async (tx: Tx, signingIn: SigningIn): Promise<void> => {
  const { account, tenant } = signingIn
  await sql`
    update directory_user set account = null, "boundByEmail" = false
    where directory_user.tenant = ${tenant} and "boundByEmail" and (
      account <> ${account} and "deletedAt" is null and ${matchesSignIn(signingIn)}
        and not exists (select from directory_user as own where own.account = ${account} and not own."boundByEmail")
      or account = ${account} and not ${matchesSignIn(signingIn)} and exists (
        select from directory_user as own where own.tenant = ${tenant} and own."deletedAt" is null and own._id <> directory_user._id
          and (own.account is null or own."boundByEmail")
          and (own."externalId" = ${signingIn.objectId} or lower(own."userName") = lower(${signingIn.address}))))`.execute(tx)
}

/**
 * Binds the provisioned user of this account, found by the object id or the address, and returns false if it is disabled or deleted in the directory.
 * A user that belongs to another account is not changed, because the address was reassigned. True if the directory provisions no such user.
 */
export const bindDirectoryUser = async (tx: Tx, signingIn: SigningIn): Promise<boolean> => {
  const { account, tenant, objectId, address } = signingIn
  await endBindingsByEmail(tx, signingIn)
  const user =
    (await findUser(tx, account, { tenant, match: matchesSignIn(signingIn), objectId })) ??
    (await findUser(tx, account, { tenant, match: hasWorkEmail(address), objectId }))
  if (!user) return true
  await sql`update directory_user set account = ${account}, "boundByEmail" = ${matchesSignIn(signingIn)} is not true
    where _id = ${user._id} and (account is null or "boundByEmail")`.execute(tx)
  await (user.isActive ? enableAccount(tx, account) : disableAccount(tx, account))
  return user.isActive
}
