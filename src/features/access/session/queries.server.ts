import { sql } from 'kysely'

import type { SignInResult } from '../../../database/account-tables.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from '../levels/queries.server.ts'
import { decryptTokens } from './encrypted-tokens.server.ts'
import { SIGN_IN_MINUTES } from './mutations.server.ts'
import { getCallbackUrl, getPostLogoutUrl, getTenant } from './provider-settings.server.ts'
import { hashSecret } from './secrets.server.ts'

/** The tenant of the accounts and users, and the addresses to register at the provider. */
export { getCallbackUrl, getPostLogoutUrl, getTenant }

/** Selects accounts of the configured tenant; for a query on `account`. */
export const isOfTenant = (configuration: Configuration) => sql<boolean>`account.tenant = ${getTenant(configuration)}`

/** Selects accounts that may sign in: not those of people who left, nor those that are disabled in the directory. */
export const isOpenAccount = (configuration: Configuration) =>
  sql<boolean>`account."closedAt" is null and account."disabledAt" is null and ${isOfTenant(configuration)}`

/** Selects sessions that have not ended, expired or become idle, of an open account; for a query on `session` and `account`. */
export const isLiveSession = (configuration: Configuration) => sql<boolean>`session."endedAt" is null
  and session."createdAt" > now() - make_interval(hours => ${configuration.sessionHours})
  and session."usedAt" > now() - make_interval(mins => ${configuration.sessionIdleMinutes})
  and ${isOpenAccount(configuration)}`

/** Selects sessions whose browser may keep the directory on its device, also expired ones; for a query on `session`. */
export const holdsCopy = (configuration: Configuration) => sql<boolean>`(session."endedAt" is null
  and session."copiedAt" > now() - make_interval(days => ${configuration.offlineDays}))`

/** The same for API tokens; for a query on `api_token` and `account`. */
export const isLiveToken = (configuration: Configuration) => sql<boolean>`api_token."endedAt" is null
  and api_token."expiresAt" > now() and ${isOpenAccount(configuration)}`

/** The tables that determine the user and level of a session or an API token. */
const SESSION_TABLES = [
  'session',
  'api_token',
  'account',
  'permission',
  'super_admin_binding',
  'directory_user',
  'directory_group',
  'directory_membership',
  'level_mapping',
]

/** Whether a change of these tables may have ended a session or changed a level. */
export const areSessionsChanged = (tables: ReadonlySet<string> | 'any'): boolean =>
  tables === 'any' || SESSION_TABLES.some((table) => tables.has(table))

/**
 * Selects the user of a session, at the current level of their permission records. `token` is undefined only if the companion cookie alone is accepted.
 * `isMarkDue` says whether to mark the session as used, which is done at most once a minute, and four times before it would be idle; `remainingMs` is how
 * long it lives if it is not marked.
 */
export const selectUserBySession = (
  db: Queryable,
  configuration: Configuration,
  { token, companion }: { readonly token: string | undefined; readonly companion: string },
) => {
  const maxIdle = sql`make_interval(mins => ${configuration.sessionIdleMinutes})`
  return db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select([
      'session._id as session',
      sql<null>`null`.as('token'),
      'account._id as account',
      'account.name',
      'account.azureID',
      accountLevel(configuration, sql.ref('account._id')).as('accessLevel'),
      sql<boolean>`session."usedAt" < now() - least(interval '1 minute', ${maxIdle} / 4)`.as('isMarkDue'),
      sql<number>`extract(epoch from least(session."createdAt" + make_interval(hours => ${configuration.sessionHours}),
        session."usedAt" + ${maxIdle}) - now())::float * 1000`.as('remainingMs'),
    ])
    .where('session.companion', '=', hashSecret(companion))
    .$if(token !== undefined, (query) => query.where('session.hash', '=', hashSecret(token ?? '')))
    .where(isLiveSession(configuration))
    .orderBy('session.createdAt', 'desc')
    .limit(1)
}

export const countLiveSessions = async (db: Queryable, configuration: Configuration): Promise<number> => {
  const { live } = await db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select(sql<number>`count(*)::int`.as('live'))
    .where(isLiveSession(configuration))
    .executeTakeFirstOrThrow()
  return live
}

/** Selects the creator of an API token, at their current level or the token's own, whichever has less access. */
export const selectUserByApiToken = (db: Queryable, configuration: Configuration, token: string) =>
  db
    .selectFrom('api_token')
    .innerJoin('account', 'account._id', 'api_token.account')
    .select([
      'api_token._id',
      sql<null>`null`.as('session'),
      'api_token.name as token',
      'account._id as account',
      'account.name',
      'account.azureID',
      sql<number>`greatest(api_token."accessLevel", ${accountLevel(configuration, sql.ref('account._id'))})`.as('accessLevel'),
      sql<boolean>`coalesce(api_token."usedAt" < now() - interval '1 minute', true)`.as('isMarkDue'),
      sql<number>`extract(epoch from api_token."expiresAt" - now())::float * 1000`.as('remainingMs'),
    ])
    .where('api_token.hash', '=', hashSecret(token))
    .where(isLiveToken(configuration))

/**
 * True if the account was closed when its owner left, or if the owner had never signed in and left with this address. A new person who got a former
 * employee's address signs in with another account.
 */
export const hasLeft = async (tx: Tx, account: string, address: string): Promise<boolean> => {
  const { rows } = await sql`
    select from account where _id = ${account} and "closedAt" is not null
    union all select from departure where lower(address) = lower(${address}) and accounts = '{}'`.execute(tx)
  return rows.length > 0
}

/** An email address that can sign in, and its level. */
export interface SignInAddress {
  readonly address: string
  /** Null for a permission record that no one has signed in with yet. */
  readonly account: string | null
  readonly level: number
}

/** The addresses of open accounts and of permission records; if two accounts have an address, the one with less access counts. */
export const listAddresses = async (db: Queryable, configuration: Configuration): Promise<SignInAddress[]> => {
  const { rows } = await sql<SignInAddress>`
    select distinct on (lower(address)) address, account, level from (
      select "azureID" as address, _id as account, ${accountLevel(configuration, sql.ref('account._id'))} as level
      from account where ${isOpenAccount(configuration)}
      union all
      select "azureID", null, "accessLevel" from permission
      where "applicationID" = ${configuration.appId} and permission.account is null
        and not exists (select from account where lower(account."azureID") = lower(permission."azureID") and ${isOfTenant(configuration)})
    ) as known order by lower(address), level desc, account`.execute(db)
  return rows
}

/** Selects accounts with a live session; for a query on `account`. */
export const hasLiveSession = (configuration: Configuration) =>
  sql<boolean>`exists (select from session where session.account = account._id and ${isLiveSession(configuration)})`

/** Null if there is none or it has expired. It is never sent to a browser. */
export const getDirectoryAccessToken = async ({ db, configuration }: AppContext, account: string): Promise<string | null> => {
  const row = await db.selectFrom('account').select('directoryTokens').where('_id', '=', account).executeTakeFirst()
  const tokens = decryptTokens(configuration, account, row?.directoryTokens ?? null)
  return tokens !== null && tokens.expiresAt > Date.now() ? tokens.accessToken : null
}

/**
 * The present levels of sessions, by `_id`, and of API tokens, by the hexadecimal hash of the token, as far as they have not ended.
 */
export const readLevels = async (
  db: Queryable,
  configuration: Configuration,
  credentials: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ credential: string; level: number }>`
    with live as (
      select session._id::text as credential, session.account, 1 as least from session join account on account._id = session.account
      where session._id::text = any(${[...credentials]}::text[]) and ${isLiveSession(configuration)}
      union all
      select encode(api_token.hash, 'hex'), api_token.account, api_token."accessLevel"
      from api_token join account on account._id = api_token.account
      where encode(api_token.hash, 'hex') = any(${[...credentials]}::text[]) and ${isLiveToken(configuration)}),
    levels as (
      select account, ${accountLevel(configuration, sql.ref('known.account'))} as level from (select distinct account from live) as known)
    select credential, greatest(least, level) as level from live join levels using (account)`.execute(db)
  return new Map(rows.map(({ credential, level }) => [credential, level]))
}

/** Whether the browser with this token may keep its copy. The session may have expired, but nobody ended it. */
export const mayKeepCopy = async ({ db, configuration }: AppContext, token: string): Promise<boolean> => {
  if (configuration.offlineDays === 0) return false
  const found = await db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select('session._id')
    .where('session.hash', '=', hashSecret(token))
    .where('session.endedAt', 'is', null)
    .where('session.copiedLevel', '=', accountLevel(configuration, sql.ref('account._id')))
    .where(isOpenAccount(configuration))
    .executeTakeFirst()
  return found !== undefined
}

/** The result of the last test that an account started; undefined if there is none of the last minutes. */
export const findTestResult = async (db: Queryable, testedBy: string): Promise<(SignInResult & { readonly at: Date }) | undefined> => {
  const row = await db
    .selectFrom('sign_in')
    .select(['result', 'createdAt as at'])
    .where('testedBy', '=', testedBy)
    .where('result', 'is not', null)
    .where('createdAt', '>', sql<Date>`now() - make_interval(mins => ${SIGN_IN_MINUTES})`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.result ? { ...row.result, at: row.at } : undefined
}
