import { sql } from 'kysely'

import { undoChangeset } from '../../src/features/changing/changesets/contract.ts'
import { mergeRecords } from '../../src/features/changing/merges/contract.ts'
import type { SignedInCaller, TestApp } from './app.ts'

type Kind = 'person' | 'site' | 'charter' | 'brand'

export const readRow = async ({ context: { db } }: TestApp, table: string, _id: string) => {
  const { rows } = await sql<{
    row: Record<string, unknown>
  }>`select to_jsonb(t) as row from ${sql.table(table)} as t where _id = ${_id}`.execute(db)
  return rows[0]!.row
}

export const toBody = async (app: TestApp, kind: Kind, keep: string, merge: string, values: Record<string, unknown> = {}) => {
  const [kept, merged] = [await readRow(app, kind, keep), await readRow(app, kind, merge)]
  return { kind, keep, merge, values, version: Number(kept['version']), mergedVersion: Number(merged['version']) }
}
export const mergeTwo = async (
  app: TestApp,
  caller: SignedInCaller,
  kind: Kind,
  keep: string,
  merge: string,
  values?: Record<string, unknown>,
) => (await caller.send(mergeRecords, { body: await toBody(app, kind, keep, merge, values) })).changeset._id
export const undo = (caller: SignedInCaller, id: string) => caller.send(undoChangeset, { params: { id }, body: {} })

/** Tables that say what happened, or when: the history, logs, and the merge itself. */
const PAST = [
  'change',
  'changeset',
  'merge',
  'audit_event',
  'audit_chain',
  'mail',
  'webhook_delivery',
  'webhook_queue',
  'deadline_pending',
  'session',
  'account',
  'page_view',
  'permission',
]
/** What differs after an undo: it is a change, too. */
const COUNTED = ['version', 'updatedAt', 'updatedBy', 'studentCountUpdatedAt', 'datedAt']

/** All rows of the database that are not of the past, without what counts changes. Links that were removed and added again have another `_id`. */
export const readState = async ({ context: { db } }: TestApp): Promise<Record<string, string[]>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(
    db,
  )
  const state: Record<string, string[]> = {}
  for (const { name } of tables.filter((table) => !PAST.includes(table.name))) {
    const { rows } = await sql<{
      row: string
    }>`select jsonb_strip_nulls(to_jsonb(t) - ${COUNTED}::text[])::text as row from ${sql.table(name)} as t order by 1`.execute(db)
    state[name] = rows.map(({ row }) => row)
  }
  return state
}

/** Where an `_id` is named, outside the past. */
export const listMentionsOf = async (app: TestApp, _id: string): Promise<string[]> =>
  Object.entries(await readState(app)).flatMap(([table, rows]) => rows.flatMap((row) => (row.includes(_id) ? [table] : [])))
