import { sql } from 'kysely'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { Permission } from './contract.ts'

/** The change that gave a record its level: its insert, or the last change of the level. Binding it to an account is none. */
const lastGrant = sql<{ at: string; by: string | null }>`(
  select json_build_object('at', ${toIsoTimestamp(sql<Date>`change.at`)}, 'by', change."actorName") from change
  where change.record = permission._id::text and change."table" = 'permission'
    and (change.action = 'insert' or change.before -> 'accessLevel' is distinct from change.after -> 'accessLevel')
  order by change._id desc limit 1)`

/** When and by whom the current level was granted; null where no permission record gives it. */
export const findGrant = async (
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

/** The permission records of an application by name, or one record. Names come from the directory, else from the last sign-in. */
export const listPermissionRecords = async (db: Queryable, applicationID: string, only?: string): Promise<Permission[]> => {
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
      toIsoTimestamp(sql<Date>`permission."updatedAt"`).as('updatedAt'),
      'permission.updatedBy',
      'permission.person',
      name.as('name'),
      lastGrant.as('granted'),
    ])
    .where('permission.applicationID', '=', applicationID)
    .$if(only !== undefined, (query) => query.where('permission._id', '=', only ?? ''))
    .orderBy(sql`lower(${name})`, inByteOrder)
    .orderBy('permission._id')
    .execute()
  return rows.map(({ person, name: called, azureID, granted, ...record }) => ({
    ...record,
    personID: { _id: person, name: called, azureID },
    grantedAt: granted?.at ?? record.updatedAt,
    grantedBy: granted?.by ?? null,
  }))
}
