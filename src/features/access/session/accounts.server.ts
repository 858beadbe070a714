import { sql } from 'kysely'

import { setActor, touchedLines } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { bindPermissions } from '../levels/queries.server.ts'
import { type Identity, SignInRefused } from './identity.server.ts'
import { grantSampleLevel } from './local-accounts.server.ts'
import { hasLeft, makeTicket } from './queries.server.ts'
import { type DirectoryTokens, tokenColumns } from './sealed-tokens.server.ts'
import { seal } from './secrets.server.ts'

/**
 * Takes in somebody the provider vouches for: finds or makes the account (by tenant and object id), takes over today's name and address,
 * binds what waits for that address (D9, D10), and gives this browser a ticket (D8). All of it or nothing.
 */
export const admitArrival = async (
  { db, configuration, lists }: Pick<AppContext, 'db' | 'configuration' | 'lists'>,
  arrival: { identity: Identity; idToken: string; tokens: DirectoryTokens; browser: string; request: string },
): Promise<string> => {
  const { identity, tokens, browser } = arrival
  const { tenant, objectId, address, name } = identity
  const { secretKey } = configuration
  const [ticket, tables] = await db.transaction().execute(async (tx) => {
    const { _id: account, isNew } = await tx
      .insertInto('account')
      .values({ tenant, objectId, azureID: address, name })
      .onConflict((conflict) => conflict.columns(['tenant', 'objectId']).doUpdateSet({ azureID: address, name, signedInAt: new Date() }))
      // A row that was inserted, not updated, goes with a refusal.
      .returning(['_id', sql<boolean>`xmax = 0`.as('isNew')])
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('account')
      .set(tokenColumns(configuration, account, tokens))
      .where('_id', '=', account)
      .execute()

    await setActor(tx, { account, name, request: arrival.request })
    if (configuration.oidc === undefined) await grantSampleLevel(tx, configuration.appId, { account, address, name })
    await bindPermissions(tx, configuration, { account, tenant, address })
    // After the lock of the grants, which a leaving under way holds.
    if (await hasLeft(tx, account, address)) throw new SignInRefused('this person has left', 'left', isNew ? null : account)
    const idToken = secretKey === undefined ? null : seal(secretKey, account, arrival.idToken)
    return [await makeTicket(tx, browser, account, idToken), await touchedLines(tx)] as const
  })
  lists.invalidate(tables)
  return ticket
}
