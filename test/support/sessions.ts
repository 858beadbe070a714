import { randomUUID } from 'node:crypto'

import { getCookieNames } from '../../src/features/access/session/cookies.server.ts'
import { insertSession } from '../../src/features/access/session/mutations.server.ts'
import { getTenant } from '../../src/features/access/session/provider-settings.server.ts'
import { createSecret } from '../../src/features/access/session/secrets.server.ts'
import type { AppContext } from '../../src/platform/server/app-context.ts'

/** A signed-in account with the headers of its session. */
export interface SignedInUser {
  readonly account: string
  readonly name: string
  readonly azureID: string
  readonly headers: { readonly authorization: string; readonly cookie: string }
}

/**
 * Signs in a new user at a level: creates real rows of account, permission and session without going through the provider. Level 10 needs no
 * permission.
 */
export const signInAt = async ({ db, configuration }: Pick<AppContext, 'db' | 'configuration'>, level: number): Promise<SignedInUser> => {
  const objectId = randomUUID()
  const name = `Level ${level} ${objectId.slice(0, 4)}`
  const azureID = `level${level}.${objectId}@factory.test`
  const { _id: account } = await db
    .insertInto('account')
    .values({ tenant: getTenant(configuration), objectId, azureID, name })
    .returning('_id')
    .executeTakeFirstOrThrow()
  if (level < 10) {
    await db.insertInto('permission').values({ applicationID: configuration.appId, azureID, name, account, accessLevel: level }).execute()
  }
  return { account, name, azureID, headers: await startSession({ db, configuration }, account) }
}

/** Starts a session of an account, and returns its headers. */
export const startSession = async (
  { db, configuration }: Pick<AppContext, 'db' | 'configuration'>,
  account: string,
): Promise<SignedInUser['headers']> => {
  const { token, companion } = await insertSession(db, { account, browser: createSecret(), idToken: null, userAgent: null, address: null })
  return { authorization: `Bearer ${token}`, cookie: `${getCookieNames(configuration).companion}=${companion}` }
}
