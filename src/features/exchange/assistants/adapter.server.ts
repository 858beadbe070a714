import { sql } from 'kysely'
import type { Adapter, AdapterPayload } from 'oidc-provider'

import type { Db } from '../../../database/connection.server.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import { hashSecret } from '../../access/session/secrets.server.ts'
import { insertClient } from './mutations.server.ts'

const unsupported = async (): Promise<never> => {
  throw new Error('Sessions and device codes are not used')
}

/** Programs that registered themselves. They are deleted once they are not used. */
const createClientAdapter = (db: Db): Adapter => ({
  upsert: (id, payload) => insertClient(db, id, payload),
  find: async (id) => {
    const found = await db.selectFrom('assistant_client').select('metadata').where('_id', '=', id).executeTakeFirst()
    return found?.metadata as AdapterPayload | undefined
  },
  destroy: async (id) => void (await db.deleteFrom('assistant_client').where('_id', '=', id).execute()),
  findByUid: unsupported,
  findByUserCode: unsupported,
  consume: unsupported,
  revokeByGrantId: unsupported,
})

const toExpiry = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** What people granted. The account page lists it, and ends it. */
const createGrantAdapter = (db: Db): Adapter => ({
  upsert: async (id, payload, seconds = 0) => {
    const { accountId = '', clientId = '' } = payload
    const stored = { payload: JSON.stringify(payload), expiresAt: toExpiry(seconds) }
    await db
      .insertInto('assistant_grant')
      .values({ _id: id, account: accountId, client: clientId, ...stored })
      .onConflict((conflict) => conflict.column('_id').doUpdateSet(stored))
      .execute()
  },
  find: async (id) => {
    const found = await db
      .selectFrom('assistant_grant')
      .select('payload')
      .where('_id', '=', id)
      .where(sql<boolean>`"expiresAt" > now()`)
      .executeTakeFirst()
    return found?.payload as AdapterPayload | undefined
  },
  destroy: async (id) => void (await db.deleteFrom('assistant_grant').where('_id', '=', id).execute()),
  findByUid: unsupported,
  findByUserCode: unsupported,
  consume: unsupported,
  revokeByGrantId: unsupported,
})

interface StoredPayload {
  readonly payload: Record<string, unknown>
  /** The fields that end with the secret, which are stored without it. */
  readonly secretFields: readonly string[]
}

const removeSecret = (id: string, payload: AdapterPayload): StoredPayload => {
  const entries = Object.entries(payload)
  const endsWithSecret = (value: unknown): value is string => typeof value === 'string' && value.endsWith(id)
  return {
    payload: Object.fromEntries(entries.map(([name, value]) => [name, endsWithSecret(value) ? value.slice(0, -id.length) : value])),
    secretFields: entries.filter(([, value]) => endsWithSecret(value)).map(([name]) => name),
  }
}

const restoreSecret = (id: string, { payload, secretFields }: StoredPayload): AdapterPayload => ({
  ...payload,
  ...Object.fromEntries(secretFields.map((name) => [name, `${String(payload[name])}${id}`])),
})

const FOREIGN_KEY_VIOLATION = '23503'
const createInvalidGrant = async (detail: string): Promise<Error> => new (await import('oidc-provider')).errors.InvalidGrant(detail)

/** Codes, tokens, and requests that wait for an answer. Whoever reads the table can use none of them. */
const createTokenAdapter = (db: Db, model: string): Adapter => {
  const toHash = (id: string): Buffer => hashSecret(`${model} ${id}`)
  return {
    upsert: async (id, payload, seconds = 0) => {
      const stored = { payload: JSON.stringify(removeSecret(id, payload)), grant: payload.grantId ?? null, expiresAt: toExpiry(seconds) }
      await db
        .insertInto('assistant_token')
        .values({ hash: toHash(id), ...stored })
        .onConflict((conflict) => conflict.column('hash').doUpdateSet(stored))
        .execute()
        .catch(async (error: unknown) => {
          throw getErrorCode(error) === FOREIGN_KEY_VIOLATION ? await createInvalidGrant('The access has ended') : error
        })
    },
    find: async (id) => {
      const found = await db
        .selectFrom('assistant_token')
        .select('payload')
        .where('hash', '=', toHash(id))
        .where(sql<boolean>`"expiresAt" > now()`)
        .executeTakeFirst()
      return found && restoreSecret(id, found.payload as unknown as StoredPayload)
    },
    // Of two servers that get the same code or token at the same time, one answers. Which was the thief is not known, so the access ends (RFC 9700).
    consume: async (id) => {
      const consumed = await sql`update assistant_token
        set payload = jsonb_set(payload, '{payload,consumed}', to_jsonb(extract(epoch from now())::int))
        where hash = ${toHash(id)} and payload->'payload'->'consumed' is null returning hash`.execute(db)
      if (consumed.rows.length > 0) return
      await sql`delete from assistant_grant using assistant_token
        where assistant_token.hash = ${toHash(id)} and assistant_grant._id = assistant_token."grant"`.execute(db)
      throw await createInvalidGrant('It was used at the same time')
    },
    destroy: async (id) => void (await db.deleteFrom('assistant_token').where('hash', '=', toHash(id)).execute()),
    revokeByGrantId: async (grant) => void (await db.deleteFrom('assistant_token').where('grant', '=', grant).execute()),
    findByUid: unsupported,
    findByUserCode: unsupported,
  }
}

/** Stores what the OAuth server needs in the database, so that any server can answer any request. */
export const createAdapter =
  (db: Db) =>
  (model: string): Adapter => {
    if (model === 'Client') return createClientAdapter(db)
    return model === 'Grant' ? createGrantAdapter(db) : createTokenAdapter(db, model)
  }
