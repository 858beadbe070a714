import { sql } from 'kysely'

import { setActor, readChangedRecords } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { NEWS } from '../../operations/news/rules.ts'
import { bindPermissions } from '../levels/mutations.server.ts'
import { bindDirectoryUser, lockDirectoryUsers } from './directory-users.server.ts'
import { type DirectoryTokens, toTokenColumns } from './encrypted-tokens.server.ts'
import { type Identity, SignInRefused, toClaimColumns } from './identity.server.ts'
import { grantSampleLevel } from './local-accounts.server.ts'
import { findErasedAccount, insertTicket } from './mutations.server.ts'
import { hasLeft } from './queries.server.ts'
import { encrypt } from './secrets.server.ts'

/**
 * Completes a sign-in in one transaction: finds or creates the account (by tenant and object id), updates its name and address, binds
 * the permission records of that address, and returns a ticket for this browser.
 */
export const completeSignIn = async (
  { db, configuration, lists }: Pick<AppContext, 'db' | 'configuration' | 'lists'>,
  signIn: { identity: Identity; idToken: string; tokens: DirectoryTokens; browser: string; request: string },
): Promise<string> => {
  const { identity, tokens, browser } = signIn
  const { tenant, objectId, address, name } = identity
  const { secretKey } = configuration
  const [ticket, tables] = await db.transaction().execute(async (tx) => {
    await lockDirectoryUsers(tx)
    const erased = await findErasedAccount(tx, tenant, objectId)
    if (erased !== null) throw new SignInRefused('the personal data of this person was erased', 'left', erased)
    const { _id: account, isNew } = await tx
      .insertInto('account')
      // Someone who begins with this version has no version before, so nothing is new.
      .values({ tenant, objectId, azureID: address, name, newsSeen: NEWS.version })
      .onConflict((conflict) => conflict.columns(['tenant', 'objectId']).doUpdateSet({ azureID: address, name, signedInAt: new Date() }))
      // A refusal rolls back a new account, so its id must not be logged.
      .returning(['_id', sql<boolean>`xmax = 0`.as('isNew')])
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('account')
      .set({ ...toTokenColumns(configuration, account, tokens), ...toClaimColumns(identity) })
      .where('_id', '=', account)
      .execute()

    await setActor(tx, { account, name, request: signIn.request })
    if (configuration.oidc === undefined) await grantSampleLevel(tx, configuration.appId, { account, address, name })
    await bindPermissions(tx, configuration, { account, tenant, address })
    // Checked after the lock on permissions, which a concurrent departure holds.
    if (await hasLeft(tx, account, address)) throw new SignInRefused('this person has left', 'left', isNew ? null : account)
    if (!(await bindDirectoryUser(tx, { account, tenant, objectId, address })))
      throw new SignInRefused('this person is disabled in the directory', 'disabled', isNew ? null : account)
    const idToken = secretKey === undefined ? null : encrypt(secretKey, account, signIn.idToken)
    return [await insertTicket(tx, browser, account, idToken), await readChangedRecords(tx)] as const
  })
  await lists.invalidate([...tables, 'account'])
  return ticket
}
