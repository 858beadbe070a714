import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from '../levels/queries.server.ts'
import { decryptTokens } from './encrypted-tokens.server.ts'
import { getTenant } from './provider-settings.server.ts'
import { deriveCompanion, hashSecret, createApiToken, createSecret, createTicket } from './secrets.server.ts'

/** The tenant of the accounts and users. */
export { getTenant }

const SIGN_IN_MINUTES = 10
const TICKET_SECONDS = 60

export interface StartedSignIn {
  readonly nonce: string
  readonly verifier: string
}

export const insertSignIn = async (db: Queryable, browser: string, state: string, { nonce, verifier }: StartedSignIn): Promise<void> => {
  await db
    .insertInto('sign_in')
    .values({ state: hashSecret(state), browser: hashSecret(browser), nonce, verifier })
    .execute()
}

/** Deletes and returns the sign-in this browser started with this state. An attempt by another browser leaves it unused. */
export const consumeSignIn = (db: Queryable, browser: string, state: string): Promise<StartedSignIn | undefined> =>
  db
    .deleteFrom('sign_in')
    .where('state', '=', hashSecret(state))
    .where('browser', '=', hashSecret(browser))
    .where('createdAt', '>', sql<Date>`now() - make_interval(mins => ${SIGN_IN_MINUTES})`)
    .returning(['nonce', 'verifier'])
    .executeTakeFirst()

/** Inserts a ticket that only the browser that signed in can exchange for a session. `idToken` is encrypted. */
export const insertTicket = async (db: Queryable, browser: string, account: string, idToken: Buffer | null): Promise<string> => {
  const ticket = createTicket()
  await db
    .insertInto('ticket')
    .values({ hash: hashSecret(ticket), browser: hashSecret(browser), account, idToken })
    .execute()
  return ticket
}

/** Deletes and returns a ticket; undefined if it has expired, was used, or belongs to another browser, which leaves it unused. */
export const consumeTicket = (
  db: Queryable,
  browser: string,
  ticket: string,
): Promise<{ account: string; idToken: Buffer | null } | undefined> =>
  db
    .deleteFrom('ticket')
    .where('hash', '=', hashSecret(ticket))
    .where('browser', '=', hashSecret(browser))
    .where('createdAt', '>', sql<Date>`now() - make_interval(secs => ${TICKET_SECONDS})`)
    .returning(['account', 'idToken'])
    .executeTakeFirst()

interface NewSession {
  readonly account: string
  readonly browser: string
  readonly idToken: Buffer | null
  readonly userAgent: string | null
  /** The network address of the client. */
  readonly address: string | null
}

/** Inserts a session and returns its two secrets: the token and the companion cookie. */
export const insertSession = async (
  db: Queryable,
  { account, browser, idToken, userAgent, address }: NewSession,
): Promise<{ token: string; companion: string }> => {
  const token = createSecret()
  const companion = deriveCompanion(browser, account)
  await db
    .insertInto('session')
    .values({
      hash: hashSecret(token),
      companion: hashSecret(companion),
      account,
      idToken,
      userAgent,
      address: address && normalizeAddress(address),
    })
    .execute()
  return { token, companion }
}

/** The client address without the prefix of an IPv4-mapped one, truncated, because a proxy may send any text. */
const normalizeAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 60)

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

/** The same for API tokens; for a query on `api_token` and `account`. */
export const isLiveToken = (configuration: Configuration) => sql<boolean>`api_token."endedAt" is null
  and api_token."expiresAt" > now() and ${isOpenAccount(configuration)}`

interface SessionState {
  /** Whether to mark it as used, which is done at most once a minute. */
  readonly isMarkDue: boolean
  /** Maximum remaining lifetime. */
  readonly remainingMs: number
}

/** The user of a session, at the current level of their permission records. `token` is undefined only if the companion cookie alone is accepted. */
export const findUserBySession = async (
  db: Queryable,
  configuration: Configuration,
  { token, companion }: { token: string | undefined; companion: string },
): Promise<(SignedIn & SessionState & { readonly session: string }) | undefined> =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select([
      'session._id as session',
      sql<null>`null`.as('token'),
      'account._id as account',
      'account.name',
      'account.azureID',
      accountLevel(configuration, sql.ref('account._id')).as('accessLevel'),
      sql<boolean>`session."usedAt" < now() - interval '1 minute'`.as('isMarkDue'),
      sql<number>`extract(epoch from session."createdAt" + make_interval(hours => ${configuration.sessionHours}) - now())::float * 1000`.as(
        'remainingMs',
      ),
    ])
    .where('session.companion', '=', hashSecret(companion))
    .$if(token !== undefined, (query) => query.where('session.hash', '=', hashSecret(token ?? '')))
    .where(isLiveSession(configuration))
    .orderBy('session.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export const countLiveSessions = async (db: Queryable, configuration: Configuration): Promise<number> => {
  const { live } = await db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select(sql<number>`count(*)::int`.as('live'))
    .where(isLiveSession(configuration))
    .executeTakeFirstOrThrow()
  return live
}

export const markSessionUsed = async (db: Queryable, session: string, address: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ usedAt: sql<Date>`now()`, address: normalizeAddress(address) })
    .where('_id', '=', session)
    .execute()
}

/** Inserts an API token and returns its secret, of which only the hash is stored. */
export const insertApiToken = async (
  db: Queryable,
  { account, name, accessLevel, days }: { account: string; name: string; accessLevel: number; days: number },
): Promise<{ _id: string; token: string }> => {
  const token = createApiToken()
  const { _id } = await db
    .insertInto('api_token')
    .values({ hash: hashSecret(token), account, name, accessLevel, expiresAt: sql<Date>`now() + make_interval(days => ${days})` })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return { _id, token }
}

/** The creator of an API token, at the less privileged of their current level and the token's own. */
export const findUserByApiToken = async (
  db: Queryable,
  configuration: Configuration,
  token: string,
): Promise<(SignedIn & SessionState & { readonly _id: string }) | undefined> =>
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
    .executeTakeFirst()

export const markTokenUsed = async (db: Queryable, _id: string): Promise<void> => {
  await db
    .updateTable('api_token')
    .set({ usedAt: sql<Date>`now()` })
    .where('_id', '=', _id)
    .execute()
}

export interface EndedSession {
  readonly _id: string
  readonly account: string
  /** Of the account. */
  readonly name: string
  readonly azureID: string
  readonly idToken: Buffer | null
}

/** Ends every session of this companion cookie (all tabs of the browser) and the session of this token; returns those that were still open. */
export const endSessions = async (
  db: Queryable,
  { token, companion }: { token: string | undefined; companion: string | undefined },
): Promise<EndedSession[]> =>
  db
    .with('ending', (query) =>
      query
        .selectFrom('session')
        .select(['_id', 'account', 'idToken'])
        .where('endedAt', 'is', null)
        .where(({ eb, or }) =>
          or([
            ...(companion === undefined ? [] : [eb('companion', '=', hashSecret(companion))]),
            ...(token === undefined ? [] : [eb('hash', '=', hashSecret(token))]),
          ]),
        )
        .forUpdate(),
    )
    .with('ended', (query) =>
      query
        .updateTable('session')
        .set({ endedAt: sql<Date>`now()`, idToken: null })
        .where('_id', 'in', (inner) => inner.selectFrom('ending').select('_id')),
    )
    .selectFrom('ending')
    .innerJoin('account', 'account._id', 'ending.account')
    .select(['ending._id', 'ending.account', 'account.name', 'account.azureID', 'ending.idToken'])
    .execute()

/** Ends every session of an account and returns their ids. `endedBy` is null if the provider refused it. */
export const endSessionsOfAccount = async (db: Queryable, account: string, endedBy: string | null = null): Promise<string[]> => {
  const ended = await db
    .updateTable('session')
    .set({ endedAt: sql<Date>`now()`, idToken: null, endedBy })
    .where('account', '=', account)
    .where('endedAt', 'is', null)
    .returning('_id')
    .execute()
  return ended.map(({ _id }) => _id)
}

/**
 * Closes the accounts of someone who leaves, by address and by their permission records (`boundAccounts`), ends their sessions, API tokens and
 * calendar feeds, and returns their ids.
 */
export const closeAccounts = async (
  tx: Tx,
  address: string | null,
  boundAccounts: readonly string[],
  endedBy: string,
): Promise<string[]> => {
  const closed = await tx
    .updateTable('account')
    .set({ closedAt: sql<Date>`now()`, directoryTokens: null, directoryTokensDue: null })
    .where(sql<boolean>`lower("azureID") = lower(${address}) or _id = any(${[...boundAccounts]}::uuid[])`)
    .where('closedAt', 'is', null)
    .returning('_id')
    .execute()
  for (const { _id } of closed) await endAccess(tx, _id, endedBy)
  return closed.map(({ _id }) => _id)
}

/** Ends the sessions, API tokens and calendar feeds of an account. */
const endAccess = async (tx: Tx, account: string, endedBy: string | null): Promise<void> => {
  await endSessionsOfAccount(tx, account, endedBy)
  await sql`update api_token set "endedAt" = now(), "endedBy" = ${endedBy} where account = ${account} and "endedAt" is null`.execute(tx)
  await tx.deleteFrom('calendar').where('account', '=', account).execute()
}

/** Disables an account that is disabled in the directory, and ends its sessions, API tokens and calendar feeds. */
export const disableAccount = async (tx: Tx, account: string): Promise<void> => {
  const disabled = await tx
    .updateTable('account')
    .set({ disabledAt: sql<Date>`now()`, directoryTokens: null, directoryTokensDue: null })
    .where('_id', '=', account)
    .where('disabledAt', 'is', null)
    .returning('_id')
    .executeTakeFirst()
  if (disabled) await endAccess(tx, account, null)
}

/** The owner may sign in again; sessions, API tokens and calendar feeds stay ended. */
export const enableAccount = async (tx: Tx, account: string): Promise<void> => {
  await tx.updateTable('account').set({ disabledAt: null }).where('_id', '=', account).where('disabledAt', 'is not', null).execute()
}

/** Their sessions, API tokens and calendar feeds stay ended. */
export const reopenAccounts = async (tx: Tx, accounts: readonly string[]): Promise<void> => {
  await sql`update account set "closedAt" = null where _id = any(${[...accounts]}::uuid[])`.execute(tx)
}

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

/** When a session ended, expired or became idle. */
const sessionEnd = ({ sessionHours, sessionIdleMinutes }: Configuration) => sql`coalesce(session."endedAt", least(
  session."createdAt" + make_interval(hours => ${sessionHours}), session."usedAt" + make_interval(mins => ${sessionIdleMinutes})))`

/** Deletes expired sign-ins and tickets immediately, sessions and API tokens at the end of their retention period. */
export const deleteExpired = async (db: Queryable, configuration: Configuration): Promise<void> => {
  const { sessionHours, retention } = configuration
  await sql`delete from sign_in where "createdAt" < now() - make_interval(mins => ${SIGN_IN_MINUTES})`.execute(db)
  await sql`delete from ticket where "createdAt" < now() - make_interval(secs => ${TICKET_SECONDS})`.execute(db)
  // For one more day, signing out of an expired session still includes the provider's logout.
  await sql`update session set "idToken" = null where "idToken" is not null
    and "createdAt" < now() - make_interval(hours => ${sessionHours + 24})`.execute(db)
  const retentionLimit = sql`now() - make_interval(days => ${retention.sessionsDays})`
  await deleteInBatches(db, 'session', sql<boolean>`"createdAt" < ${retentionLimit} and ${sessionEnd(configuration)} < ${retentionLimit}`)
  await deleteInBatches(db, 'api_token', sql<boolean>`least("expiresAt", "endedAt") < ${retentionLimit}`)
}
