import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import { MINUTE_MS } from '../../../contract/dates.ts'
import { getErasedName } from '../../../contract/erased-names.ts'
import { notFound, Problem } from '../../../contract/problem.ts'
import { getRecordName, PERSONAL_COLUMNS, type PersonalKind } from '../../../contract/records.ts'
import { toSlug } from '../../../contract/slugs.ts'
import { type Db, setActor, type Tx } from '../../../database/connection.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import { type AuditActor, recordAudit } from '../../../platform/server/audit.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { releaseDeadlines } from '../../deadlines/deadlines/queries.server.ts'
import { deletePermission, lockPermissions } from '../levels/mutations.server.ts'
import { eraseAccounts } from '../session/mutations.server.ts'
import { decryptWithAny, encrypt } from '../session/secrets.server.ts'
import { DELETED_WITH_HISTORY, deleteOwnedRows, emptyDirectoryEvents } from './owned-rows.server.ts'
import { type Erased, type FoundText, PersonalTexts } from './personal-texts.ts'
import { countRows, findRefusal, toRemovedRows } from './queries.server.ts'
import { findSubject, type Subject } from './subject.server.ts'
import { beginSweep, sweepTables } from './sweep.server.ts'
import { listTextTables } from './text-columns.server.ts'

/** What was written while the erasure ran has been committed by then. */
const PENDING_MS = MINUTE_MS

/** Ends permissions and roles, with a line in their histories, and everything else that is only theirs. */
const endAccess = async (tx: Tx, configuration: Configuration, actingLevel: number | null, subject: Subject): Promise<void> => {
  const { records, accounts } = subject
  const { rows } = await sql<{ _id: string; applicationID: string }>`
    select _id, "applicationID" from permission where person = any(${[...records]}::text[]) or account = any(${[...accounts]}::uuid[])`.execute(
    tx,
  )
  if (actingLevel !== null)
    for (const { _id, applicationID } of rows)
      if (applicationID === configuration.appId) await deletePermission(tx, configuration, actingLevel, _id, undefined)
  await deleteOwnedRows(tx, subject, (table) => DELETED_WITH_HISTORY.has(table))
  for (const record of records) await releaseDeadlines(tx, record)
}

/** The record's own columns: the name that stays, and nothing else that says who it was. */
const eraseRecords = async (tx: Tx, { kind, records }: Subject, erased: Erased): Promise<void> => {
  const kept = { name: erased.name, slug: erased.slug }
  const columns = Object.fromEntries(
    Object.entries(PERSONAL_COLUMNS[kind]).map(([column, of]) => [column, of === 'name' || of === 'slug' ? kept[of] : null]),
  )
  const table = (await listTextTables(tx)).find((one) => one.table === kind)
  const slugColumns = Object.keys(columns).filter((column) => PERSONAL_COLUMNS[kind][column] === 'slug')
  const values = Object.entries(columns)
    .filter(([column]) => !slugColumns.includes(column))
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  for (const ending of ['leftAt', 'archivedAt'] as const)
    if (table?.columns.has(ending)) values.push(sql`${sql.ref(ending)} = coalesce(${sql.ref(ending)}, now())`)
  if (table?.columns.has('archivedReason')) values.push(sql`"archivedReason" = 'Personal data erased'`)
  // Archived records, and those that were merged, are erased too.
  await sql`select set_config('homeroom.erasing', 'yes', true)`.execute(tx)
  // Records that were merged have names of their own in addresses.
  for (const [at, record] of records.entries()) {
    const slugs = slugColumns.map((column) => sql`${sql.ref(column)} = ${at === 0 ? erased.slug : `${erased.slug}-${at + 1}`}`)
    await sql`update ${sql.table(kind)} set ${sql.join([...values, ...slugs])} where _id = ${record}`.execute(tx)
  }

  // No trigger of the history keeps what these rows said before.
  const json = JSON.stringify(columns)
  const isOwn = sql`"table" = ${kind} and record = any(${[...records]}::text[]) and action in ('insert', 'update', 'delete')`
  await sql`update change set before = before || ${json}::jsonb, after = after || ${json}::jsonb where ${isOwn}`.execute(tx)
  const ofRecord = sql`kind = ${kind} and record = any(${[...records]}::text[])`
  const paths = Object.keys(columns)
  await sql`update proposal_field set before = 'null', suggested = 'null', value = null
    where path = any(${paths}::text[]) and proposal in (select _id from proposal where ${ofRecord})`.execute(tx)
  await sql`update proposal_field set state = 'withdrawn', "decidedAt" = now()
    where state = 'open' and proposal in (select _id from proposal where ${ofRecord})`.execute(tx)
  await sql`update request set "openFields" = 0, state = 'done', "answeredAt" = now()
    where state = 'open' and _id in (select _id from proposal where ${ofRecord})`.execute(tx)
  await sql`update planned_change set changes = changes - ${paths}::text[], before = before - ${paths}::text[] where ${ofRecord}`.execute(
    tx,
  )
  await sql`update planned_change set state = 'canceled', "endedAt" = now() where ${ofRecord} and state = 'waiting'`.execute(tx)
}

/** Names and levels in the history of permission records, even if someone else has the name too. */
const erasePermissionHistory = async (tx: Tx, { records, accounts }: Subject, { name, slug }: Erased): Promise<void> => {
  const json = JSON.stringify({ name, azureID: slug })
  await sql`update change set before = before || ${json}::jsonb, after = after || ${json}::jsonb
    where "table" = 'permission' and (coalesce(before, after) ->> 'person' = any(${[...records]}::text[])
      or coalesce(before, after) ->> 'account' = any(${[...accounts]}::text[]) or coalesce(after, before) ->> 'account' = any(${[...accounts]}::text[]))`.execute(
    tx,
  )
}

export interface ErasedRecord {
  readonly number: number
  readonly name: string
  readonly removed: Readonly<Record<string, number>>
}

type SealConfiguration = Pick<Configuration, 'secretKey' | 'secretKeyPrevious'>

/** SECRET_KEY; without one, as with local sign-in, a value that the servers share. */
const getSealKeys = async (tx: Tx, { secretKey, secretKeyPrevious }: SealConfiguration) => {
  if (secretKey !== undefined) return { secretKey, secretKeyPrevious }
  await tx
    .insertInto('secret')
    .values({ name: 'erasures', value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await tx.selectFrom('secret').select('value').where('name', '=', 'erasures').executeTakeFirstOrThrow()
  return { secretKey: value.toString('hex'), secretKeyPrevious: undefined }
}

const seal = async (tx: Tx, configuration: SealConfiguration, number: number, texts: readonly FoundText[]): Promise<Buffer> =>
  encrypt((await getSealKeys(tx, configuration)).secretKey, `erasure ${number}`, JSON.stringify(texts))

const unseal = async (tx: Tx, configuration: SealConfiguration, number: number, sealed: Buffer): Promise<FoundText[]> => {
  const text = decryptWithAny(await getSealKeys(tx, configuration), `erasure ${number}`, sealed)
  // With another SECRET_KEY than a minute ago, only the rows of their accounts are found.
  return text === null ? [] : (JSON.parse(text) as FoundText[])
}

interface Order {
  readonly kind: PersonalKind
  readonly _id: string
  readonly reason: string
  /** Of an erasure that is applied to a restored backup. */
  readonly number?: number
}

const createErased = (kind: PersonalKind, number: number): Erased => {
  const name = getErasedName(kind, number)
  return { name, slug: toSlug(name) }
}

/** Erases someone in one transaction, and records what has to be looked for once more. */
const eraseSubject = async (
  tx: Tx,
  configuration: Configuration,
  by: AuditActor,
  subject: Subject,
  { reason, number: given }: Order,
  actingLevel: number | null,
): Promise<ErasedRecord> => {
  const { rows } = await sql<{ next: number }>`
    select case when ${given ?? null}::int is null or exists (select from erasure where number = ${given ?? null}) then coalesce(max(number), 0) + 1
      else ${given ?? null}::int end as next from erasure`.execute(tx)
  const number = rows[0]?.next ?? 1
  const { kind, record, records, texts, own, accounts } = subject
  const erased = createErased(kind, number)
  const removed = await countRows(tx, subject)
  const written = new PersonalTexts(own, erased).eraseText(reason)
  await endAccess(tx, configuration, actingLevel, subject)
  await eraseRecords(tx, subject, erased)
  await tx
    .insertInto('erasure')
    .values({ number, kind, record, merged: records.slice(1), by: by.name, reason: written, removed: JSON.stringify(removed) })
    .execute()
  await beginSweep(tx)
  await deleteOwnedRows(tx, subject, (table) => !DELETED_WITH_HISTORY.has(table))
  await eraseAccounts(tx, accounts, erased)
  await erasePermissionHistory(tx, subject, erased)
  const mails = await sweepTables(tx, by, configuration, {
    number,
    erased,
    texts: own,
    accounts,
    redacted: await emptyDirectoryEvents(tx, subject),
  })
  await tx
    .insertInto('erasure_pending')
    .values({
      number,
      due: new Date(Date.now() + PENDING_MS),
      texts: await seal(tx, configuration, number, own),
      accounts: [...accounts],
      mails,
    })
    .execute()
  await recordAudit(tx, by, {
    kind: 'record.erased',
    record,
    after: { kind, name: erased.name, reason: written, texts: texts.length, removed: toRemovedRows(removed) },
  })
  return { number, name: erased.name, removed }
}

/** Erases the personal data of a record. Throws 403 for oneself, 409 for someone in SUPER_ADMINS or who was erased before. */
export const erasePersonalData = async (
  tx: Tx,
  configuration: Configuration,
  user: SignedIn,
  by: AuditActor,
  order: Order,
): Promise<ErasedRecord> => {
  const actingLevel = await lockPermissions(tx, configuration, user)
  const { kind, _id } = order
  await sql`select from ${sql.table(kind)} where _id = ${_id} for update`.execute(tx)
  const subject = await findSubject(tx, kind, _id)
  if (!subject) throw notFound(getRecordName(kind))
  const refusal = await findRefusal(tx, configuration, { ...user, accessLevel: actingLevel }, subject)
  if (refusal) throw new Problem(refusal.status, refusal.title, refusal.detail === undefined ? {} : { detail: refusal.detail })
  return eraseSubject(tx, configuration, by, subject, order, actingLevel)
}

/** Applies erasures to a restored backup that is older: those of records that it has and has not erased. Returns how many. */
export const eraseAgain = async (
  db: Db,
  configuration: Configuration,
  by: AuditActor,
  orders: readonly Required<Order>[],
): Promise<number> => {
  let count = 0
  for (const order of orders)
    await db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: by.name ?? '' })
      const { rows } = await sql`
        select from erasure where kind = ${order.kind} and (record = ${order._id} or ${order._id} = any(merged))`.execute(tx)
      const subject = rows.length === 0 ? await findSubject(tx, order.kind, order._id) : undefined
      if (!subject) return
      await eraseSubject(tx, configuration, by, subject, order, null)
      count++
    })
  return count
}

/** Looks once more for what was being written during an erasure, and forgets what it was looking for. */
export const finishErasure = async (tx: Tx, configuration: Configuration, by: AuditActor, number: number): Promise<void> => {
  const pending = await tx
    .selectFrom('erasure_pending')
    .innerJoin('erasure', 'erasure.number', 'erasure_pending.number')
    .select(['kind', 'texts', 'accounts'])
    .where('erasure_pending.number', '=', number)
    .forUpdate('erasure_pending')
    .skipLocked()
    .executeTakeFirst()
  if (!pending) return
  const { kind, accounts } = pending
  const texts = await unseal(tx, configuration, number, pending.texts)
  await sweepTables(tx, by, configuration, { number, erased: createErased(kind, number), texts, accounts })
  await tx.deleteFrom('erasure_pending').where('number', '=', number).execute()
}
