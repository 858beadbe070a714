import { hash } from 'node:crypto'

import { sql } from 'kysely'

import { isRestricted, PARTS } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { CompleteHistory, MOMENT_COLUMNS, type MomentRow } from '../../../platform/server/change-poll.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { isModelTable, MODEL_TABLE_NAMES, type ModelTable } from '../../../platform/server/read-model/tables.ts'
import type { OfflineChanges } from './contract.ts'

/** The tables that everyone signed in may read. */
const COPIED_TABLES = MODEL_TABLE_NAMES.filter((table) => !isRestricted(table))
/** With more changes, everything is sent instead. */
const MAX_CHANGES = 5000
/** A server's first token is this many history numbers behind, for changes that have a number but are not committed yet. */
const MARGIN = 1000

type Row = Readonly<Record<string, unknown>>
type ChangedRows = Pick<OfflineChanges, 'rows' | 'removed' | 'isWhole'>

const listRows = (model: ReadModel, table: ModelTable): Row[] => [...model.table(table).all()]

/** The names of all columns: a device whose rows lack one gets everything. */
const getShape = (model: ReadModel): string =>
  hash(
    'sha256',
    COPIED_TABLES.map((table) => `${table} ${Object.keys(listRows(model, table)[0] ?? {}).join()}`).join('\n'),
    'base64url',
  ).slice(0, 10)

/**
 * What identifies a change: after a backup was restored, another one may have its number. After an erasure, and again when it is finished, rows differ
 * without a change, so that devices get everything.
 */
const readFingerprint = async (db: Queryable, number: number): Promise<string> => {
  const { rows } = await sql<{ text: string }>`
    select left(md5(concat_ws(' ',
      (select concat_ws(' ', _id, "table", record, extract(epoch from at)) from change where _id <= ${number} order by _id desc limit 1),
      (select nullif(2 * count(*), 0) from erasure) - (select count(*) from erasure_pending))), 10) as text`.execute(db)
  return rows[0]?.text ?? ''
}

interface ChangedKey {
  readonly table: string
  readonly record: string
  readonly parent: string
  /** Whether the record was archived or restored, with all that belongs to it. */
  readonly isOfArchiving: boolean
}

const listChanges = async (db: Queryable, since: number): Promise<readonly ChangedKey[]> => {
  const { rows } = await sql<ChangedKey>`
    select "table", record, parent, bool_or(before ->> 'archivedAt' is distinct from after ->> 'archivedAt') as "isOfArchiving"
    from change where _id > ${since} group by 1, 2, 3 limit ${MAX_CHANGES + 1}`.execute(db)
  return rows
}

/** The rows that a change may have changed: its own, that of the record it belongs to, and the parts of that record. */
const listTouched = (model: ReadModel, { table, record, parent, isOfArchiving }: ChangedKey): (readonly [table: string, key: string])[] => {
  const owner = Object.hasOwn(PARTS, table) ? PARTS[table as keyof typeof PARTS].owner : table
  const parts = Object.entries(PARTS).flatMap(([part, { owner: of, hasKeyOfRecord }]) => (of === owner && hasKeyOfRecord ? [part] : []))
  const owned = isOfArchiving && isModelTable(table) ? model.listOwned(table, record).map((one) => [one.table, one.key] as const) : []
  return [...owned, [table, record], ...[owner, ...parts].map((one) => [one, parent] as const)]
}

const isCopied = (table: string): table is ModelTable => isModelTable(table) && COPIED_TABLES.includes(table)

const gatherChanges = (model: ReadModel, changes: readonly ChangedKey[]): ChangedRows => {
  const keys = new Map<ModelTable, Set<string>>()
  for (const [table, key] of changes.flatMap((change) => listTouched(model, change)))
    if (isCopied(table)) keys.set(table, (keys.get(table) ?? new Set()).add(key))
  const rows: Record<string, Row[]> = {}
  const removed: Record<string, string[]> = {}
  for (const [table, changed] of keys)
    for (const key of changed) {
      const row = model.table(table).getListed(key) as Row | undefined
      if (row) (rows[table] ??= []).push(row)
      else (removed[table] ??= []).push(key)
    }
  return { rows, removed, isWhole: false }
}

const gatherEverything = (model: ReadModel): ChangedRows => ({
  rows: Object.fromEntries(COPIED_TABLES.map((table) => [table, listRows(model, table)])),
  removed: {},
  isWhole: true,
})

/** Follows how far the history is complete, for one server. */
const histories = new WeakMap<ReadModel, CompleteHistory>()

/** The number up to which every change is committed and in the read model. */
const findComplete = async ({ db, readModel, lists }: AppContext): Promise<number> => {
  const { rows } = await sql<MomentRow>`select ${sql.raw(MOMENT_COLUMNS)} from pg_current_snapshot() as s`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The history could not be read')
  const history = histories.get(readModel) ?? new CompleteHistory(Math.max(0, row.last - MARGIN))
  histories.set(readModel, history)
  const complete = history.advance(row)
  await lists.catchUp()
  await readModel.ready()
  return complete
}

/** What has changed since a token, and the next token: `{number}.{fingerprint of that change}.{columns}`, which every server understands. */
export const readChanges = async (context: AppContext, since: string | undefined): Promise<ChangedRows & { readonly token: string }> => {
  const { db, readModel } = context
  const complete = await findComplete(context)
  const shape = getShape(readModel)
  const token = `${complete}.${await readFingerprint(db, complete)}.${shape}`
  const [, number, fingerprint] = /^(\d{1,15})\.(\w*)\.[\w-]+$/.exec(since ?? '') ?? []
  const isKnown = number !== undefined && since?.endsWith(`.${shape}`) && fingerprint === (await readFingerprint(db, Number(number)))
  const changes = isKnown ? await listChanges(db, Number(number)) : undefined
  return { token, ...(changes && changes.length <= MAX_CHANGES ? gatherChanges(readModel, changes) : gatherEverything(readModel)) }
}
