import { type RawBuilder, sql } from 'kysely'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel, getLevelOrigin } from '../levels/queries.server.ts'
import { holdsCopy, isLiveSession, isLiveToken, isOfTenant } from '../session/queries.server.ts'
import { type Account, type AccountDetail, type AccountSession, type ApiToken, MAX_ACCOUNTS } from './contract.ts'
import { formatBrowser } from './rules.ts'

/** How far back lists of sessions and tokens go. The retention period is a setting of the server. */
const LISTED_DAYS = 30
const isRecent = (column: string): RawBuilder<boolean> => sql`${sql.ref(column)} > now() - make_interval(days => ${LISTED_DAYS})`

/** Active sessions first, then those ended from a list recently. `callerSession` is the session of the caller. */
export const listSessionsOfAccount = async (
  db: Queryable,
  configuration: Configuration,
  account: string,
  callerSession: string | null,
): Promise<AccountSession[]> => {
  const isLive = isLiveSession(configuration)
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .leftJoin('account as ender', 'ender._id', 'session.endedBy')
    .select([
      'session._id',
      'session.userAgent',
      'session.address',
      toIsoTimestamp(sql<Date>`session."createdAt"`).as('signedInAt'),
      toIsoTimestamp(sql<Date>`session."usedAt"`).as('usedAt'),
      sql<boolean>`session._id = ${callerSession}::uuid is true`.as('isThis'),
      sql<boolean>`session.companion = (select mine.companion from session as mine where mine._id = ${callerSession}::uuid) is true`.as(
        'isThisBrowser',
      ),
      sql<string | null>`case when ${holdsCopy(configuration)} then ${toIsoTimestamp(sql<Date>`session."copiedAt"`)} end`.as('copiedAt'),
      toIsoTimestamp(sql<Date | null>`session."endedAt"`).as('endedAt'),
      'ender.name as endedBy',
    ])
    .where('session.account', '=', account)
    .where(sql<boolean>`(${isLive} or ${holdsCopy(configuration)} or (session."endedBy" is not null and ${isRecent('session.endedAt')}))`)
    .orderBy(sql`session."endedAt" desc nulls first`)
    .orderBy('session.usedAt', 'desc')
    .orderBy('session._id')
    .execute()
  return rows.map(({ userAgent, ...row }) => ({ ...row, browser: formatBrowser(userAgent) }))
}

/** Active tokens first, newest first, then those that ended recently. */
export const listTokensOfAccount = async (db: Queryable, account: string, only?: string): Promise<ApiToken[]> => {
  const isExpired = sql<boolean>`token."expiresAt" <= coalesce(token."endedAt", now())`
  const endedAt = sql<Date | null>`case when ${isExpired} then token."expiresAt" else token."endedAt" end`
  // The person who removed a token is recorded; provisioning has no account.
  const end = sql<ApiToken['end']>`case when ${isExpired} then 'expired' when token."endedAt" is null then null
    when token."endedBy" is null then 'disabled in the directory' else 'removed' end`
  return db
    .selectFrom('api_token as token')
    .leftJoin('account as ender', 'ender._id', 'token.endedBy')
    .select([
      'token._id',
      'token.name',
      'token.accessLevel',
      toIsoTimestamp(sql<Date>`token."createdAt"`).as('madeAt'),
      toIsoTimestamp(sql<Date>`token."expiresAt"`).as('expiresAt'),
      toIsoTimestamp(sql<Date | null>`token."usedAt"`).as('usedAt'),
      toIsoTimestamp(endedAt).as('endedAt'),
      'ender.name as endedBy',
      end.as('end'),
    ])
    .where('token.account', '=', account)
    .$if(only !== undefined, (query) => query.where('token._id', '=', only ?? ''))
    .where(sql<boolean>`(${endedAt} is null or ${endedAt} > now() - make_interval(days => ${LISTED_DAYS}))`)
    .orderBy(sql`${endedAt} desc nulls first`)
    .orderBy('token.createdAt', 'desc')
    .orderBy('token._id')
    .execute()
}

/** A query on accounts of our tenant, joined with their sessions and tokens. */
const selectAccounts = (db: Queryable, configuration: Configuration) =>
  db
    .selectFrom('account')
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('session')
          .select([
            sql<number>`count(*) filter (where ${isLiveSession(configuration)})::int`.as('live'),
            sql<number>`count(*) filter (where ${holdsCopy(configuration)})::int`.as('copies'),
            sql<Date>`max("usedAt")`.as('used'),
          ])
          .where(sql<boolean>`session.account = account._id`)
          .as('used_sessions'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('api_token')
          .select([sql<number>`count(*) filter (where ${isLiveToken(configuration)})::int`.as('live'), sql<Date>`max("usedAt")`.as('used')])
          .where(sql<boolean>`api_token.account = account._id`)
          .as('used_tokens'),
      (join) => join.onTrue(),
    )
    .select([
      'account._id',
      'account.name',
      'account.azureID',
      accountLevel(configuration, sql.ref('account._id')).as('accessLevel'),
      'used_sessions.live as sessions',
      'used_tokens.live as tokens',
      'used_sessions.copies',
      toIsoTimestamp(sql<Date>`greatest(used_sessions.used, used_tokens.used, account."signedInAt")`).as('usedAt'),
    ])
    .where(isOfTenant(configuration))

/** Searches accounts by name and email, most recently active first, and counts all matches. */
export const searchAccounts = async (
  db: Queryable,
  configuration: Configuration,
  text: string,
): Promise<{ total: number; accounts: Account[] }> => {
  const hasAll = sql<boolean>`not exists (
    select from unnest(regexp_split_to_array(lower(unaccent(${text})), '\\s+')) as word
    where strpos(lower(unaccent(concat_ws(' ', account.name, account."azureID"))), word) = 0)`
  const found = await selectAccounts(db, configuration)
    .where(hasAll)
    .orderBy(sql`greatest(used_sessions.used, used_tokens.used, account."signedInAt") desc`)
    .orderBy('account.name', inByteOrder)
    .orderBy('account._id')
    .limit(MAX_ACCOUNTS)
    .execute()
  const { total } = await db
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(isOfTenant(configuration))
    .where(hasAll)
    .executeTakeFirstOrThrow()
  return { total, accounts: found }
}

/** An account of our tenant with the origin of its level. */
export const findAccount = async (db: Queryable, configuration: Configuration, _id: string): Promise<AccountDetail | undefined> => {
  const account = await selectAccounts(db, configuration).where('account._id', '=', _id).executeTakeFirst()
  return account && { ...account, ...(await getLevelOrigin(db, configuration, account)) }
}

/** The slug of the person with this work address in the directory. */
export const findOwnPerson = async (db: Queryable, address: string): Promise<string | null> => {
  const found = await db
    .selectFrom('person')
    .select('slug')
    .where(sql<boolean>`lower(email) = lower(${address})`)
    .where('leftAt', 'is', null)
    .where('archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found?.slug ?? null
}
