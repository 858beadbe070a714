import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/forgetting.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from '../levels/queries.server.ts'
import { tenantOf } from './provider-settings.server.ts'
import { openTokens } from './sealed-tokens.server.ts'
import { companionOf, digest, randomApiToken, randomSecret, randomTicket } from './secrets.server.ts'

/** How long somebody may take at the provider, and how long a ticket lives (D8). */
const SIGN_IN_MINUTES = 10
const TICKET_SECONDS = 60

export interface StartedSignIn {
  readonly nonce: string
  readonly verifier: string
}

export const keepSignIn = async (db: Queryable, browser: string, state: string, { nonce, verifier }: StartedSignIn): Promise<void> => {
  await db
    .insertInto('sign_in')
    .values({ state: digest(state), browser: digest(browser), nonce, verifier })
    .execute()
}

/** The sign-in this browser started with this state, once. Another browser's try leaves it for the right one. */
export const takeSignIn = (db: Queryable, browser: string, state: string): Promise<StartedSignIn | undefined> =>
  db
    .deleteFrom('sign_in')
    .where('state', '=', digest(state))
    .where('browser', '=', digest(browser))
    .where('createdAt', '>', sql<Date>`now() - make_interval(mins => ${SIGN_IN_MINUTES})`)
    .returning(['nonce', 'verifier'])
    .executeTakeFirst()

/** A ticket for the browser that signed in (D8). `idToken` is sealed. */
export const makeTicket = async (db: Queryable, browser: string, account: string, idToken: Buffer | null): Promise<string> => {
  const ticket = randomTicket()
  await db
    .insertInto('ticket')
    .values({ hash: digest(ticket), browser: digest(browser), account, idToken })
    .execute()
  return ticket
}

/** Spends a ticket. One that is old, used or another browser's gives nothing, and such a try spends nothing. */
export const takeTicket = (
  db: Queryable,
  browser: string,
  ticket: string,
): Promise<{ account: string; idToken: Buffer | null } | undefined> =>
  db
    .deleteFrom('ticket')
    .where('hash', '=', digest(ticket))
    .where('browser', '=', digest(browser))
    .where('createdAt', '>', sql<Date>`now() - make_interval(secs => ${TICKET_SECONDS})`)
    .returning(['account', 'idToken'])
    .executeTakeFirst()

/** What a session is opened with; `address` is where from. */
interface Opening {
  readonly account: string
  readonly browser: string
  readonly idToken: Buffer | null
  readonly userAgent: string | null
  readonly address: string | null
}

/** A new session of an account in a browser, and the two secrets that open it. */
export const openSession = async (
  db: Queryable,
  { account, browser, idToken, userAgent, address }: Opening,
): Promise<{ token: string; companion: string }> => {
  const token = randomSecret()
  const companion = companionOf(browser, account)
  await db
    .insertInto('session')
    .values({ hash: digest(token), companion: digest(companion), account, idToken, userAgent, address: address && placeOf(address) })
    .execute()
  return { token, companion }
}

/** The network address of a request as people know it; a proxy may send anything as one. */
const placeOf = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 60)

/** True for accounts of the tenant we serve now; for use in a query on `account`. */
export const isOfTenant = (configuration: Configuration) => sql<boolean>`account.tenant = ${tenantOf(configuration)}`

/** True for accounts of our tenant that open something: whoever left has none. */
const isOpen = (configuration: Configuration) => sql<boolean>`account."closedAt" is null and ${isOfTenant(configuration)}`

/** What a live session is: not ended, not too old, not idle, and of an open account (D9); for use in a query on both tables. */
export const isLiveSession = (configuration: Configuration) => sql<boolean>`session."endedAt" is null
  and session."createdAt" > now() - make_interval(hours => ${configuration.sessionHours})
  and session."usedAt" > now() - make_interval(mins => ${configuration.sessionIdleMinutes})
  and ${isOpen(configuration)}`

/** What a live API token is; for use in a query on both tables. */
export const isLiveToken = (configuration: Configuration) => sql<boolean>`api_token."endedAt" is null
  and api_token."expiresAt" > now() and ${isOpen(configuration)}`

interface Found {
  /** It is time to mark it as used, which is done once a minute. */
  readonly stale: boolean
  /** How many milliseconds it has left at most. */
  readonly lives: number
}

/**
 * Who the secrets of a session belong to, at the level their permission records give right now (D10).
 * `token` is left out only where the companion alone will do (D9).
 */
export const findSignedIn = async (
  db: Queryable,
  configuration: Configuration,
  { token, companion }: { token: string | undefined; companion: string },
): Promise<(SignedIn & Found & { readonly session: string }) | undefined> =>
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
      sql<boolean>`session."usedAt" < now() - interval '1 minute'`.as('stale'),
      sql<number>`extract(epoch from session."createdAt" + make_interval(hours => ${configuration.sessionHours}) - now())::float * 1000`.as(
        'lives',
      ),
    ])
    .where('session.companion', '=', digest(companion))
    .$if(token !== undefined, (query) => query.where('session.hash', '=', digest(token ?? '')))
    .where(isLiveSession(configuration))
    .orderBy('session.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many sessions live. */
export const countLiveSessions = async (db: Queryable, configuration: Configuration): Promise<number> => {
  const { live } = await db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select(sql<number>`count(*)::int`.as('live'))
    .where(isLiveSession(configuration))
    .executeTakeFirstOrThrow()
  return live
}

export const markUsed = async (db: Queryable, session: string, address: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ usedAt: sql<Date>`now()`, address: placeOf(address) })
    .where('_id', '=', session)
    .execute()
}

/** A new API token; the text it is used with is answered here and kept nowhere. */
export const openApiToken = async (
  db: Queryable,
  { account, name, accessLevel, days }: { account: string; name: string; accessLevel: number; days: number },
): Promise<{ _id: string; token: string }> => {
  const token = randomApiToken()
  const { _id } = await db
    .insertInto('api_token')
    .values({ hash: digest(token), account, name, accessLevel, expiresAt: sql<Date>`now() + make_interval(days => ${days})` })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return { _id, token }
}

/** Who acts with an API token: its maker, at their level of right now or at the token's where that is the less privileged (D9, D10). */
export const findByApiToken = async (
  db: Queryable,
  configuration: Configuration,
  token: string,
): Promise<(SignedIn & Found & { readonly _id: string }) | undefined> =>
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
      sql<boolean>`coalesce(api_token."usedAt" < now() - interval '1 minute', true)`.as('stale'),
      sql<number>`extract(epoch from api_token."expiresAt" - now())::float * 1000`.as('lives'),
    ])
    .where('api_token.hash', '=', digest(token))
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
  readonly account: string
  readonly idToken: Buffer | null
}

/** Ends every session of this companion (all tabs of the browser) and the session of this token; answers those that had not ended. */
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
            ...(companion === undefined ? [] : [eb('companion', '=', digest(companion))]),
            ...(token === undefined ? [] : [eb('hash', '=', digest(token))]),
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
    .select(['account', 'idToken'])
    .execute()

/** Ends every session of an account: the provider has refused it, or somebody asked for it, who is kept as `endedBy` (D9). */
export const endSessionsOf = async (db: Queryable, account: string, endedBy: string | null = null): Promise<void> => {
  await db
    .updateTable('session')
    .set({ endedAt: sql<Date>`now()`, idToken: null, endedBy })
    .where('account', '=', account)
    .where('endedAt', 'is', null)
    .execute()
}

/**
 * Closes the accounts of somebody who leaves, those that sign in with their address and those their permission records are bound to, and ends
 * every session and API token of them; gives their ids.
 */
export const closeAccountsOf = async (tx: Tx, address: string | null, bound: readonly string[], endedBy: string): Promise<string[]> => {
  const closed = await tx
    .updateTable('account')
    .set({ closedAt: sql<Date>`now()`, directoryTokens: null, directoryTokensDue: null })
    .where(sql<boolean>`lower("azureID") = lower(${address}) or _id = any(${[...bound]}::uuid[])`)
    .where('closedAt', 'is', null)
    .returning('_id')
    .execute()
  for (const { _id } of closed) {
    await endSessionsOf(tx, _id, endedBy)
    await sql`update api_token set "endedAt" = now(), "endedBy" = ${endedBy} where account = ${_id} and "endedAt" is null`.execute(tx)
  }
  return closed.map(({ _id }) => _id)
}

/** Opens accounts that were closed; their sessions and API tokens stay ended. */
export const openAccounts = async (tx: Tx, accounts: readonly string[]): Promise<void> => {
  await sql`update account set "closedAt" = null where _id = any(${[...accounts]}::uuid[])`.execute(tx)
}

/**
 * Whether an account that signs in is somebody's who left: it was closed then, or they had never signed in and its address is the one they had.
 * An address that was given to somebody new signs in with another account.
 */
export const hasLeft = async (tx: Tx, account: string, address: string): Promise<boolean> => {
  const { rows } = await sql`
    select from account where _id = ${account} and "closedAt" is not null
    union all select from departure where lower(address) = lower(${address}) and accounts = '{}'`.execute(tx)
  return rows.length > 0
}

/** True for accounts with a live session; for use in a query on `account`. */
export const hasLiveSession = (configuration: Configuration) =>
  sql<boolean>`exists (select from session where session.account = account._id and ${isLiveSession(configuration)})`

/** The directory token of somebody signed in (D23), or null: none was given, or it has run out. Never for a browser. */
export const directoryAccessToken = async ({ db, configuration }: AppContext, account: string): Promise<string | null> => {
  const row = await db.selectFrom('account').select('directoryTokens').where('_id', '=', account).executeTakeFirst()
  const tokens = openTokens(configuration, account, row?.directoryTokens ?? null)
  return tokens !== null && tokens.expiresAt > Date.now() ? tokens.accessToken : null
}

/** When a session was over: ended, too old, or idle for too long. */
const overAt = ({ sessionHours, sessionIdleMinutes }: Configuration) => sql`coalesce(session."endedAt", least(
  session."createdAt" + make_interval(hours => ${sessionHours}), session."usedAt" + make_interval(mins => ${sessionIdleMinutes})))`

/** Deletes what can never be used again: at once what nobody looks for, sessions and API tokens when they have been over for as long as they are kept. */
export const deleteOld = async (db: Queryable, configuration: Configuration): Promise<void> => {
  const { sessionHours, kept } = configuration
  await sql`delete from sign_in where "createdAt" < now() - make_interval(mins => ${SIGN_IN_MINUTES})`.execute(db)
  await sql`delete from ticket where "createdAt" < now() - make_interval(secs => ${TICKET_SECONDS})`.execute(db)
  // Signing out of an old session still leads to the provider's logout; after another day nobody comes for that.
  await sql`update session set "idToken" = null where "idToken" is not null
    and "createdAt" < now() - make_interval(hours => ${sessionHours + 24})`.execute(db)
  const long = sql`now() - make_interval(days => ${kept.sessionsDays})`
  await deleteInBatches(db, 'session', sql<boolean>`"createdAt" < ${long} and ${overAt(configuration)} < ${long}`)
  await deleteInBatches(db, 'api_token', sql<boolean>`least("expiresAt", "endedAt") < ${long}`)
}
