import { sql } from 'kysely'

import { Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import { createSecret, hashSecret } from '../session/secrets.server.ts'
import { MAX_SCIM_TOKENS, type ScimToken } from './contract.ts'

/** The prefix by which secret scanners recognize a token. */
const PREFIX = 'scim_'
const isScimToken = (text: string): boolean => /^scim_[\w-]{43}$/.test(text)

export const selectScimTokens = (db: Queryable): Promise<ScimToken[]> =>
  db
    .selectFrom('scim_token')
    .leftJoin('account', 'account._id', 'scim_token.createdBy')
    .select([
      'scim_token._id',
      'scim_token.name',
      toIsoTimestamp(sql<Date>`scim_token."createdAt"`).as('createdAt'),
      'account.name as createdBy',
      toIsoTimestamp(sql<Date | null>`scim_token."usedAt"`).as('usedAt'),
    ])
    .orderBy('scim_token.createdAt')
    .orderBy('scim_token._id')
    .execute()

/** Inserts a token and returns its secret, of which only the hash is stored. Throws 409 if there are two already. */
export const insertToken = async (tx: Tx, name: string, createdBy: string): Promise<{ _id: string; token: string }> => {
  await sql`select pg_advisory_xact_lock(${LOCKS.provisioning})`.execute(tx)
  if ((await selectScimTokens(tx)).length >= MAX_SCIM_TOKENS)
    throw new Problem(409, `There can be at most ${MAX_SCIM_TOKENS} tokens`, { detail: 'Remove one first.' })
  const token = PREFIX + createSecret()
  const { _id } = await tx
    .insertInto('scim_token')
    .values({ hash: hashSecret(token), name, createdBy })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return { _id, token }
}

/** Returns its name; undefined if there is none with this id. */
export const deleteToken = async (db: Queryable, _id: string): Promise<string | undefined> =>
  (await db.deleteFrom('scim_token').where('_id', '=', _id).returning('name').executeTakeFirst())?.name

/** A token in use. */
export interface UsedToken {
  readonly _id: string
  readonly name: string
}

/** The token of an `Authorization` header, marked as used at most once a minute; undefined if it is unknown. */
export const findToken = async (db: Queryable, header: string | undefined): Promise<UsedToken | undefined> => {
  const secret = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (secret === undefined || !isScimToken(secret)) return undefined
  const found = await db
    .selectFrom('scim_token')
    .select(['_id', 'name', sql<boolean>`coalesce("usedAt" < now() - interval '1 minute', true)`.as('isMarkDue')])
    .where('hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (!found) return undefined
  const { isMarkDue, ...token } = found
  if (isMarkDue) await sql`update scim_token set "usedAt" = now() where _id = ${token._id}`.execute(db)
  return token
}
