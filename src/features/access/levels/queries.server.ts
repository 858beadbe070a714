import { type RawBuilder, sql } from 'kysely'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { LevelOrigin } from './contract.ts'

/** A mapped group that someone is in. */
interface GroupLevel {
  readonly group: string
  readonly level: number
}

export interface MappedAccount extends GroupLevel {
  readonly _id: string
  readonly name: string
  readonly azureID: string
}

/** Whether a mapping (`mapping`) refers to a group, by its name, id or directory id, case-insensitive; `group` is an alias of `directory_group`. */
const isMappingOf = (group: string) => sql<boolean>`lower(mapping."group") in (
  ${sql.ref(`${group}._id`)}::text, lower(${sql.ref(`${group}.displayName`)}), lower(${sql.ref(`${group}.externalId`)}))`

/** How long the groups of an ID token count without a newer token, so that API tokens and calendar feeds do not keep their level forever. */
const MAX_CLAIM_AGE_DAYS = 30

/**
 * Whether a mapping's group includes an account. For groups that the directory provisions, their members count; for others, the groups in the last ID
 * token, because a removal from a provisioned group must take effect before the next token.
 */
const isMappedFor = (account: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from directory_user as member
    join directory_membership as membership on membership."user" = member._id
    join directory_group as joined on joined._id = membership."group"
    where member.account = ${account} and member.active and member."deletedAt" is null and ${isMappingOf('joined')})
  or exists (select from account as claimant, unnest(claimant."claimedGroups") as claimed
    where claimant._id = ${account} and lower(claimed) = lower(mapping."group")
      and claimant."claimedAt" > now() - make_interval(days => ${MAX_CLAIM_AGE_DAYS})
      and not exists (select from directory_group as known where known.tenant = claimant.tenant and ${isMappingOf('known')})))`

/**
 * The level of an account as an SQL expression: the lowest number among its permission records of this application and the levels of its groups; 1 if
 * an address of SUPER_ADMINS is bound to it; otherwise the level everyone has. Read with every request, so that a change applies to the next one.
 */
export const accountLevel = (configuration: Configuration, account: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(least(
    (select min(permission."accessLevel") from permission
      where permission.account = ${account} and permission."applicationID" = ${configuration.appId}),
    (select min(mapping.level) from level_mapping as mapping where ${isMappedFor(account)}),
    (select 1 from super_admin_binding as bound
      where bound.account = ${account} and bound.address = any(${[...configuration.superAdmins]}::text[]) limit 1)
  ), ${BROWSE_LEVEL}::integer)`

/** The mapped groups that an account is in, by their names in the mappings, with the levels they grant. */
export const listGroupLevels = async (db: Queryable, account: string): Promise<GroupLevel[]> => {
  const { rows } = await sql<GroupLevel>`
    select coalesce(named."displayName", mapping."group") as group, mapping.level from level_mapping as mapping
    left join account on account._id = ${account}::uuid
    left join directory_group as named on named.tenant = account.tenant and ${isMappingOf('named')}
    where ${isMappedFor(sql`${account}::uuid`)} order by mapping.level, mapping."group" collate "C"`.execute(db)
  return rows
}

/** Selects provisioned users with this name; for a query on `directory_user`. */
export const isNamed = (address: string): RawBuilder<boolean> => sql<boolean>`lower(directory_user."userName") = lower(${address})`

/**
 * The email addresses of a SCIM list that identify an account: the work addresses and the primary one. In some directories people can add other
 * addresses themselves, even those of other people.
 */
export const workEmails = (emails: RawBuilder<unknown>) => sql`select lower(email ->> 'value')
  from jsonb_array_elements(coalesce(${emails}, '[]')) as email
  where email ->> 'primary' = 'true' or lower(coalesce(email ->> 'type', 'work')) = 'work'`

/** Selects provisioned users with this work email address; for a query on `directory_user`. */
export const hasWorkEmail = (address: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${address}) in (${workEmails(sql`directory_user.resource -> 'emails'`)})`

/** The mapped groups that the first sign-in with an address grants: those of the provisioned user that is bound to the new account. */
export const listGroupLevelsOfAddress = async (db: Queryable, tenant: string, address: string): Promise<GroupLevel[]> => {
  const { rows } = await sql<GroupLevel>`
    with known as (
      select _id, active and "deletedAt" is null as "isActive" from directory_user
      where tenant = ${tenant} and (${isNamed(address)} and (account is null or "boundByEmail") or account is null and ${hasWorkEmail(address)})
      order by ${isNamed(address)} desc, "deletedAt" is not null, "createdAt" limit 1
    )
    select joined."displayName" as group, mapping.level from known
    join directory_membership as membership on membership."user" = known._id
    join directory_group as joined on joined._id = membership."group"
    join level_mapping as mapping on ${isMappingOf('joined')}
    where known."isActive" order by mapping.level, mapping."group" collate "C"`.execute(db)
  return rows
}

/** The change that gave a record its level: its insert, or the last change of the level. Binding it to an account does not count. */
export const lastGrant = sql<{ at: string; by: string | null }>`(
  select json_build_object('at', ${toIsoTimestamp(sql<Date>`change.at`)}, 'by', change."actorName") from change
  where change.record = permission._id::text and change."table" = 'permission'
    and (change.action = 'insert' or change.before -> 'accessLevel' is distinct from change.after -> 'accessLevel')
  order by change._id desc limit 1)`

/** When and by whom the current level was granted; null if no permission record grants it. */
const findGrant = async (
  db: Queryable,
  { appId }: Configuration,
  { _id, accessLevel }: { _id: string; accessLevel: number },
): Promise<{ grantedAt: string | null; grantedBy: string | null }> => {
  const record = await db
    .selectFrom('permission')
    .select(lastGrant.as('granted'))
    .where('applicationID', '=', appId)
    .where('account', '=', _id)
    .where('accessLevel', '=', accessLevel)
    .limit(1)
    .executeTakeFirst()
  return { grantedAt: record?.granted?.at ?? null, grantedBy: record?.granted?.by ?? null }
}

/** Whether an address in SUPER_ADMINS is bound to an account. */
const isBoundSuperAdmin = async (db: Queryable, { superAdmins }: Configuration, account: string): Promise<boolean> => {
  const bound = await db
    .selectFrom('super_admin_binding')
    .select('address')
    .where('account', '=', account)
    .where('address', 'in', ['', ...superAdmins])
    .limit(1)
    .executeTakeFirst()
  return bound !== undefined
}

/** The sources of an account's level, `accessLevel`. */
export const getLevelOrigin = async (
  db: Queryable,
  configuration: Configuration,
  account: { readonly _id: string; readonly accessLevel: number },
): Promise<LevelOrigin> => ({
  ...(await findGrant(db, configuration, account)),
  groups: await listGroupLevels(db, account._id),
  isSuperAdmin: await isBoundSuperAdmin(db, configuration, account._id),
})

/** The accounts of our tenant in mapped groups, most access first; at most `limit`. */
export const listMappedAccounts = async (db: Queryable, tenant: string, limit: number): Promise<MappedAccount[]> => {
  const { rows } = await sql<MappedAccount>`
    select account._id, account.name, account."azureID", coalesce(named."displayName", mapping."group") as group, mapping.level
    from level_mapping as mapping cross join account
    left join directory_group as named on named.tenant = account.tenant and ${isMappingOf('named')}
    where account.tenant = ${tenant} and account."closedAt" is null and account."disabledAt" is null and ${isMappedFor(sql.ref('account._id'))}
    order by mapping.level, account.name collate "C", account._id, mapping."group" collate "C" limit ${limit}`.execute(db)
  return rows
}

/** Whether an address has or ever had a permission record of this application; removed records are not granted again. */
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
