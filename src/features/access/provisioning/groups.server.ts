import { type RawBuilder, sql } from 'kysely'

import { isObject } from '../../../contract/objects.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { lockProvisioning } from './provisioning-lock.server.ts'
import { invalidValue, ScimError } from './scim-error.server.ts'
import { invalidPath, parseTarget, type PatchOperation } from './scim-patch.server.ts'
import { type GroupInput, getField, MAX_MEMBERS, toGroupNames, toMemberIds } from './scim-schemas.server.ts'
import type { Json } from './scim-values.server.ts'
import { type ListQuery, toOrder } from './users.server.ts'

/** A provisioned group as it is stored, without its members. */
export interface StoredGroup {
  readonly _id: string
  readonly displayName: string
  readonly externalId: string | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly memberCount: number
}

export interface Member {
  readonly value: string
  readonly display: string
}

const selectGroups = (which: RawBuilder<boolean>, ending: RawBuilder<unknown> = sql``) => sql<StoredGroup>`
  select item._id, item."displayName", item."externalId", item.revision, item."createdAt", item."updatedAt",
    (select count(*)::int from directory_membership as held where held."group" = item._id) as "memberCount"
  from directory_group as item where ${which} ${ending}`

export const findGroup = async (db: Queryable, tenant: string, _id: string): Promise<StoredGroup> => {
  const { rows } = isUuid(_id)
    ? await selectGroups(sql<boolean>`item.tenant = ${tenant} and item._id = ${_id}::uuid`).execute(db)
    : { rows: [] }
  if (!rows[0]) throw new ScimError(404, 'This group does not exist')
  return rows[0]
}

export const listMembers = async (db: Queryable, group: string): Promise<Member[]> => {
  const { rows } = await sql<Member>`
    select member._id as value, coalesce(member.resource ->> 'displayName', member."userName") as display
    from directory_membership as held join directory_user as member on member._id = held."user" where held."group" = ${group} order by member._id`.execute(
    db,
  )
  return rows
}

export const listGroups = async (
  db: Queryable,
  tenant: string,
  query: ListQuery,
): Promise<{ total: number; items: readonly StoredGroup[] }> => {
  const which = sql<boolean>`item.tenant = ${tenant} and ${query.condition ?? sql<boolean>`true`}`
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from directory_group as item where ${which}`.execute(
    db,
  )
  const total = counted[0]?.total ?? 0
  if (query.limit === 0 || query.offset >= total) return { total, items: [] }
  const { rows } = await selectGroups(which, sql`order by ${toOrder(query)} limit ${query.limit} offset ${query.offset}`).execute(db)
  return { total, items: rows }
}

const assertNameIsFree = async (tx: Tx, tenant: string, displayName: string, except: string | null): Promise<void> => {
  const { rows } = await sql`
    select from directory_group where tenant = ${tenant} and lower("displayName") = lower(${displayName}) and _id is distinct from ${except}::uuid`.execute(
    tx,
  )
  if (rows.length > 0) throw new ScimError(409, `A group named ${displayName} exists`, 'uniqueness')
}

/** Ids of added or removed members. */
export interface MemberChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}
const NO_CHANGE: MemberChange = { added: [], removed: [] }

const joinChanges = (one: MemberChange, other: MemberChange): MemberChange => ({
  added: [...one.added, ...other.added],
  removed: [...one.removed, ...other.removed],
})

/** Adds members. Throws 400 if no user has one of the ids. */
const addMembers = async (tx: Tx, tenant: string, group: string, members: readonly string[]): Promise<MemberChange> => {
  const wanted = [...new Set(members)]
  const unknown = wanted.find((one) => !isUuid(one))
  if (unknown !== undefined) throw invalidValue(`No user has the id ${unknown.slice(0, 100)}`)
  const { rows: missing } = await sql<{ _id: string }>`
    select wanted._id from unnest(${wanted}::uuid[]) as wanted(_id)
    where not exists (select from directory_user as member where member._id = wanted._id and member.tenant = ${tenant} and member."deletedAt" is null)
    limit 1`.execute(tx)
  if (missing[0]) throw invalidValue(`No user has the id ${missing[0]._id}`)
  const { rows: added } = await sql<{ user: string }>`
    insert into directory_membership ("group", "user") select ${group}::uuid, unnest(${wanted}::uuid[]) on conflict do nothing returning "user"`.execute(
    tx,
  )
  return { added: added.map(({ user }) => user), removed: [] }
}

const removeMembers = async (tx: Tx, group: string, members: readonly string[]): Promise<MemberChange> => {
  const { rows } = await sql<{ user: string }>`
    delete from directory_membership where "group" = ${group} and "user" = any(${members.filter(isUuid)}::uuid[]) returning "user"`.execute(
    tx,
  )
  return { added: [], removed: rows.map(({ user }) => user) }
}

const replaceMembers = async (tx: Tx, tenant: string, group: string, members: readonly string[]): Promise<MemberChange> => {
  const { rows } = await sql<{ user: string }>`
    delete from directory_membership where "group" = ${group} and "user" <> all(${members.filter(isUuid)}::uuid[]) returning "user"`.execute(
    tx,
  )
  return joinChanges({ added: [], removed: rows.map(({ user }) => user) }, await addMembers(tx, tenant, group, members))
}

export const insertGroup = async (
  tx: Tx,
  tenant: string,
  { displayName, externalId, members: wanted }: GroupInput,
): Promise<GroupChange> => {
  await lockProvisioning(tx)
  await assertNameIsFree(tx, tenant, displayName, null)
  const { _id } = await tx
    .insertInto('directory_group')
    .values({ tenant, displayName, externalId })
    .returning('_id')
    .executeTakeFirstOrThrow()
  const members = await addMembers(tx, tenant, _id, wanted)
  return { before: null, after: await findGroup(tx, tenant, _id), members }
}

type Names = Pick<StoredGroup, 'displayName' | 'externalId'>

/** Stores new names and increments the revision, if anything changed. */
const saveGroup = async (
  tx: Tx,
  tenant: string,
  before: StoredGroup,
  { displayName, externalId }: Names,
  members: MemberChange,
): Promise<StoredGroup> => {
  if (displayName.toLowerCase() !== before.displayName.toLowerCase()) await assertNameIsFree(tx, tenant, displayName, before._id)
  if (displayName === before.displayName && externalId === before.externalId && members.added.length + members.removed.length === 0)
    return before
  await sql`update directory_group set "displayName" = ${displayName}, "externalId" = ${externalId}, revision = revision + 1, "updatedAt" = clock_timestamp()
    where _id = ${before._id}`.execute(tx)
  return findGroup(tx, tenant, before._id)
}

export interface GroupChange {
  /** Null for a new group. */
  readonly before: StoredGroup | null
  readonly after: StoredGroup
  readonly members: MemberChange
}

export const replaceGroup = async (
  tx: Tx,
  tenant: string,
  _id: string,
  check: (revision: number) => void,
  input: GroupInput,
): Promise<GroupChange> => {
  await lockProvisioning(tx)
  const before = await findGroup(tx, tenant, _id)
  check(before.revision)
  const members = await replaceMembers(tx, tenant, _id, input.members)
  return { before, after: await saveGroup(tx, tenant, before, input, members), members }
}

/** `members[value eq "…"]`: the ids in it; undefined for another path. */
const readMemberFilter = (path: string): string[] | undefined => {
  const inner = /^members\[(.+)\]$/is.exec(path)?.[1]
  if (inner === undefined) return undefined
  const ids = inner.split(/ or /i).map((part) => /^\s*value\s+eq\s+"([^"\\]*)"\s*$/i.exec(part)?.[1])
  if (ids.length > MAX_MEMBERS || ids.includes(undefined))
    throw new ScimError(400, 'Members can be chosen by value eq only', 'invalidFilter')
  return ids.map((one = '') => one.toLowerCase())
}

/** Splits an operation on a group into one per attribute; unknown attributes are left out. */
const splitOperation = ({ op, path, value }: PatchOperation): (Omit<PatchOperation, 'path'> & { readonly name: string })[] => {
  if (path !== undefined) {
    const ids = readMemberFilter(path)
    if (ids) return [{ op: op === 'remove' ? 'remove' : 'add', name: 'members', value: ids }]
    const found = parseTarget('Group', path)
    // A change of members that is not understood is never left out: someone would keep a level that the group gives.
    if (/^(?:urn:.+:)?members\b/i.test(path) && (!found || found.sub || found.filter)) throw invalidPath(path)
    if (!found) return []
    if (!['displayName', 'externalId', 'members'].includes(found.attribute.name))
      throw new ScimError(400, `${found.attribute.name} cannot be changed`, 'mutability')
    return [{ op, name: found.attribute.name, value }]
  }
  if (!isObject(value)) throw invalidValue('Without a path the value has to be an object')
  return ['displayName', 'externalId', 'members'].flatMap((name) => {
    const given = getField(value, name)
    return given === undefined ? [] : [{ op, name, value: given }]
  })
}

/** Applies a PATCH. Members are changed row by row, however many there are. */
export const patchGroup = async (
  tx: Tx,
  tenant: string,
  _id: string,
  check: (revision: number) => void,
  operations: readonly PatchOperation[],
): Promise<GroupChange> => {
  await lockProvisioning(tx)
  const before = await findGroup(tx, tenant, _id)
  check(before.revision)
  let names: Json = { displayName: before.displayName, externalId: before.externalId }
  let members = NO_CHANGE
  for (const { op, name, value } of operations.flatMap(splitOperation)) {
    if (name !== 'members') names = { ...names, [name]: op === 'remove' ? null : value }
    else members = joinChanges(members, await changeMembers(tx, tenant, _id, op, value))
  }
  return { before, after: await saveGroup(tx, tenant, before, toGroupNames(names), members), members }
}

const changeMembers = (tx: Tx, tenant: string, group: string, op: PatchOperation['op'], value: unknown): Promise<MemberChange> => {
  if (op === 'add') return addMembers(tx, tenant, group, toMemberIds(value))
  if (op === 'replace') return replaceMembers(tx, tenant, group, toMemberIds(value))
  return value === undefined ? replaceMembers(tx, tenant, group, []) : removeMembers(tx, group, toMemberIds(value))
}

/** Deletes a group, and removes it from stored claims of older ID tokens; only a new sign-in can add it again. */
export const deleteGroup = async (tx: Tx, tenant: string, _id: string, check: (revision: number) => void): Promise<StoredGroup> => {
  await lockProvisioning(tx)
  const group = await findGroup(tx, tenant, _id)
  check(group.revision)
  const names = [group._id, group.displayName, ...(group.externalId === null ? [] : [group.externalId])].map((one) => one.toLowerCase())
  await sql`update account set "claimedGroups" = array(select claimed from unnest("claimedGroups") as claimed where lower(claimed) <> all(${names}::text[]))
    where tenant = ${tenant} and exists (select from unnest("claimedGroups") as claimed where lower(claimed) = any(${names}::text[]))`.execute(
    tx,
  )
  await tx.deleteFrom('directory_group').where('_id', '=', _id).execute()
  return group
}
