import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { SignInResult } from '../../../database/account-tables.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { deriveCompanion, hashSecret, createApiToken, createSecret, createTicket } from './secrets.server.ts'

export const SIGN_IN_MINUTES = 10
const TICKET_SECONDS = 60

export interface StartedSignIn {
  readonly nonce: string
  readonly verifier: string
  /** The account that tests the provider with it, which ends in a result and no session; null for a sign-in. */
  readonly testedBy?: string | null
}

export const insertSignIn = async (db: Queryable, browser: string, state: string, started: StartedSignIn): Promise<void> => {
  await db
    .insertInto('sign_in')
    .values({ state: hashSecret(state), browser: hashSecret(browser), ...started })
    .execute()
}

/** Deletes and returns the sign-in this browser started with this state. An attempt by another browser leaves it unused. */
export const consumeSignIn = (db: Queryable, browser: string, state: string): Promise<StartedSignIn | undefined> =>
  db
    .deleteFrom('sign_in')
    .where('state', '=', hashSecret(state))
    .where('browser', '=', hashSecret(browser))
    .where('result', 'is', null)
    .where('createdAt', '>', sql<Date>`now() - make_interval(mins => ${SIGN_IN_MINUTES})`)
    .returning(['nonce', 'verifier', 'testedBy'])
    .executeTakeFirst()

/** Keeps the result of a test until sign-ins in progress are deleted; with one, nothing can be finished any more. */
export const insertTestResult = async (db: Queryable, state: string, testedBy: string, result: SignInResult): Promise<void> => {
  await db
    .insertInto('sign_in')
    .values({ state: hashSecret(state), browser: hashSecret(''), nonce: '', verifier: '', testedBy, result: JSON.stringify(result) })
    .execute()
}

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
 * Closes the accounts of someone who leaves, by address and by their permission records (`boundAccounts`), ends their sessions, API tokens,
 * calendar feeds, device passwords and assistants, and returns their ids.
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

/** Ends the sessions, API tokens, calendar feeds, device passwords and assistants of an account. */
const endAccess = async (tx: Tx, account: string, endedBy: string | null): Promise<void> => {
  await endSessionsOfAccount(tx, account, endedBy)
  await sql`update api_token set "endedAt" = now(), "endedBy" = ${endedBy} where account = ${account} and "endedAt" is null`.execute(tx)
  await tx.deleteFrom('calendar').where('account', '=', account).execute()
  await tx.deleteFrom('device').where('account', '=', account).execute()
  await tx.deleteFrom('assistant_grant').where('account', '=', account).execute()
}

/** Disables an account that is disabled in the directory, and ends its sessions, API tokens, calendar feeds, device passwords and assistants. */
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

/** The owner may sign in again; sessions, API tokens, calendar feeds, device passwords and assistants stay ended. */
export const enableAccount = async (tx: Tx, account: string): Promise<void> => {
  await tx.updateTable('account').set({ disabledAt: null }).where('_id', '=', account).where('disabledAt', 'is not', null).execute()
}

/** Their sessions, API tokens, calendar feeds, device passwords and assistants stay ended. */
export const reopenAccounts = async (tx: Tx, accounts: readonly string[]): Promise<void> => {
  await sql`update account set "closedAt" = null where _id = any(${[...accounts]}::uuid[])`.execute(tx)
}

/** Recognizes someone who was erased and signs in again, without saying who it is. */
const hashIdentity = (tenant: string, objectId: string): string =>
  `erased ${createHash('sha256')
    .update(JSON.stringify([tenant, objectId]))
    .digest('hex')}`

/** Accounts that no one can sign in to, and that say no more than that they were some. */
export const eraseAccounts = async (tx: Tx, accounts: readonly string[], { name, slug }: { name: string; slug: string }): Promise<void> => {
  for (const account of accounts) {
    const { tenant, objectId } = await tx
      .selectFrom('account')
      .select(['tenant', 'objectId'])
      .where('_id', '=', account)
      .executeTakeFirstOrThrow()
    const nothing = { claimedGroups: [], claimedAt: null, directoryTokens: null, directoryTokensDue: null }
    await tx
      .updateTable('account')
      .set({ ...nothing, name, azureID: slug, objectId: hashIdentity(tenant, objectId), closedAt: sql<Date>`coalesce("closedAt", now())` })
      .where('_id', '=', account)
      .execute()
  }
  await sql`update error_seen set account = null where account = any(${[...accounts]}::uuid[])`.execute(tx)
}

/** The account of someone who was erased and signs in again; null for anyone else. */
export const findErasedAccount = async (tx: Tx, tenant: string, objectId: string): Promise<string | null> => {
  const erased = await tx
    .selectFrom('account')
    .select('_id')
    .where('tenant', '=', tenant)
    .where('objectId', '=', hashIdentity(tenant, objectId))
    .executeTakeFirst()
  return erased?._id ?? null
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
