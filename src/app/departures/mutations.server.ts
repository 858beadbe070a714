import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import type { CheckedBody } from '../../contract/call.ts'
import { invalidFields, type FieldError, notFound, Problem } from '../../contract/problem.ts'
import { isId } from '../../contract/slugs.ts'
import type { Tx } from '../../database/connection.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import { assertNotMoreAccess, deletePermission, lockPermissions } from '../../features/access/levels/mutations.server.ts'
import { accountLevel } from '../../features/access/levels/queries.server.ts'
import { closeAccounts, reopenAccounts } from '../../features/access/session/mutations.server.ts'
import { reassignDeadlines, restoreDeadlines } from '../../features/deadlines/deadlines/queries.server.ts'
import type { SignedIn } from '../../platform/server/app-context.ts'
import { type AuditActor, type NewAuditEvent, recordAudit } from '../../platform/server/audit.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import type { createDeparture } from './contract.ts'
import { type Departure, findDeparture, listPermissionsOfPerson } from './queries.server.ts'
import { LEAVING } from './rules.ts'

export const ALREADY_LEFT = 'This person is already marked as no longer employed'

type DepartureBody = CheckedBody<typeof createDeparture>
type HandOver = NonNullable<DepartureBody['handOver']>
/** A role that a person has at a site: a row of `site_person`, `place` in the API. */
interface SitePersonRow {
  readonly _id: string
  readonly site: string
  readonly role: string
}

/** Throws if an account of the person has more access than the acting user. */
const assertAccess = async (
  tx: Tx,
  configuration: Configuration,
  actingLevel: number,
  { address, accounts }: { address: string | null; accounts: readonly string[] },
  title: string,
): Promise<void> => {
  const { rows } = await sql<{ level: number }>`
    select ${accountLevel(configuration, sql.ref('account._id'))} as level from account
    where lower("azureID") = lower(${address}) or _id = any(${[...accounts]}::uuid[])`.execute(tx)
  const isSuper = address !== null && configuration.superAdmins.includes(address.toLowerCase())
  for (const level of [...(isSuper ? [1] : []), ...rows.map((row) => row.level)]) assertNotMoreAccess(level, actingLevel, title)
}

/** Cancels a departure that was planned for a later day. */
export const cancelPlannedDeparture = async (tx: Tx, person: string, now: Date): Promise<void> => {
  await sql`update planned_change set state = 'canceled', "endedAt" = ${now}
    where kind = 'person' and record = ${person} and state = 'waiting' and changes ? ${`${LEAVING}.left`}`.execute(tx)
}

/** Checks that each reassigned role is held by the person and named once, and that its new holder has not left. */
const validateHandOver = async (
  tx: Tx,
  person: string,
  heldRoles: readonly SitePersonRow[],
  { handOver = [], deadlinesTo = null }: DepartureBody,
): Promise<void> => {
  const wanted = [...handOver.map((one) => one.person), ...(deadlinesTo === null ? [] : [deadlinesTo])].filter(isId)
  const { rows } = await sql<{ _id: string; leftAt: Date | null }>`
    select _id, coalesce("leftAt", "archivedAt") as "leftAt" from person where _id = any(${wanted}::text[]) for key share`.execute(tx)
  const checkSuccessor = (path: string, to: string): FieldError[] => {
    const found = rows.find(({ _id }) => _id === to)
    if (!found) return [{ path, message: 'This person does not exist' }]
    return to === person || found.leftAt !== null ? [{ path, message: 'This person is no longer employed' }] : []
  }
  const errors = handOver.flatMap(({ place: heldRole, person: to }, at): FieldError[] => {
    const error = (field: string, message: string) => [{ path: `handOver.${at}.${field}`, message }]
    if (!heldRoles.some(({ _id }) => _id === heldRole)) return error('place', 'This person no longer has this role')
    if (handOver.findIndex((one) => one.place === heldRole) < at) return error('place', 'This role is assigned twice')
    return checkSuccessor(`handOver.${at}.person`, to)
  })
  if (deadlinesTo !== null) errors.push(...checkSuccessor('deadlinesTo', deadlinesTo))
  if (errors.length > 0) throw invalidFields(errors)
}

/** Deletes the roles of a person and reassigns some of them; returns the ids of the new rows. */
const reassignRoles = async (tx: Tx, person: string, heldRoles: readonly SitePersonRow[], handOver: HandOver): Promise<string[]> => {
  await tx.deleteFrom('site_person').where('person', '=', person).execute()
  const newRoles: string[] = []
  for (const { place: heldRole, person: to } of handOver) {
    const { site, role } = heldRoles.find(({ _id }) => _id === heldRole) ?? {}
    if (site === undefined || role === undefined) continue
    const made = await tx
      .insertInto('site_person')
      .values({ site, role, person: to })
      // The new holder may already have the role there.
      .onConflict((conflict) => conflict.doNothing())
      .returning('_id')
      .executeTakeFirst()
    if (made) newRoles.push(made._id)
  }
  return newRoles
}

/** A person and the lock of their record. Permissions have to be locked first, in the same order as when a permission is granted. */
export interface PersonLock {
  readonly person: string
  readonly lockForUpdate: () => Promise<void>
}

/** Marks a person as left: ends their roles, permissions, sessions and accounts, and reassigns their deadlines. */
export const insertDeparture = async (
  tx: Tx,
  configuration: Configuration,
  actor: SignedIn,
  { person, lockForUpdate }: PersonLock,
  body: DepartureBody,
): Promise<void> => {
  const actingLevel = await lockPermissions(tx, configuration, actor)
  await lockForUpdate()
  const { email, leftAt } = await tx.selectFrom('person').select(['email', 'leftAt']).where('_id', '=', person).executeTakeFirstOrThrow()
  if (leftAt !== null) throw new Problem(409, ALREADY_LEFT)
  const records = await listPermissionsOfPerson(tx, configuration.appId, person)
  if (email?.toLowerCase() === actor.azureID.toLowerCase() || records.some(({ account }) => account === actor.account))
    throw new Problem(403, 'You can’t mark yourself as no longer employed', { detail: 'Another administrator can do this.' })
  const bound = records.flatMap(({ account }) => account ?? [])
  const title = 'You can’t remove someone with more access than you'
  await assertAccess(tx, configuration, actingLevel, { address: email, accounts: bound }, title)

  const { rows: endedRoles } = await sql<SitePersonRow>`select * from site_person where person = ${person} order by _id for update`.execute(
    tx,
  )
  await validateHandOver(tx, person, endedRoles, body)
  const { rows: permissions } = await sql<{ row: object }>`
    select to_jsonb(permission) as row from permission where _id = any(${records.map(({ _id }) => _id)}::text[])`.execute(tx)
  for (const { _id } of records) await deletePermission(tx, configuration, actingLevel, _id, undefined)

  const newRoles = await reassignRoles(tx, person, endedRoles, body.handOver ?? [])
  const deadlines = body.deadlinesTo ? await reassignDeadlines(tx, person, body.deadlinesTo) : null
  const accounts = await closeAccounts(tx, email, bound, actor.account)
  await updateRecord(tx, 'person', person, { leftAt: sql`now()` })
  await tx
    .insertInto('departure')
    .values({
      person,
      by: actor.name,
      address: email,
      endedRoles: JSON.stringify(endedRoles),
      newRoles,
      accounts,
      permissions: JSON.stringify(permissions.map(({ row }) => row)),
      deadlines: deadlines && JSON.stringify(deadlines),
    })
    .execute()
}

/** Restores deleted rows, except those that conflict with new ones or whose site is deleted. */
const restoreRows = (tx: Tx, table: 'site_person' | 'permission', rows: readonly object[]) =>
  sql`
  insert into ${sql.table(table)}
  select (row).* from (select jsonb_populate_record(null::${sql.table(table)}, value) as row from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)) as rows
  ${table === 'site_person' ? sql`where (row).site in (select _id from site where "archivedAt" is null)` : sql``}
  on conflict do nothing`.execute(tx)

/** Deletes the reassigned roles, also from the stored departures of their holders. */
const revokeReassignedRoles = async (tx: Tx, newRoles: readonly string[]): Promise<void> => {
  await sql`delete from site_person where _id = any(${[...newRoles]}::text[])`.execute(tx)
  await sql`update departure set "endedRoles" = (
      select coalesce(jsonb_agg(ended), '[]') from jsonb_array_elements("endedRoles") as ended where ended ->> '_id' <> all(${[...newRoles]}))
    where exists (select from jsonb_array_elements("endedRoles") as ended where ended ->> '_id' = any(${[...newRoles]}))`.execute(tx)
}

/** Undoes a departure. */
export const undoDeparture = async (
  tx: Tx,
  configuration: Configuration,
  actor: SignedIn,
  { person, lockForUpdate }: PersonLock,
): Promise<void> => {
  const actingLevel = await lockPermissions(tx, configuration, actor)
  await lockForUpdate()
  const departure = await findDeparture(tx, person)
  if (!departure) throw notFound('Record')
  const title = 'You can’t give more access than you have'
  for (const { accessLevel } of departure.permissions) assertNotMoreAccess(accessLevel, actingLevel, title)
  await assertAccess(tx, configuration, actingLevel, departure, title)
  await updateRecord(tx, 'person', person, { leftAt: null })
  await revokeReassignedRoles(tx, departure.newRoles)
  await restoreRows(tx, 'site_person', departure.endedRoles)
  await restoreRows(tx, 'permission', departure.permissions)
  if (departure.deadlines) await restoreDeadlines(tx, person, departure.deadlines)
  await reopenAccounts(tx, departure.accounts)
  await tx.deleteFrom('departure').where('person', '=', person).execute()
}

const toAuditValues = ({ address, accounts, permissions, endedRoles }: Departure): object => ({
  address,
  accounts,
  permissions: permissions.map(({ _id }) => _id),
  roles: endedRoles.length,
})

const toSessionsEnd = (account: string): NewAuditEvent => ({
  kind: 'session.ended',
  record: account,
  after: { reason: 'no longer employed' },
})

/** The events of a departure or its undo: the departure itself, closed sessions, and each permission that was removed or restored. */
const toAuditEvents = (person: string, before: Departure | undefined, after: Departure | undefined): NewAuditEvent[] => {
  const departure = after ?? before
  if (!departure) return []
  const grants = departure.permissions.map(({ _id, name, azureID, accessLevel }): NewAuditEvent => {
    const values = { name, azureID, accessLevel }
    return after ? { kind: 'permission.removed', record: _id, before: values } : { kind: 'permission.granted', record: _id, after: values }
  })
  const values = toAuditValues(departure)
  return [
    after ? { kind: 'departure.created', record: person, after: values } : { kind: 'departure.undone', record: person, before: values },
    ...grants,
    ...(after ? after.accounts.map(toSessionsEnd) : []),
  ]
}

/** Writes a departure or its undo, and records what it did in the audit trail. */
export const auditDeparture = async (
  tx: Tx,
  by: FastifyRequest | AuditActor,
  person: string,
  write: () => Promise<void>,
): Promise<void> => {
  const before = await findDeparture(tx, person)
  await write()
  await recordAudit(tx, by, ...toAuditEvents(person, before, await findDeparture(tx, person)))
}
