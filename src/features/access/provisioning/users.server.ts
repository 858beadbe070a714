import { type RawBuilder, sql } from 'kysely'

import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { workEmails } from '../levels/queries.server.ts'
import { disableAccount, enableAccount } from '../session/mutations.server.ts'
import { lockProvisioning } from './provisioning-lock.server.ts'
import { ScimError } from './scim-error.server.ts'
import type { UserInput } from './scim-schemas.server.ts'
import type { Json } from './scim-values.server.ts'

/** The stored form of a provisioned user, with its groups. */
export interface DirectoryUser {
  readonly _id: string
  readonly userName: string
  readonly externalId: string | null
  readonly active: boolean
  readonly account: string | null
  /** Whether the account was found only by an email address. */
  readonly boundByEmail: boolean
  readonly resource: Json
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly groups: readonly { readonly value: string; readonly display: string }[]
}

/** The query of a list of users or groups. */
export interface ListQuery {
  /** On the table `item`. */
  readonly condition: RawBuilder<boolean> | undefined
  readonly order: RawBuilder<unknown> | undefined
  readonly isDescending: boolean
  readonly offset: number
  readonly limit: number
}

export const toOrder = ({ order, isDescending }: ListQuery): RawBuilder<unknown> => {
  const direction = isDescending ? sql`desc` : sql`asc`
  return order ? sql`${order} ${direction} nulls last, item."createdAt", item._id` : sql`item."createdAt", item._id`
}

const selectUsers = (which: RawBuilder<boolean>, ending: RawBuilder<unknown> = sql``) => sql<DirectoryUser>`
  select item._id, item."userName", item."externalId", item.active, item.account, item."boundByEmail", item.resource, item.revision, item."createdAt", item."updatedAt",
    (select coalesce(json_agg(json_build_object('value', joined._id, 'display', joined."displayName") order by joined."displayName", joined._id), '[]')
     from directory_membership as held join directory_group as joined on joined._id = held."group" where held."user" = item._id) as groups
  from directory_user as item where item."deletedAt" is null and ${which} ${ending}`

const isOne = (tenant: string, _id: string) => sql<boolean>`item.tenant = ${tenant} and item._id = ${_id}::uuid`

const notFound = (): ScimError => new ScimError(404, 'This user does not exist')

export const findUser = async (db: Queryable, tenant: string, _id: string): Promise<DirectoryUser> => {
  const { rows } = isUuid(_id) ? await selectUsers(isOne(tenant, _id)).execute(db) : { rows: [] }
  if (!rows[0]) throw notFound()
  return rows[0]
}

export const listUsers = async (
  db: Queryable,
  tenant: string,
  query: ListQuery,
): Promise<{ total: number; items: readonly DirectoryUser[] }> => {
  const which = sql<boolean>`item.tenant = ${tenant} and ${query.condition ?? sql<boolean>`true`}`
  const items =
    query.limit === 0
      ? []
      : (await selectUsers(which, sql`order by ${toOrder(query)} limit ${query.limit} offset ${query.offset}`).execute(db)).rows
  // A first page that is not full contains all results: directories look up each user by name this way.
  if (query.offset === 0 && items.length < query.limit) return { total: items.length, items }
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from directory_user as item where item."deletedAt" is null and ${which}`.execute(db)
  return { total: counted[0]?.total ?? 0, items }
}

const assertNameIsFree = async (tx: Tx, tenant: string, userName: string, except: string | null): Promise<void> => {
  const { rows } = await sql`
    select from directory_user where tenant = ${tenant} and lower("userName") = lower(${userName}) and "deletedAt" is null
      and _id is distinct from ${except}::uuid`.execute(tx)
  if (rows.length > 0) throw new ScimError(409, `A user named ${userName} exists`, 'uniqueness')
}

/** The account of a user, and whether it was found only by an email address. */
type Binding = Pick<DirectoryUser, 'account' | 'boundByEmail'>
const UNBOUND: Binding = { account: null, boundByEmail: false }

/**
 * Finds the account of a user who has signed in before, unless it belongs to another user: by object id, then by name, then by email address. If
 * several accounts match, it is the newest, which belongs to the current owner. An account that was matched to another user only by email address can
 * be taken over by object id or name.
 */
const findAccount = async (
  tx: Tx,
  tenant: string,
  { userName, externalId, resource }: UserInput,
  self: string | null = null,
): Promise<Binding> => {
  const isSame = sql<boolean>`coalesce(account."objectId" = ${externalId} or lower(account."azureID") = lower(${userName}), false)`
  const emails = sql`${JSON.stringify(resource['emails'] ?? [])}::jsonb`
  const { rows } = await sql<Binding>`
    select _id as account, not ${isSame} as "boundByEmail" from account
    where tenant = ${tenant} and ("objectId" = ${externalId} or lower("azureID") = any(lower(${userName}) || array(${workEmails(emails)})))
      and not exists (select from directory_user as known
        where known.account = account._id and known._id is distinct from ${self}::uuid and not (known."boundByEmail" and ${isSame}))
    order by "objectId" = ${externalId} is not true, lower("azureID") = lower(${userName}) is not true, "createdAt" desc limit 1`.execute(
    tx,
  )
  return rows[0] ?? UNBOUND
}

/** The account of a stored user after a change: one found by object id or name replaces one found only by an email address. */
const findNextAccount = async (tx: Tx, tenant: string, input: UserInput, before: DirectoryUser): Promise<Binding> => {
  if (before.account !== null && !before.boundByEmail) return before
  const found = await findAccount(tx, tenant, input, before._id)
  return found.account !== null && (before.account === null || !found.boundByEmail) ? found : before
}

/** Takes an account from another user who was matched to it only by an email address. */
const takeAccount = async (tx: Tx, account: string | null, self: string | null): Promise<void> => {
  if (account === null) return
  await sql`update directory_user set account = null, "boundByEmail" = false where account = ${account} and _id is distinct from ${self}::uuid`.execute(
    tx,
  )
}

/** Enables or disables the account according to `active`, in the same transaction. */
const applyState = async (tx: Tx, account: string | null, isActive: boolean): Promise<void> => {
  if (account !== null) await (isActive ? enableAccount(tx, account) : disableAccount(tx, account))
}

/** A user before and after a change; `before` is null for a new one, `after` for a deleted one. */
export interface UserChange {
  readonly before: DirectoryUser | null
  readonly after: DirectoryUser | null
}

/** Creates a user, active unless the directory says otherwise. Throws 409 if the name is taken. */
export const insertUser = async (tx: Tx, tenant: string, input: UserInput): Promise<DirectoryUser> => {
  await lockProvisioning(tx)
  const { userName, externalId, resource, active = true } = input
  await assertNameIsFree(tx, tenant, userName, null)
  // Restores a deleted user. Checked first, since even a deletion without matching rows would notify the other servers.
  const { rows: deleted } = await sql<{ _id: string }>`select _id from directory_user where tenant = ${tenant} and "deletedAt" is not null
    and (lower("userName") = lower(${userName}) or "externalId" = ${externalId})`.execute(tx)
  if (deleted.length > 0) await sql`delete from directory_user where _id = any(${deleted.map(({ _id }) => _id)}::uuid[])`.execute(tx)
  const binding = await findAccount(tx, tenant, input)
  await takeAccount(tx, binding.account, null)
  const values = { tenant, userName, externalId, active, resource: JSON.stringify(resource), disabledAt: active ? null : new Date() }
  const { _id } = await tx
    .insertInto('directory_user')
    .values({ ...values, ...binding })
    .returning('_id')
    .executeTakeFirstOrThrow()
  await applyState(tx, binding.account, active)
  return findUser(tx, tenant, _id)
}

/** Updates a user to the result of `toInput` on the stored one. The version is compared first; an update without changes is ignored. */
export const updateUser = async (
  tx: Tx,
  tenant: string,
  _id: string,
  { check, toInput }: { check: (revision: number) => void; toInput: (stored: DirectoryUser) => UserInput },
): Promise<{ before: DirectoryUser; after: DirectoryUser }> => {
  await lockProvisioning(tx)
  const before = await findUser(tx, tenant, _id)
  check(before.revision)
  const input = toInput(before)
  const { userName, externalId, resource, active = before.active } = input
  if (userName.toLowerCase() !== before.userName.toLowerCase()) await assertNameIsFree(tx, tenant, userName, _id)
  const { account, boundByEmail } = await findNextAccount(tx, tenant, input, before)
  if (account !== before.account) {
    await takeAccount(tx, account, _id)
    // An account that was disabled only because of this user is no longer disabled by it.
    if (before.account !== null) await enableAccount(tx, before.account)
  }
  const { rows } = await sql`
    update directory_user set "userName" = ${userName}, "externalId" = ${externalId}, active = ${active}, account = ${account}, "boundByEmail" = ${boundByEmail}, resource = ${JSON.stringify(resource)}::jsonb,
      "disabledAt" = case when ${active} then null else coalesce("disabledAt", now()) end, revision = revision + 1, "updatedAt" = clock_timestamp()
    where _id = ${_id} and ("userName", "externalId", active, account, "boundByEmail", resource)
      is distinct from (${userName}::text, ${externalId}::text, ${active}::boolean, ${account}::uuid, ${boundByEmail}::boolean, ${JSON.stringify(resource)}::jsonb)
    returning _id`.execute(tx)
  if (rows.length === 0) return { before, after: before }
  await applyState(tx, account, active)
  return { before, after: await findUser(tx, tenant, _id) }
}

/** Deletes a user; the account, if there is one, is disabled. */
export const deleteUser = async (tx: Tx, tenant: string, _id: string, check: (revision: number) => void): Promise<DirectoryUser> => {
  await lockProvisioning(tx)
  const user = await findUser(tx, tenant, _id)
  check(user.revision)
  await sql`delete from directory_membership where "user" = ${_id}`.execute(tx)
  await sql`update directory_user set "deletedAt" = now(), "disabledAt" = coalesce("disabledAt", now()), resource = '{}' where _id = ${_id}`.execute(
    tx,
  )
  await applyState(tx, user.account, false)
  return user
}
