import { sql } from 'kysely'

import { type FieldError, invalidFields } from '../../../contract/problem.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { type DirectoryGroup, type LevelMapping, MAX_LISTED_GROUPS } from './contract.ts'

/** Replaces the levels of groups. Throws 422 if a group is listed twice. */
export const replaceMappings = async (tx: Tx, mappings: readonly LevelMapping[]): Promise<void> => {
  const keys = mappings.map(({ group }) => group.toLowerCase())
  const errors = keys.flatMap((key, at): FieldError[] =>
    keys.indexOf(key) < at ? [{ path: `${at}.group`, message: 'This group is listed twice' }] : [],
  )
  if (errors.length > 0) throw invalidFields(errors)
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  const groups = mappings.map(({ group }) => group)
  await sql`delete from level_mapping where "group" <> all(${groups}::text[])`.execute(tx)
  if (mappings.length === 0) return
  await tx
    .insertInto('level_mapping')
    .values(mappings.map(({ group, level }) => ({ group, level })))
    .onConflict((conflict) => conflict.column('group').doUpdateSet({ level: (eb) => eb.ref('excluded.level') }))
    .execute()
}

export const listMappings = async (db: Queryable): Promise<LevelMapping[]> =>
  db.selectFrom('level_mapping').select(['group', 'level']).orderBy('level').orderBy('group', inByteOrder).execute()

/** Groups that can be mapped: those that the directory provisions, with their members, and those in the ID tokens of open accounts. */
export const listMappableGroups = async (db: Queryable, tenant: string): Promise<DirectoryGroup[]> => {
  const { rows } = await sql<DirectoryGroup>`
    select "displayName" as name, true as provisioned, (select count(*)::int from directory_membership as member where member."group" = directory_group._id) as people
    from directory_group where tenant = ${tenant}
    union all
    select claimed, false, count(*)::int from account, unnest("claimedGroups") as claimed
    where tenant = ${tenant} and "closedAt" is null and "disabledAt" is null and not exists (
      select from directory_group as known where known.tenant = ${tenant} and lower(claimed) in (known._id::text, lower(known."displayName"), lower(known."externalId")))
    group by claimed
    order by provisioned desc, name limit ${MAX_LISTED_GROUPS}`.execute(db)
  return rows
}
