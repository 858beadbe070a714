import { sql } from 'kysely'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { lastGrant } from '../levels/queries.server.ts'
import type { Permission } from './contract.ts'

/** The permission records of an application by name, or one record. Names come from the directory, otherwise from the last sign-in. */
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
