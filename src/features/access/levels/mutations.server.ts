import { type RawBuilder, sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound, Problem } from '../../../contract/problem.ts'
import { isId } from '../../../contract/slugs.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from './queries.server.ts'
import { DEFAULT_ADMIN_LEVEL } from './rules.ts'

/**
 * Binds the permission records and the SUPER_ADMINS entry of an address to the first account of our tenant that signs in with it, so that
 * a later owner of the address gets neither. A record bound under another tenant (the local provider's, before the organization's own was
 * set up) counts as unbound.
 */
export const bindPermissions = async (
  tx: Tx,
  { superAdmins }: Configuration,
  { account, tenant, address }: { readonly account: string; readonly tenant: string; readonly address: string },
): Promise<void> => {
  // A concurrent grant to this address either sees the account, or is seen here.
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.permissions})`.execute(tx)
  await sql`update permission set account = ${account}
    where lower("azureID") = lower(${address})
      and (account is null or account in (select _id from account where tenant <> ${tenant}))`.execute(tx)
  if (!superAdmins.includes(address.toLowerCase())) return
  await tx
    .insertInto('super_admin_binding')
    .values({ tenant, address: address.toLowerCase(), account })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Acquires the lock on all permissions and returns the level at which the actor acts while the lock is held. If two administrators remove each other
 * at the same moment, the second removal is refused. The level is the one with less access of the account's current level and the request's level, which
 * is limited for an API token. Throws 403 if that level may not manage administrators.
 */
export const lockPermissions = async (tx: Tx, configuration: Configuration, actor: SignedIn): Promise<number> => {
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  const account = await tx.selectNoFrom(accountLevel(configuration, sql`${actor.account}::uuid`).as('level')).executeTakeFirstOrThrow()
  const level = Math.max(account.level, actor.accessLevel)
  if (!can(level, 'manage administrators')) throw forbidden('manage administrators')
  return level
}

/** Throws 403 with this title if a level has more access than the acting level. */
export const assertNotMoreAccess = (level: number, actingLevel: number, title: string): void => {
  if (level < actingLevel) throw new Problem(403, title, { detail: 'Someone at their level can do this.' })
}

/** Selects permission records of people who are in SUPER_ADMINS now. */
const isOfSuperAdmin = ({ superAdmins }: Configuration, record: string): RawBuilder<boolean> => {
  const addresses = sql`any(${[...superAdmins]}::text[])`
  return sql`(lower(${sql.ref(`${record}.azureID`)}) = ${addresses} or exists (
    select from super_admin_binding as bound where bound.account = ${sql.ref(`${record}.account`)} and bound.address = ${addresses}))`
}

/**
 * Deletes a permission record and returns its level. Refuses the record of someone with more access than `actingLevel`, and the last record
 * at level 5 or lower, because no one could then manage the network.
 */
export const deletePermission = async (
  tx: Tx,
  configuration: Configuration,
  actingLevel: number,
  _id: string,
  ifMatchVersion: number | undefined,
): Promise<number> => {
  const record = isId(_id)
    ? await tx
        .selectFrom('permission as target')
        .select(['target._id', 'target.accessLevel', 'target.version'])
        .select([
          accountLevel(configuration, sql.ref('target.account')).as('accountLevel'),
          isOfSuperAdmin(configuration, 'target').as('isSuper'),
          sql<boolean>`exists (select from permission as other
            where other."applicationID" = target."applicationID" and other._id <> target._id and other."accessLevel" <= ${DEFAULT_ADMIN_LEVEL}
              and not ${isOfSuperAdmin(configuration, 'other')})`.as('hasOtherAdmin'),
        ])
        .where('target._id', '=', _id)
        .where('target.applicationID', '=', configuration.appId)
        .executeTakeFirst()
    : undefined
  if (!record) throw notFound('Administrator')
  assertVersion(record, ifMatchVersion)
  const level = Math.min(record.accessLevel, record.accountLevel, record.isSuper ? 1 : record.accessLevel)
  assertNotMoreAccess(level, actingLevel, 'You can’t remove someone with more access than you')
  if (record.accessLevel <= DEFAULT_ADMIN_LEVEL && !record.hasOtherAdmin)
    throw new Problem(409, `You can’t remove the last level ${DEFAULT_ADMIN_LEVEL} administrator`, {
      detail: `Make someone else a level ${DEFAULT_ADMIN_LEVEL} administrator first, then remove this one. People in SUPER_ADMINS do not count.`,
    })
  await tx.deleteFrom('permission').where('_id', '=', record._id).execute()
  return record.accessLevel
}
