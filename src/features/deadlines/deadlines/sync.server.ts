import { type Insertable, sql } from 'kysely'

import { formatDay } from '../../../contract/dates.ts'
import { DEADLINE_SOURCES, DEADLINE_TABLES, type DeadlineSource } from '../../../contract/deadlines.ts'
import type { JsonObject } from '../../../contract/objects.ts'
import { getKindOfRow, isRowKind, ROW_NAMES } from '../../../contract/records.ts'
import { type Db, setActor, readChangedRecords, type Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import type { Database } from '../../../database/schema.ts'
import { getKeyColumn } from '../../../database/update-record.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { getLikeliestDate, readText, type StoredReading, toReadingColumns } from './stored-reading.server.ts'

const BATCH = 200

/** A text of a record that is or should be a deadline. */
interface SourceText {
  readonly source: DeadlineSource
  readonly record: string
  readonly charter: string | null
  readonly site: string | null
  readonly subject: string | null
  readonly text: string | null
}

interface PendingRow {
  readonly source: DeadlineSource['table']
  readonly record: string
  readonly actor: string | null
  readonly actorName: string | null
}

interface StoredText extends StoredReading {
  readonly _id: string
  readonly source: DeadlineSource['table']
  readonly record: string
  readonly section: string | null
  readonly field: string
  readonly subject: string | null
  readonly text: string | null
  readonly formerDate: string | null
  readonly isByHand: boolean
  readonly isIgnored: boolean
  readonly state: 'open' | 'handled' | 'snoozed'
  readonly responsible: string | null
}

const clean = (text: unknown): string | null => (typeof text === 'string' && text.trim() !== '' ? text : null)

/** The texts of rows in the fields of their table that are or should be deadlines. */
const readTexts = async (tx: Tx, table: DeadlineSource['table'], ids: readonly string[]): Promise<SourceText[]> => {
  if (ids.length === 0) return []
  const key = getKeyColumn(table)
  const owner = getKindOfRow(table)
  // What a row is about is known from the record that has it.
  const join = isRowKind(table)
    ? sql`join ${sql.table(owner)} as about on about._id = t.${sql.ref(owner)}`
    : sql`, lateral (select t.*) as about`
  const { rows } = await sql<{ row: JsonObject; charter: string | null; site: string | null }>`
    select to_jsonb(t) as row, to_jsonb(about) ->> 'charter' as charter, to_jsonb(about) ->> 'site' as site
    from ${sql.table(table)} as t ${join} where t.${sql.ref(key)} = any(${ids}::text[])`.execute(tx)
  return rows.flatMap(({ row, charter, site }) =>
    DEADLINE_SOURCES.filter((source) => source.table === table).map((source) => {
      const { section, field, isDay } = source
      const value = clean(section === null ? row[field] : (row[section] as JsonObject)[field])
      const subject = isRowKind(table) ? (row[ROW_NAMES[table]] as string | null) : null
      return { source, record: String(row[key]), charter, site, subject, text: isDay && value !== null ? formatDay(value) : value }
    }),
  )
}

const toKey = (record: string, section: string | null, field: string): string => `${record} ${section ?? ''} ${field}`

type NewRow = Insertable<Database['deadline']>

const isSameReading = (a: StoredReading, b: StoredReading): boolean =>
  a.date === b.date &&
  a.precision === b.precision &&
  a.why === b.why &&
  (a.proposedDates ?? []).map(({ date }) => date).join() === (b.proposedDates ?? []).map(({ date }) => date).join()

/** How the reading of a text changes its stored deadline. `isMoved`: it is now about another date. */
const compareReadings = (stored: StoredText, text: string | null, reading: StoredReading) => {
  if (stored.text !== text) return { isKept: false, isMoved: stored.date !== reading.date, formerDate: null }
  const isMoved = getLikeliestDate(stored) !== getLikeliestDate(reading)
  // What a person decided about a text lasts until the text changes; who handled a date has confirmed it.
  const isDecided = stored.isByHand || stored.isIgnored || (stored.state === 'handled' && !isMoved)
  const formerDate = reading.date === null ? (stored.formerDate ?? stored.date) : null
  return { isKept: isDecided || isSameReading(stored, reading), isMoved, formerDate }
}

/**
 * Stores the current state of a text, and returns the row to insert. A handled deadline whose text has another date stays, and a new one takes its
 * place.
 */
const saveText = async (
  tx: Tx,
  { source, record, charter, site, subject, text }: SourceText,
  stored: StoredText | undefined,
): Promise<NewRow[]> => {
  const { table, section, field, kind } = source
  const reading = readText(text, source)
  const columns = toReadingColumns(reading)
  const toRow = (responsible: string | null, formerDate: string | null): NewRow[] =>
    text === null
      ? []
      : [{ kind, source: table, record, section, field, charter, site, subject, text, ...columns, formerDate, responsible }]
  if (!stored) return toRow(null, null)
  const update = (changes: Record<string, unknown>) => tx.updateTable('deadline').set(changes).where('_id', '=', stored._id).execute()
  const { isKept, isMoved, formerDate } = compareReadings(stored, text, reading)
  if (isKept) {
    if (stored.subject !== subject) await update({ subject })
    return []
  }
  if (stored.state === 'handled' && isMoved) {
    await update({ isCurrent: false })
    return toRow(stored.responsible, formerDate)
  }
  // One that was put off stays so if its text is the same and only its date is no longer certain.
  const reopened = isMoved && (stored.text !== text || reading.date !== null) ? { state: 'open', snoozedUntil: null } : {}
  await update({ text, subject, ...columns, formerDate, isByHand: false, isIgnored: false, ...reopened })
  return []
}

/** Deletes the deadlines of deleted rows, except handled ones, which are part of the charter's past. */
const removeGone = async (tx: Tx, stored: StoredText): Promise<void> => {
  if (stored.state === 'handled') await tx.updateTable('deadline').set({ isCurrent: false }).where('_id', '=', stored._id).execute()
  else await tx.deleteFrom('deadline').where('_id', '=', stored._id).execute()
}

const takePending = async (tx: Tx): Promise<PendingRow[]> => {
  const { rows } = await sql<PendingRow>`
    delete from deadline_pending where (source, record) in (select source, record from deadline_pending limit ${BATCH}) returning *`.execute(
    tx,
  )
  return rows
}

const readBatch = async (tx: Tx, at: Date | undefined): Promise<{ readonly lines: readonly string[]; readonly count: number }> => {
  await sql`select pg_advisory_xact_lock(${LOCKS.deadlines})`.execute(tx)
  const pending = await takePending(tx)
  if (pending.length === 0) return { lines: [], count: 0 }
  const texts: SourceText[] = []
  for (const table of DEADLINE_TABLES)
    texts.push(
      ...(await readTexts(
        tx,
        table,
        pending.filter(({ source }) => source === table).map(({ record }) => record),
      )),
    )
  const { rows } = await sql<StoredText>`
    select _id, source, record, section, field, subject, text, date, precision, "proposedDates", why, "formerDate", "isByHand", "isIgnored", state, responsible
    from deadline
    where source <> 'custom' and "isCurrent" and record = any(${pending.map(({ record }) => record)}::text[])`.execute(tx)
  const stored = new Map(rows.map((row) => [toKey(row.record, row.section, row.field), row]))
  const textsOf = Map.groupBy(texts, ({ record }) => record)
  const rowsOf = Map.groupBy(rows, ({ record }) => record)
  const rest = createTimeSlices()
  for (const [, group] of Map.groupBy(pending, ({ actor, actorName }) => `${actor} ${actorName}`)) {
    const [{ actor, actorName } = { actor: null, actorName: null }] = group
    await setActor(tx, { account: actor, name: actorName ?? 'Homeroom', at })
    const inserted: NewRow[] = []
    for (const { record } of group) {
      await rest()
      const own = textsOf.get(record) ?? []
      for (const text of own)
        inserted.push(...(await saveText(tx, text, stored.get(toKey(record, text.source.section, text.source.field)))))
      const keys = new Set(own.map(({ source }) => toKey(record, source.section, source.field)))
      for (const row of rowsOf.get(record) ?? []) if (!keys.has(toKey(record, row.section, row.field))) await removeGone(tx, row)
    }
    if (inserted.length > 0) await tx.insertInto('deadline').values(inserted).execute()
  }
  return { lines: await readChangedRecords(tx), count: pending.length }
}

interface ReadingOptions {
  readonly db: Db
  readonly lists: Pick<AppContext['lists'], 'invalidate'>
  /** The time for the history, if it is not now. */
  readonly at?: Date
}

/** Extracts the dates of all texts that changed since the last time. Servers take turns. */
export const readPendingTexts = async ({ db, lists, at }: ReadingOptions): Promise<void> => {
  for (;;) {
    const { lines, count } = await db.transaction().execute((tx) => readBatch(tx, at))
    if (lines.length > 0) await lists.invalidate(lines)
    if (count < BATCH) return
  }
}
