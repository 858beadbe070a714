import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { ASSISTANT_SETTINGS } from './queries.server.ts'

/** Registered programs that no one has let in. If there are more, the oldest are removed: letting one in takes a minute. */
const MAX_NEW_CLIENTS = 1000

export const saveTurnedOn = async (tx: Tx, isOn: boolean): Promise<void> => {
  await sql`
    insert into setting (name, value) values (${ASSISTANT_SETTINGS}, ${JSON.stringify({ isOn })}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(tx)
}

export const insertClient = async (db: Queryable, _id: string, metadata: object): Promise<void> => {
  await sql`insert into assistant_client (_id, metadata) values (${_id}, ${JSON.stringify(metadata)}::jsonb)
    on conflict (_id) do update set metadata = excluded.metadata`.execute(db)
  await sql`delete from assistant_client where _id in (
    select _id from assistant_client where "grantedAt" is null order by "createdAt" desc offset ${MAX_NEW_CLIENTS})`.execute(db)
}

interface NewGrant {
  readonly _id: string
  readonly account: string
  readonly client: string
  readonly destination: string
}

/** Keeps one grant of a program and an account, the newest, and marks the program as let in. */
export const replaceGrants = async (tx: Tx, { _id, account, client, destination }: NewGrant): Promise<void> => {
  await tx.updateTable('assistant_grant').set({ destination }).where('_id', '=', _id).execute()
  await tx.deleteFrom('assistant_grant').where('account', '=', account).where('client', '=', client).where('_id', '<>', _id).execute()
  await tx
    .updateTable('assistant_client')
    .set({ grantedAt: sql<Date>`now()` })
    .where('_id', '=', client)
    .execute()
}

/** Ends a grant of the account, or of anyone if null, with its codes and tokens; returns its owner and what it was called. */
export const deleteGrant = async (tx: Tx, _id: string, account: string | null): Promise<{ account: string; name: string }> => {
  const { rows } = await sql<{ account: string; name: string }>`
    delete from assistant_grant using assistant_client
    where assistant_grant._id = ${_id} and assistant_client._id = assistant_grant.client
      and (${account}::uuid is null or assistant_grant.account = ${account}::uuid)
    returning assistant_grant.account, assistant_client.metadata->>'client_name' as name`.execute(tx)
  const [ended] = rows
  if (!ended) throw notFound('Assistant')
  return ended
}

export const markGrantUsed = async (db: Queryable, _id: string): Promise<void> => {
  await db
    .updateTable('assistant_grant')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('_id', '=', _id)
    .execute()
}

/** Deletes what has expired, and programs that no one has let in for a day, or that no one uses any more. */
export const deleteExpiredAssistants = async (db: Queryable): Promise<void> => {
  await sql`delete from assistant_token where "expiresAt" < now()`.execute(db)
  await sql`delete from assistant_grant where "expiresAt" < now()`.execute(db)
  await sql`delete from assistant_client as client
    where coalesce("grantedAt" + interval '90 days', "createdAt" + interval '1 day') < now()
      and not exists (select from assistant_grant where assistant_grant.client = client._id)`.execute(db)
}
