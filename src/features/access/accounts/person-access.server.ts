import { sql } from 'kysely'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { PersonAccess } from '../levels/contract.ts'
import { accountLevel, getLevelOrigin, lastGrant, listGroupLevelsOfAddress } from '../levels/queries.server.ts'
import { getTenant, isOpenAccount } from '../session/queries.server.ts'

/** What the first sign-in of a person will grant: their unbound permission records, directory groups, and SUPER_ADMINS. */
const findUnboundLevel = async (db: Queryable, configuration: Configuration, email: string | null): Promise<PersonAccess> => {
  const { appId, superAdmins } = configuration
  const address = email?.toLowerCase() ?? ''
  const record = await db
    .selectFrom('permission')
    .select(['accessLevel', lastGrant.as('granted')])
    .where('applicationID', '=', appId)
    .where('account', 'is', null)
    .where(sql<boolean>`lower("azureID") = ${address}`)
    .orderBy('accessLevel')
    .limit(1)
    .executeTakeFirst()
  const bound = await db.selectFrom('super_admin_binding').select('address').where('address', '=', address).executeTakeFirst()
  const isSuper = bound === undefined && superAdmins.includes(address)
  const groups = await listGroupLevelsOfAddress(db, getTenant(configuration), address)
  return {
    account: null,
    accessLevel: isSuper ? 1 : Math.min(record?.accessLevel ?? BROWSE_LEVEL, groups[0]?.level ?? BROWSE_LEVEL),
    grantedAt: record?.granted?.at ?? null,
    grantedBy: record?.granted?.by ?? null,
    groups,
    isSuperAdmin: isSuper,
  }
}

/** The level of a person: of the newest open account with their address, otherwise what their first sign-in would grant. */
export const findPersonAccess = async (db: Queryable, configuration: Configuration, _id: string): Promise<PersonAccess | undefined> => {
  const person = await db.selectFrom('person').select('email').where('_id', '=', _id).executeTakeFirst()
  if (!person) return undefined
  const account = await db
    .selectFrom('account')
    .select(['_id', accountLevel(configuration, sql.ref('account._id')).as('accessLevel')])
    .where(sql<boolean>`lower("azureID") = lower(${person.email})`)
    .where(isOpenAccount(configuration))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!account) return findUnboundLevel(db, configuration, person.email)
  return { account: account._id, accessLevel: account.accessLevel, ...(await getLevelOrigin(db, configuration, account)) }
}
