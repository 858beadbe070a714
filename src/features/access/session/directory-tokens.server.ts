import { sql } from 'kysely'

import type { AppContext } from '../../../platform/server/app-context.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { reasonOf, renewAtProvider } from './provider.server.ts'
import { endSessionsOf, hasLiveSession } from './queries.server.ts'
import { openTokens, tokenColumns } from './sealed-tokens.server.ts'

/** How long to wait when the provider could not be asked. Longer than any renewal takes, so that no two servers renew at once. */
const TRY_AGAIN_AFTER = 300_000
const AT_ONCE = 4
const NONE = { directoryTokens: null, directoryTokensDue: null }

/** Takes one renewal that is due, of somebody with a live session; no other server takes it in the next minutes. */
const claim = async ({
  db,
  configuration,
}: AppContext): Promise<{ _id: string; objectId: string; directoryTokens: Buffer | null } | undefined> =>
  db
    .updateTable('account')
    .set({ directoryTokensDue: new Date(Date.now() + TRY_AGAIN_AFTER) })
    .where('_id', '=', (query) =>
      query
        .selectFrom('account')
        .select('account._id')
        .where('account.directoryTokensDue', '<', sql<Date>`now()`)
        .where(hasLiveSession(configuration))
        .orderBy('account.directoryTokensDue')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['_id', 'objectId', 'directoryTokens'])
    .executeTakeFirst()

/**
 * Renews one account's tokens at the provider. A refusal ends its sessions (D9); a provider that does not answer ends nothing. Whoever
 * has signed in anew meanwhile keeps the tokens of that sign-in.
 */
const renew = async (
  { db, configuration, lists, log }: AppContext,
  due: { _id: string; objectId: string; directoryTokens: Buffer | null },
): Promise<void> => {
  const { _id: account, objectId, directoryTokens } = due
  const keep = (columns: { directoryTokens: Buffer | null; directoryTokensDue: Date | null }) =>
    db
      .updateTable('account')
      .set(columns)
      .where('_id', '=', account)
      .where('directoryTokens', 'is not distinct from', directoryTokens)
      .returning('_id')
      .executeTakeFirst()
  const refreshToken = openTokens(configuration, account, directoryTokens)?.refreshToken
  if (refreshToken === undefined) return void (await keep(NONE))
  try {
    const tokens = await renewAtProvider(configuration, refreshToken, objectId)
    if (tokens !== 'refused') return void (await keep(tokenColumns(configuration, account, tokens)))
    if (await keep(NONE)) {
      await endSessionsOf(db, account)
      lists.invalidate(['session'])
      logSecurityEvent(log, null, 'sessions_refused_by_provider', { account })
    }
  } catch (error) {
    log.warn({ account, reason: reasonOf(error) }, 'The provider could not be asked for a renewal')
  }
}

/** Renews what is due: the tokens of everybody with a live session, an hour after the last time (D9). */
export const renewDirectoryTokens = async (context: AppContext): Promise<void> => {
  const work = async (): Promise<void> => {
    for (let due = await claim(context); due !== undefined; due = await claim(context)) await renew(context, due)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Forgets the tokens of whoever has no session any more: they serve nobody. */
export const forgetUnusedTokens = async ({ db, configuration }: AppContext): Promise<void> => {
  await db
    .updateTable('account')
    .set(NONE)
    .where('directoryTokens', 'is not', null)
    .where(({ not }) => not(hasLiveSession(configuration)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('ticket').select('hash').whereRef('ticket.account', '=', 'account._id'))))
    .execute()
}
