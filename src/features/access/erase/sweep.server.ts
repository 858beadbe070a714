import { type RawBuilder, sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { selectChainedEvents, toChainedEvent } from '../../../platform/server/audit-chain.ts'
import { recordRedactions, type SealKeys } from '../../../platform/server/audit-redaction.ts'
import type { AuditActor } from '../../../platform/server/audit.ts'
import { emptyFiles, DELETED_WHERE_FOUND, renameOwnedRows } from './owned-rows.server.ts'
import { type Erased, type FoundText, PersonalTexts } from './personal-texts.ts'
import { hasPart, listTextTables, type TextColumn, type TextTable } from './text-columns.server.ts'

const BATCH_ROWS = 500

/** A row: where it is, what identifies it, and its texts as PostgreSQL writes them. */
type SweptRow = Readonly<Record<string, string | null>> & { readonly place: string; readonly key: string | null }

const readText = (text: string, form: TextColumn['form']): unknown => (form === 'text' ? text : JSON.parse(text))

const eraseValue = (texts: PersonalTexts, { form, isNullable }: TextColumn, text: string): unknown => {
  const value = readText(text, form)
  if (form === 'text') return isNullable && texts.isWhole(value) ? null : texts.eraseText(text)
  return texts.eraseJson(value)
}

/** The values of a row that change, by column; undefined if none do. */
const eraseRow = ({ texts: columns }: TextTable, row: SweptRow, texts: PersonalTexts): Record<string, unknown> | undefined => {
  const values: Record<string, unknown> = { place: row.place }
  let isChanged = false
  for (const [at, column] of columns.entries()) {
    const text = row[`t${at}`] ?? null
    const value = text === null ? null : eraseValue(texts, column, text)
    values[column.column] = value
    isChanged ||= text !== null && JSON.stringify(value) !== JSON.stringify(readText(text, column.form))
  }
  return isChanged ? values : undefined
}

const deleteRows = (tx: Tx, { table }: TextTable, rows: readonly object[]) =>
  sql`delete from ${sql.table(table)} as t using json_to_recordset(${JSON.stringify(rows)}::json) as given(place tid) where t.ctid = given.place`.execute(
    tx,
  )

/** What identifies the rows of a table for servers that keep them in memory, and for the audit trail. */
const getKeyColumn = ({ table, columns }: TextTable): string | null =>
  table === 'audit_event' ? 'sequence' : (['_id', 'site', 'name'].find((column) => columns.has(column)) ?? null)

const writeRows = async (tx: Tx, { table, columns, texts }: TextTable, rows: readonly object[]): Promise<void> => {
  const values = texts.map(({ column }) => sql`${sql.ref(column)} = given.${sql.ref(column)}`)
  if (columns.has('version')) values.push(sql`version = t.version + 1`)
  const types = texts.map(({ column, sqlType }) => sql`${sql.ref(column)} ${sql.raw(sqlType)}`)
  await sql`update ${sql.table(table)} as t set ${sql.join(values)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given(place tid, ${sql.join(types)}) where t.ctid = given.place`.execute(tx)
}

interface FoundRows {
  /** What identifies the rows. */
  readonly keys: (string | null)[]
  /** Where they are, with their texts without those of the person. */
  readonly values: object[]
}

/** The rows of a table that have texts of someone, some at a time; locked, to write them. */
async function* findRows(
  tx: Tx,
  table: TextTable,
  texts: PersonalTexts,
  among: RawBuilder<boolean>,
  lock = sql``,
): AsyncGenerator<FoundRows> {
  const key = getKeyColumn(table)
  const columns = table.texts.map(({ column, form }, at) => {
    const text = form === 'list' ? sql`to_json(${sql.ref(column)})::text` : sql`${sql.ref(column)}::text`
    return sql`${text} as ${sql.ref(`t${at}`)}`
  })
  await sql`declare found no scroll cursor for select ctid::text as place, ${key === null ? sql`null` : sql`${sql.ref(key)}::text`} as key, ${sql.join(columns)}
    from ${sql.table(table.table)} where ${among} and ${hasPart(table, texts.parts)} ${lock}`.execute(tx)
  for (;;) {
    const { rows } = await sql<SweptRow>`fetch ${sql.lit(BATCH_ROWS)} from found`.execute(tx)
    const erased = rows.flatMap((row) => {
      const values = eraseRow(table, row, texts)
      return values ? [{ key: row.key, values }] : []
    })
    yield { keys: erased.map((one) => one.key), values: erased.map((one) => one.values) }
    if (rows.length < BATCH_ROWS) break
  }
  await sql`close found`.execute(tx)
}

/** The number of rows of a table that have texts of someone, and that are not theirs anyway. */
export const countFound = async (tx: Tx, table: TextTable, texts: PersonalTexts, isOwned: RawBuilder<boolean> | null): Promise<number> => {
  let count = 0
  for await (const { values } of findRows(tx, table, texts, isOwned ? sql`not coalesce(${isOwned}, false)` : sql`true`))
    count += values.length
  return count
}

/** Erases the texts in the rows of a table; returns what identifies the changed ones. */
const sweepTable = async (tx: Tx, table: TextTable, texts: PersonalTexts): Promise<string[]> => {
  const changed: string[] = []
  for await (const { keys, values } of findRows(tx, table, texts, sql`true`, sql`for update`)) {
    changed.push(...keys.filter((key) => key !== null))
    if (values.length === 0) continue
    if (DELETED_WHERE_FOUND.has(table.table)) await deleteRows(tx, table, values)
    else await writeRows(tx, table, values)
  }
  return changed
}

/** How many records a notification names: it has at most 8,000 bytes. */
const NOTIFIED_RECORDS = 50

/** Tells the servers which records they have to read again. */
const notify = async (tx: Tx, { table, columns }: TextTable, keys: readonly string[]): Promise<void> => {
  if (!columns.has('version') || !columns.has('updatedBy')) return
  for (let at = 0; at < keys.length; at += NOTIFIED_RECORDS)
    await sql`select notify_record_change(${table}, jsonb_build_object('_id', ${keys.slice(at, at + NOTIFIED_RECORDS)}::text[]))`.execute(
      tx,
    )
}

const MAX_DIGESTED_ROWS = 1000

/** Records in the chain what its rows say since they were redacted. */
const recordChanged = async (tx: Tx, by: AuditActor, keys: SealKeys, erasure: number, sequences: readonly number[]): Promise<void> => {
  const sorted = [...new Set(sequences)].toSorted((a, b) => a - b)
  for (let at = 0; at < sorted.length; at += MAX_DIGESTED_ROWS) {
    const some = sorted.slice(at, at + MAX_DIGESTED_ROWS)
    const events = await selectChainedEvents(tx).where('sequence', 'in', some).orderBy('sequence').execute()
    await recordRedactions(tx, by, keys, erasure, events.map(toChainedEvent))
  }
}

/** Changes rows as they are, without a line in histories. The audit chain waits, so that no row gets its place meanwhile. */
export const beginSweep = async (tx: Tx): Promise<void> => {
  await tx.selectFrom('audit_chain').select('sequence').forUpdate().execute()
  await sql`select set_config('homeroom.erasing', 'yes', true), set_config('homeroom.skip_history', 'yes', true)`.execute(tx)
}

export interface Sweep {
  readonly number: number
  readonly erased: Erased
  readonly texts: readonly FoundText[]
  readonly accounts: readonly string[]
  /** Rows of the chain that were changed before. */
  readonly redacted?: readonly number[]
}

/**
 * Erases texts in every table, and the name in the rows of accounts. No trigger records it: what has lost its texts has no earlier value. Returns the
 * `_id`s of the emails that had some.
 */
export const sweepTables = async (
  tx: Tx,
  by: AuditActor,
  keys: SealKeys,
  { number, erased, texts, accounts, redacted = [] }: Sweep,
): Promise<string[]> => {
  await beginSweep(tx)
  const sequences = [...redacted, ...(await renameOwnedRows(tx, accounts, erased.name))]
  const patterns = new PersonalTexts(texts, erased)
  let mails: string[] = []
  for (const table of patterns.isEmpty ? [] : await listTextTables(tx)) {
    const changed = await sweepTable(tx, table, patterns)
    if (table.table === 'audit_event') sequences.push(...changed.map(Number))
    if (table.table === 'mail') mails = changed
    await notify(tx, table, changed)
  }
  await sql`delete from mail where recipients = '{}' and "sentAt" is null`.execute(tx)
  await emptyFiles(tx, number)
  await recordChanged(tx, by, keys, number, sequences)
  await sql`select notify_record_change('erasure', '{}')`.execute(tx)
  await sql`select set_config('homeroom.skip_history', '', true), set_config('homeroom.erasing', '', true)`.execute(tx)
  return mails
}
