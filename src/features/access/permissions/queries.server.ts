import { type RawBuilder, sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { moment } from '../../../database/json.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { byBytes } from '../../../database/ordering.server.ts'
import { BROWSE_LEVEL, may } from '../../../platform/contract/capabilities.ts'
import { levelTooLow, notFound, Problem, stale } from '../../../platform/contract/problem.ts'
import { isId } from '../../../platform/contract/slugs.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { SignedIn } from '../../../platform/server/house.ts'
import type { Permission } from './contract.ts'
import { NEW_ADMIN_LEVEL } from './rules.ts'

/**
 * The level of an account as SQL (D10): the lowest number among its permission records of this application; 1 where an address of
 * SUPER_ADMINS is bound to it; else the level of everybody. Read with every request, so that a change works on the next one.
 */
export const levelOf = ({ appId, superAdmins }: Configuration, account: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(least(
    (select min(permission."accessLevel") from permission
      where permission.account = ${account} and permission."applicationID" = ${appId}),
    (select 1 from super_admin_binding as bound
      where bound.account = ${account} and bound.address = any(${[...superAdmins]}::text[]) limit 1)
  ), ${BROWSE_LEVEL}::integer)`

/** Somebody who signs in: their account, its tenant, and the address the provider says is theirs. */
export interface Arrival {
  readonly account: string
  readonly tenant: string
  readonly address: string
}

/**
 * Binds what waits for an address to the first account of our tenant that signs in with it (D9, D10): its permission records, and its
 * place among SUPER_ADMINS. Who has the address later gets neither. A record bound under another tenant (the local provider's, before
 * the organisation's own was set up) counts as waiting.
 */
export const bindGrants = async (tx: Tx, { superAdmins }: Configuration, { account, tenant, address }: Arrival): Promise<void> => {
  // A grant to this address that is under way either sees the account, or is seen here.
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

/** True when an address holds a permission record of this application, or ever held one: a removal counts (architecture). */
export const wasEverGranted = async (db: Queryable, applicationID: string, address: string): Promise<boolean> => {
  const { rows } = await sql<{ granted: boolean }>`select exists (
      select from permission where "applicationID" = ${applicationID} and lower("azureID") = lower(${address})
    ) or exists (
      select from change where "table" = 'permission'
        and coalesce(before, after) ->> 'applicationID' = ${applicationID}
        and lower(coalesce(before, after) ->> 'azureID') = lower(${address})
    ) as granted`.execute(db)
  return rows[0]?.granted ?? false
}

/** The change that gave a record its level: the first, or the last that altered it. A sign-in that binds the record to its account is none. */
const granting = sql<{ at: string; by: string | null }>`(
  select json_build_object('at', ${moment(sql<Date>`change.at`)}, 'by', change."actorName") from change
  where change.record = permission._id::text and change."table" = 'permission'
    and (change.action = 'insert' or change.before -> 'accessLevel' is distinct from change.after -> 'accessLevel')
  order by change._id desc limit 1)`

/** When and by whom somebody was granted the level they have; nulls where no permission record gives it. */
export const grantedTo = async (
  db: Queryable,
  { appId }: Configuration,
  { _id, accessLevel }: { _id: string; accessLevel: number },
): Promise<{ grantedAt: string | null; grantedBy: string | null }> => {
  const record = await db
    .selectFrom('permission')
    .select(granting.as('granted'))
    .where('applicationID', '=', appId)
    .where('account', '=', _id)
    .where('accessLevel', '=', accessLevel)
    .limit(1)
    .executeTakeFirst()
  return { grantedAt: record?.granted?.at ?? null, grantedBy: record?.granted?.by ?? null }
}

/** The permission records of an application, by name, or the one of that `_id`; somebody is called what the directory or their last sign-in calls them. */
export const permissionsOf = async (db: Queryable, applicationID: string, only?: string): Promise<Permission[]> => {
  const name = sql<string>`coalesce(person.name, account.name, permission.name)`
  const rows = await db
    .selectFrom('permission')
    .leftJoin('person', 'person._id', 'permission.person')
    .leftJoin('account', 'account._id', 'permission.account')
    .select([
      'permission._id',
      'permission.applicationID',
      'permission.azureID',
      'permission.superAdmin',
      'permission.accessLevel',
      'permission.accessName',
      'permission.version',
      moment(sql<Date>`permission."updatedAt"`).as('updatedAt'),
      'permission.updatedBy',
      'permission.person',
      name.as('name'),
      granting.as('granted'),
    ])
    .where('permission.applicationID', '=', applicationID)
    .$if(only !== undefined, (query) => query.where('permission._id', '=', only ?? ''))
    .orderBy(sql`lower(${name})`, byBytes)
    .orderBy('permission._id')
    .execute()
  return rows.map(({ person, name: called, azureID, granted, ...record }) => ({
    ...record,
    personID: { _id: person, name: called, azureID },
    grantedAt: granted?.at ?? record.updatedAt,
    grantedBy: granted?.by ?? null,
  }))
}

/**
 * The level somebody acts at while nobody else changes anyone's access. Whatever compares privilege takes this in place of an account, because the
 * account's own level is not what counts: an API token may be limited to less.
 */
class Authority {
  readonly level: number

  constructor(level: number) {
    this.level = level
  }

  /** Throws 403 with this title where somebody's level is more privilege than the actor's. */
  requireOver(held: number, title: string): void {
    if (held < this.level) throw new Problem(403, title, { detail: 'Someone at their level can do this.' })
  }
}
export type { Authority }

/**
 * Waits until no other grant, removal or leaving is under way, and reads what the actor may do from then on: of two who remove each other at the same
 * moment, the later one is no administrator any more. The level is the lesser privilege of what their account holds now and of what they came with,
 * which for an API token is its own limit. Throws 403 where they may not manage administrators.
 */
export const authorize = async (tx: Tx, configuration: Configuration, actor: SignedIn): Promise<Authority> => {
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  const account = await tx.selectNoFrom(levelOf(configuration, sql`${actor.account}::uuid`).as('level')).executeTakeFirstOrThrow()
  const level = Math.max(account.level, actor.accessLevel)
  if (!may(level, 'manage administrators')) throw levelTooLow('manage administrators')
  return new Authority(level)
}

/** True for records of people who are in SUPER_ADMINS, which may change with the configuration. */
const isOfSuperAdmin = ({ superAdmins }: Configuration, record: string): RawBuilder<boolean> => {
  const addresses = sql`any(${[...superAdmins]}::text[])`
  return sql`(lower(${sql.ref(`${record}.azureID`)}) = ${addresses} or exists (
    select from super_admin_binding as bound where bound.account = ${sql.ref(`${record}.account`)} and bound.address = ${addresses}))`
}

/** Takes a permission record away, and gives its level: of nobody with more privilege than the caller's, and not the last of level 5 or a lower number. */
export const removeLevel = async (
  tx: Tx,
  configuration: Configuration,
  authority: Authority,
  _id: string,
  seen: number | undefined,
): Promise<number> => {
  const record = isId(_id)
    ? await tx
        .selectFrom('permission as wanted')
        .select(['wanted._id', 'wanted.accessLevel', 'wanted.version'])
        .select([
          levelOf(configuration, sql.ref('wanted.account')).as('ofAccount'),
          isOfSuperAdmin(configuration, 'wanted').as('isSuper'),
          sql<boolean>`exists (select from permission as other
            where other."applicationID" = wanted."applicationID" and other._id <> wanted._id and other."accessLevel" <= ${NEW_ADMIN_LEVEL}
              and not ${isOfSuperAdmin(configuration, 'other')})`.as('isAnotherLeft'),
        ])
        .where('wanted._id', '=', _id)
        .where('wanted.applicationID', '=', configuration.appId)
        .executeTakeFirst()
    : undefined
  if (!record) throw notFound('Administrator')
  if (seen !== undefined && seen !== record.version) throw stale()
  const held = Math.min(record.accessLevel, record.ofAccount, record.isSuper ? 1 : record.accessLevel)
  authority.requireOver(held, 'You can’t remove someone with more access than you')
  if (record.accessLevel <= NEW_ADMIN_LEVEL && !record.isAnotherLeft)
    throw new Problem(409, `You can’t remove the last level ${NEW_ADMIN_LEVEL} administrator`, {
      detail: `Make someone else a level ${NEW_ADMIN_LEVEL} administrator first, then remove this one. People in SUPER_ADMINS do not count.`,
    })
  await tx.deleteFrom('permission').where('_id', '=', record._id).execute()
  return record.accessLevel
}
