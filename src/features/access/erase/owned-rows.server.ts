import { type RawBuilder, sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import type { Subject } from './subject.server.ts'

type Owner = Pick<Subject, 'kind' | 'records' | 'accounts'>

const isAny = (keys: readonly string[]) => sql`any(${[...keys]}::text[])`
const ofAccount =
  (column = 'account') =>
  ({ accounts }: Owner): RawBuilder<boolean> =>
    sql<boolean>`${sql.ref(column)} = any(${[...accounts]}::uuid[])`
const ofRecord = ({ kind, records }: Owner): RawBuilder<boolean> => sql<boolean>`kind = ${kind} and record = ${isAny(records)}`
const ofPerson = ({ records }: Owner): RawBuilder<boolean> => sql<boolean>`person = ${isAny(records)}`
const either =
  (...conditions: readonly ((owner: Owner) => RawBuilder<boolean>)[]) =>
  (owner: Owner): RawBuilder<boolean> =>
    sql<boolean>`(${sql.join(
      conditions.map((one) => sql`(${one(owner)})`),
      sql` or `,
    )})`

/** Rows that are about nothing but someone who is erased, and go with them. */
export const DELETED_ROWS: Readonly<Record<string, (owner: Owner) => RawBuilder<boolean>>> = {
  favorite: either(ofAccount(), ofRecord),
  recently_viewed: either(ofAccount(), ofRecord),
  saved_view: (owner) => sql<boolean>`${ofAccount()(owner)} and not shared`,
  reminder_preference: ofAccount(),
  kept_insight: ofAccount(),
  insight_mail: ofAccount(),
  calendar: ofAccount(),
  device: ofAccount(),
  assistant_grant: ofAccount(),
  api_token: ofAccount(),
  session: ofAccount(),
  ticket: ofAccount(),
  super_admin_binding: ofAccount(),
  sheet_preview: (owner) => sql<boolean>`${ofAccount()(owner)} or "savingSince" is null`,
  download: ofAccount(),
  error_log: ofAccount(),
  check_mail: ofRecord,
  departure: ofPerson,
  site_person: ofPerson,
  permission: either(ofAccount(), ofPerson),
  former_slug: ({ kind, records }) => sql<boolean>`"table" = ${kind} and record = ${isAny(records)}`,
  webhook_queue: ({ kind, records }) => sql<boolean>`record = ${isAny(records.map((record) => `${kind}:${record}`))}`,
  webhook_delivery: ({ kind, records }) => sql<boolean>`record = ${isAny(records.map((record) => `${kind}:${record}`))}`,
}
/** Their deletion is a change of the network, with a line in histories. */
export const DELETED_WITH_HISTORY: ReadonlySet<string> = new Set(['site_person', 'permission'])

/** Rows of logs that go where a text of someone is found in them. */
export const DELETED_WHERE_FOUND: ReadonlySet<string> = new Set(['error_log', 'search_miss', 'check_mail'])

interface NamedRows {
  /** The column with the account, and those that say who it was. */
  readonly account: string
  readonly name: string
  readonly others?: readonly string[]
}
/** Rows that the organization keeps, with the name of the account that made them beside it: they get the name that stays. */
export const NAMED_ROWS: Readonly<Record<string, NamedRows>> = {
  account: { account: '_id', name: 'name' },
  change: { account: 'actor', name: 'actorName' },
  deadline_pending: { account: 'actor', name: 'actorName' },
  changeset: { account: 'account', name: 'name' },
  dossier: { account: 'account', name: 'by' },
  planned_change: { account: 'account', name: 'name' },
  comment: { account: 'account', name: 'name' },
  request: { account: 'account', name: 'name', others: ['email', 'claimedName', 'claimedEmail'] },
  audit_event: { account: 'account', name: 'name', others: ['actor', 'token', 'address'] },
}

/** Columns with accounts that say only that it was one, which has no name any more. */
export const NAMELESS_COLUMNS: readonly string[] = [
  'comment_recipient.account',
  'directory_user.account',
  'error_seen.account',
  'session.endedBy',
  'api_token.endedBy',
  'scim_token.createdBy',
]

/** Selects the rows of a table that belong to someone; null if none do. */
export const isOwnedRow = (table: string, subject: Owner & Pick<Subject, 'employees' | 'directoryUsers'>): RawBuilder<boolean> | null => {
  const named = NAMED_ROWS[table]
  const conditions = [
    ...(DELETED_ROWS[table] ? [DELETED_ROWS[table](subject)] : []),
    ...(named ? [ofAccount(named.account)(subject)] : []),
    ...(table === 'change' ? [sql<boolean>`"table" = ${subject.kind} and record = ${isAny(subject.records)}`] : []),
    ...(table === 'hr_person' ? [sql<boolean>`"PersonID" = any(${[...subject.employees]}::text[])`] : []),
    ...(table === 'directory_user' ? [sql<boolean>`_id = any(${[...subject.directoryUsers]}::uuid[])`] : []),
  ]
  return conditions.length === 0 ? null : sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** Deletes what is about nothing but someone. */
export const deleteOwnedRows = async (tx: Tx, subject: Subject, tables: (table: string) => boolean): Promise<void> => {
  for (const [table, condition] of Object.entries(DELETED_ROWS))
    if (tables(table)) await sql`delete from ${sql.table(table)} where ${condition(subject)}`.execute(tx)
  await sql`delete from hr_person where "PersonID" = any(${[...subject.employees]}::text[])`.execute(tx)
  await sql`delete from directory_user where _id = any(${[...subject.directoryUsers]}::uuid[])`.execute(tx)
}

/** Deletes the files of dossiers that were made before: their texts are compressed, and cannot be searched. Their sums stay. */
export const emptyFiles = async (tx: Tx, erasure: number): Promise<void> => {
  await sql`
    update dossier_file set bytes = null where bytes is not null and dossier in (
      select _id from dossier where "createdAt" <= (select at from erasure where number = ${erasure}))`.execute(tx)
}

/** What a directory told of its users; returns the places of the events in the chain of the audit trail. */
export const emptyDirectoryEvents = async (tx: Tx, { directoryUsers }: Subject): Promise<number[]> => {
  const { rows } = await sql<{ sequence: number | null }>`
    update audit_event set before = null, after = null
    where kind like 'scim_user.%' and record = any(${[...directoryUsers]}::text[]) returning sequence`.execute(tx)
  return rows.flatMap(({ sequence }) => sequence ?? [])
}

/** Gives the rows of accounts the name that stays; returns the places of those that are in the chain of the audit trail. */
export const renameOwnedRows = async (tx: Tx, accounts: readonly string[], name: string): Promise<number[]> => {
  const redacted: number[] = []
  for (const [table, { account, name: column, others = [] }] of Object.entries(NAMED_ROWS)) {
    const values = [sql`${sql.ref(column)} = ${name}`, ...others.map((other) => sql`${sql.ref(other)} = null`)]
    const isDue = sql.join(
      [sql`${sql.ref(column)} is distinct from ${name}`, ...others.map((other) => sql`${sql.ref(other)} is not null`)],
      sql` or `,
    )
    const place = table === 'audit_event' ? sql`sequence` : sql`null::bigint`
    const { rows } = await sql<{ sequence: number | null }>`
      update ${sql.table(table)} set ${sql.join(values)} where ${sql.ref(account)} = any(${[...accounts]}::uuid[]) and (${isDue})
      returning ${place} as sequence`.execute(tx)
    for (const { sequence } of rows) if (sequence !== null) redacted.push(sequence)
  }
  return redacted
}
