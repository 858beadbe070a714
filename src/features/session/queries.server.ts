import { sql } from 'kysely'

import type { Queryable, Tx } from '../../database/connection.server.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import type { House, SignedIn } from '../../platform/server/house.ts'
import { levelOf } from '../permissions/queries.server.ts'
import { tenantOf } from './provider-settings.server.ts'
import { openTokens } from './sealed-tokens.server.ts'
import { companionOf, digest, randomSecret, randomTicket } from './secrets.server.ts'

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

/** A new session of an account in a browser, and the two secrets that open it. */
export const openSession = async (
  db: Queryable,
  { account, browser, idToken, userAgent }: { account: string; browser: string; idToken: Buffer | null; userAgent: string | null },
): Promise<{ token: string; companion: string }> => {
  const token = randomSecret()
  const companion = companionOf(browser, account)
  await db
    .insertInto('session')
    .values({ hash: digest(token), companion: digest(companion), account, idToken, userAgent })
    .execute()
  return { token, companion }
}

/** What a live session is: not ended, not too old, not idle, and of an account of the tenant we serve now (D9) whose owner has not left. */
const isLive = (configuration: Configuration) => sql<boolean>`session."endedAt" is null
  and session."createdAt" > now() - make_interval(hours => ${configuration.sessionHours})
  and session."usedAt" > now() - make_interval(mins => ${configuration.sessionIdleMinutes})
  and account."closedAt" is null
  and account.tenant = ${tenantOf(configuration)}`

/**
 * Who the secrets of a session belong to, at the level their permission records give right now (D10).
 * `token` is left out only where the companion alone will do (D9). `stale` asks for a new `usedAt`, which moves once a
 * minute; `lives` is how many milliseconds the session has left at most.
 */
export const findSignedIn = async (
  db: Queryable,
  configuration: Configuration,
  { token, companion }: { token: string | undefined; companion: string },
): Promise<(SignedIn & { readonly stale: boolean; readonly lives: number }) | undefined> =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account._id', 'session.account')
    .select([
      'session._id as session',
      'account._id as account',
      'account.name',
      'account.azureID',
      levelOf(configuration, sql.ref('account._id')).as('accessLevel'),
      sql<boolean>`session."usedAt" < now() - interval '1 minute'`.as('stale'),
      sql<number>`extract(epoch from session."createdAt" + make_interval(hours => ${configuration.sessionHours}) - now())::float * 1000`.as(
        'lives',
      ),
    ])
    .where('session.companion', '=', digest(companion))
    .$if(token !== undefined, (query) => query.where('session.hash', '=', digest(token ?? '')))
    .where(isLive(configuration))
    .orderBy('session.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export const markUsed = async (db: Queryable, session: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ usedAt: sql<Date>`now()` })
    .where('_id', '=', session)
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

/** Ends every session of an account: the provider has refused it (D9). */
export const endSessionsOf = async (db: Queryable, account: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ endedAt: sql<Date>`now()`, idToken: null })
    .where('account', '=', account)
    .where('endedAt', 'is', null)
    .execute()
}

/**
 * Closes the accounts of somebody who leaves, those that sign in with their address and those their permission records are bound to, and ends
 * every session of them; gives their ids.
 */
export const closeAccountsOf = async (tx: Tx, address: string | null, bound: readonly string[]): Promise<string[]> => {
  const closed = await tx
    .updateTable('account')
    .set({ closedAt: sql<Date>`now()`, directoryTokens: null, directoryTokensDue: null })
    .where(sql<boolean>`lower("azureID") = lower(${address}) or _id = any(${[...bound]}::uuid[])`)
    .where('closedAt', 'is', null)
    .returning('_id')
    .execute()
  for (const { _id } of closed) await endSessionsOf(tx, _id)
  return closed.map(({ _id }) => _id)
}

/** Opens accounts that were closed; their sessions stay ended. */
export const openAccounts = async (tx: Tx, accounts: readonly string[]): Promise<void> => {
  await sql`update account set "closedAt" = null where _id = any(${[...accounts]}::uuid[])`.execute(tx)
}

/** Whether an account that signs in, or its address, is somebody's who left. */
export const hasLeft = async (tx: Tx, account: string, address: string): Promise<boolean> => {
  const { rows } = await sql`
    select from account where _id = ${account} and "closedAt" is not null
    union all select from person where lower(email) = lower(${address}) and "leftAt" is not null`.execute(tx)
  return rows.length > 0
}

/** True for accounts with a live session; for use in a query on `account`. */
export const hasLiveSession = (configuration: Configuration) =>
  sql<boolean>`exists (select from session where session.account = account._id and ${isLive(configuration)})`

/** The directory token of somebody signed in (D23), or null: none was given, or it has run out. Never for a browser. */
export const directoryAccessToken = async ({ db, configuration }: House, account: string): Promise<string | null> => {
  const row = await db.selectFrom('account').select('directoryTokens').where('_id', '=', account).executeTakeFirst()
  const tokens = openTokens(configuration, account, row?.directoryTokens ?? null)
  return tokens !== null && tokens.expiresAt > Date.now() ? tokens.accessToken : null
}

/** Deletes what can never be used again. Ended sessions stay a day longer than they could have lived, for the list of sessions. */
export const deleteOld = async (db: Queryable, { sessionHours }: Configuration): Promise<void> => {
  await sql`delete from sign_in where "createdAt" < now() - make_interval(mins => ${SIGN_IN_MINUTES})`.execute(db)
  await sql`delete from ticket where "createdAt" < now() - make_interval(secs => ${TICKET_SECONDS})`.execute(db)
  await sql`delete from session where "createdAt" < now() - make_interval(hours => ${sessionHours + 24})`.execute(db)
}
