import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { accountLevel } from '../../access/levels/queries.server.ts'
import { isOpenAccount } from '../../access/session/queries.server.ts'
import type { Assistant, AssistantSettings } from './contract.ts'
import { MCP_PATH, parseScopes } from './rules.ts'

/** The name of the row of settings. */
export const ASSISTANT_SETTINGS = 'assistants'

export const getMcpUrl = ({ publicUrl }: Pick<Configuration, 'publicUrl'>): string => publicUrl + MCP_PATH

const readSetting = async (db: Queryable): Promise<boolean> => {
  const { rows } = await sql<{ isOn: boolean }>`
    select value->>'isOn' = 'true' as "isOn" from setting where name = ${ASSISTANT_SETTINGS}`.execute(db)
  return rows[0]?.isOn ?? false
}

/** Whether assistants can connect. */
const isTurnedOn = async ({ db, configuration }: AppContext): Promise<boolean> => configuration.isMcpOn || (await readSetting(db))

/** Throws 404 while assistants cannot connect. */
export const assertTurnedOn = async (context: AppContext): Promise<void> => {
  if (!(await isTurnedOn(context))) throw notFound('Page')
}

export const getAssistantSettings = async (db: Queryable, configuration: Configuration): Promise<AssistantSettings> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from assistant_grant where "expiresAt" > now()`.execute(db)
  return {
    isOn: configuration.isMcpOn || (await readSetting(db)),
    isOnByConfiguration: configuration.isMcpOn,
    url: getMcpUrl(configuration),
    assistants: rows[0]?.count ?? 0,
  }
}

/** What `oidc-provider` stores of a grant, as far as it is read here. */
interface GrantPayload {
  readonly resources?: Readonly<Record<string, string>>
}

/** What people granted, and is not over; for a query on `assistant_grant`, `assistant_client` and `account`. */
const selectGrants = (db: Queryable, configuration: Configuration) =>
  db
    .selectFrom('assistant_grant')
    .innerJoin('assistant_client', 'assistant_client._id', 'assistant_grant.client')
    .innerJoin('account', 'account._id', 'assistant_grant.account')
    .where(isOpenAccount(configuration))
    .where(sql<boolean>`assistant_grant."expiresAt" > now()`)

const clientName = sql<string>`assistant_client.metadata->>'client_name'`

/** The assistants that an account let in, oldest first; those of everyone if null. */
export const listAssistantsOf = async (db: Queryable, configuration: Configuration, account: string | null): Promise<Assistant[]> => {
  const rows = await selectGrants(db, configuration)
    .select(['assistant_grant._id', 'assistant_grant.createdAt', 'assistant_grant.lastUsedAt', 'assistant_grant.expiresAt'])
    .select(['assistant_grant.payload', 'assistant_grant.account', 'account.name as ownerName'])
    .select(['assistant_grant.destination', clientName.as('name')])
    .$if(account !== null, (query) => query.where('assistant_grant.account', '=', account ?? ''))
    .orderBy('assistant_grant.createdAt')
    .orderBy('assistant_grant._id')
    .execute()
  return rows.map(({ _id, name, destination, createdAt, lastUsedAt, expiresAt, payload, account: owner, ownerName }) => ({
    _id,
    name,
    destination,
    scopes: parseScopes((payload as GrantPayload).resources?.[getMcpUrl(configuration)]),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
    owner: { _id: owner, name: ownerName },
  }))
}

/** Who a grant acts for, at their present level, and whether to mark it as used; undefined once it or the account has ended. */
export const findGranter = async (
  db: Queryable,
  configuration: Configuration,
  grant: string,
): Promise<{ readonly user: SignedIn; readonly isMarkDue: boolean } | undefined> => {
  const row = await selectGrants(db, configuration)
    .select(['account._id as account', 'account.name', 'account.azureID', clientName.as('client')])
    .select([
      accountLevel(configuration, sql.ref('account._id')).as('accessLevel'),
      sql<boolean>`coalesce(assistant_grant."lastUsedAt" < now() - interval '1 minute', true)`.as('isMarkDue'),
    ])
    .where('assistant_grant._id', '=', grant)
    .executeTakeFirst()
  if (!row) return undefined
  const { client, isMarkDue, ...owner } = row
  return { isMarkDue, user: { ...owner, session: null, token: client } }
}

/** Whether an account may let assistants in. */
export const isOpen = async (db: Queryable, configuration: Configuration, account: string): Promise<boolean> => {
  const found = await db
    .selectFrom('account')
    .select('_id')
    .where('_id', '=', account)
    .where(isOpenAccount(configuration))
    .executeTakeFirst()
  return found !== undefined
}
