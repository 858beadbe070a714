import { type Selectable, sql, type Updateable } from 'kysely'

import type { AccountTable } from '../../../database/account-tables.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getSystemActor, recordAudit } from '../../../platform/server/audit.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { decryptTokens, toTokenColumns } from './encrypted-tokens.server.ts'
import { toClaimColumns } from './identity.server.ts'
import { endSessionsOfAccount } from './mutations.server.ts'
import { formatReason, refreshDirectoryTokens } from './provider.server.ts'
import { hasLiveSession, isLiveToken } from './queries.server.ts'

/** Wait after the provider could not be reached. Longer than any renewal takes, so that no two servers renew the same account. */
const RETRY_DELAY_MS = 300_000
const CONCURRENT_RENEWALS = 4
const NO_TOKENS = { directoryTokens: null, directoryTokensDue: null }

/** Selects accounts whose API tokens may act at a level granted by groups of the ID token; for a query on `account`. */
const hasTokenOfGroups = (configuration: Configuration) => sql<boolean>`(account."claimedGroups" <> '{}'
  and exists (select from api_token where api_token.account = account._id and ${isLiveToken(configuration)}))`

/** Selects accounts whose tokens are renewed. */
const isRenewed = (configuration: Configuration) => sql<boolean>`(${hasLiveSession(configuration)} or ${hasTokenOfGroups(configuration)})`

type DueRenewal = Pick<Selectable<AccountTable>, '_id' | 'objectId' | 'directoryTokens' | 'claimedGroups'>

/** Claims one due renewal; no other server claims it before the retry delay has passed. */
const claimDueRenewal = async ({ db, configuration }: AppContext): Promise<DueRenewal | undefined> =>
  db
    .updateTable('account')
    .set({ directoryTokensDue: new Date(Date.now() + RETRY_DELAY_MS) })
    .where('_id', '=', (query) =>
      query
        .selectFrom('account')
        .select('account._id')
        .where('account.directoryTokensDue', '<', sql<Date>`now()`)
        .where(isRenewed(configuration))
        .orderBy('account.directoryTokensDue')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['_id', 'objectId', 'directoryTokens', 'claimedGroups'])
    .executeTakeFirst()

/**
 * Renews one account's tokens at the provider, and the groups of its ID token. A refusal ends its sessions and removes these groups; an unreachable
 * provider ends nothing. Tokens of a newer sign-in are not overwritten.
 */
const renewTokens = async ({ db, configuration, lists, log }: AppContext, due: DueRenewal): Promise<void> => {
  const { _id: account, objectId, directoryTokens } = due
  const saveTokens = (columns: Updateable<AccountTable>) =>
    db
      .updateTable('account')
      .set(columns)
      .where('_id', '=', account)
      .where('directoryTokens', 'is not distinct from', directoryTokens)
      .returning('_id')
      .executeTakeFirst()
  const refreshToken = decryptTokens(configuration, account, directoryTokens)?.refreshToken
  if (refreshToken === undefined) return void (await saveTokens(NO_TOKENS))
  try {
    const renewal = await refreshDirectoryTokens(configuration, refreshToken, objectId)
    if (renewal !== 'refused') {
      const { tokens, identity } = renewal
      await saveTokens({ ...toTokenColumns(configuration, account, tokens), ...(identity && toClaimColumns(identity)) })
      if (identity && String(identity.groups) !== String(due.claimedGroups)) await lists.invalidate(['account'])
      return
    }
    if (await saveTokens({ ...NO_TOKENS, claimedGroups: [] })) {
      await db.transaction().execute(async (tx) => {
        const sessions = await endSessionsOfAccount(tx, account)
        const after = { reason: 'the sign-in provider refused a renewal', sessions: sessions.length }
        await recordAudit(tx, getSystemActor('Homeroom'), { kind: 'session.ended', record: account, after })
      })
      await lists.invalidate(['session', 'account'])
      logSecurityEvent(log, null, 'sessions_refused_by_provider', { account })
    }
  } catch (error) {
    log.warn({ account, reason: formatReason(error) }, 'The provider could not be reached for a renewal')
  }
}

/**
 * Renews the tokens of everyone with a live session, or with an API token at a level granted by a group of their ID token, an hour after the last
 * renewal.
 */
export const renewDirectoryTokens = async (context: AppContext): Promise<void> => {
  const renewUntilNoneDue = async (): Promise<void> => {
    for (let due = await claimDueRenewal(context); due !== undefined; due = await claimDueRenewal(context)) await renewTokens(context, due)
  }
  await Promise.all(Array.from({ length: CONCURRENT_RENEWALS }, renewUntilNoneDue))
}

/** Deletes the tokens of accounts that are not renewed and have no ticket. */
export const deleteUnusedTokens = async ({ db, configuration }: AppContext): Promise<void> => {
  await db
    .updateTable('account')
    .set(NO_TOKENS)
    .where('directoryTokens', 'is not', null)
    .where(({ not }) => not(isRenewed(configuration)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('ticket').select('hash').whereRef('ticket.account', '=', 'account._id'))))
    .execute()
}
