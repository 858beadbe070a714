import { type Capability, can } from '../../../contract/capabilities.ts'
import type { JsonObject } from '../../../contract/objects.ts'
import { findPartTable, getReadCapability, RECORD_KINDS, RECORD_NOUNS } from '../../../contract/records.ts'
import { listChangedPaths, type StoredChange } from '../history/queries.server.ts'
import type { LiveChange } from './contract.ts'

/** A row of the history. */
export interface HistoryRow {
  readonly _id: number
  readonly at: string
  readonly table: string
  readonly record: string
  readonly parent: string
  readonly action: string
  readonly actor: string | null
  readonly actorName: string | null
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/** A change of one record, and who may read it. */
export interface RecordChange extends LiveChange {
  readonly capability: Capability
  /** The account that may read it whatever its level. */
  readonly reader: string | null
  readonly actor: string | null
}

/** Who may read the rows of tables that are not records of the directory. People below this level see deadlines of sites when they load the page again. */
const OTHER_TABLES: Readonly<Record<string, Capability>> = {
  request: 'answer requests',
  deadline: 'read a charter affair',
  permission: 'manage administrators',
  role: 'browse the directory',
  program_type: 'browse the directory',
}
/** Who is told that something changed in a table without a history. */
const TABLES_WITHOUT_HISTORY: Readonly<Record<string, Capability>> = {
  comment: 'browse the directory',
  planned_change: 'manage the network',
}

/** The tables without a history, of which changes are told at a level, among those that changed; `any` for all. */
export const listTablesWithoutHistory = (tables: ReadonlySet<string> | 'any', level: number): string[] =>
  Object.entries(TABLES_WITHOUT_HISTORY).flatMap(([table, capability]) =>
    can(level, capability) && (tables === 'any' || tables.has(table)) ? [table] : [],
  )

/** What is called `changed` also covers checks of a record. */
const ACTIONS: Readonly<Record<string, LiveChange['action']>> = { insert: 'created', delete: 'deleted' }

const listValues = (column: string, ...rows: readonly (JsonObject | null)[]): string[] => [
  ...new Set(rows.flatMap((row) => (typeof row?.[column] === 'string' ? [row[column]] : []))),
]

/** Who may read what is in a table; undefined for tables that no one is told about. */
export const findReadCapability = (table: string): Capability | undefined => {
  if (findPartTable(table) || Object.hasOwn(RECORD_NOUNS, table)) return getReadCapability(table)
  return Object.hasOwn(OTHER_TABLES, table) ? OTHER_TABLES[table] : undefined
}

/** The kinds of records that a change of a table changes. */
export const listKinds = (table: string): string[] => {
  const part = findPartTable(table)
  if (!part) return [table]
  const links = (part.links ?? []).filter((column) => RECORD_KINDS.some((kind) => kind === column))
  return [part.owner, ...links, ...(Object.hasOwn(RECORD_NOUNS, table) ? [table] : [])]
}

/** What a row of the history means for records: a part changes the record that it belongs to, and the records that it links. */
export const toRecordChanges = (row: HistoryRow): RecordChange[] => {
  const { table, before, after } = row
  const capability = findReadCapability(table)
  if (capability === undefined) return []
  const part = findPartTable(table)
  // The parts that come with every record are created and deleted with it.
  if (part?.hasKeyOfRecord && row.action !== 'update') return []
  const own = row.action === 'update' ? listChangedPaths(row as unknown as StoredChange) : []
  const common = {
    capability,
    reader: table === 'request' ? (listValues('account', after ?? before)[0] ?? null) : null,
    actor: row.actor,
    at: new Date(row.at).toISOString(),
    by: row.actorName,
  }
  return listKinds(table).flatMap((kind) => {
    if (kind === table) return [{ ...common, kind, _id: row.record, action: ACTIONS[row.action] ?? 'changed', changed: own }]
    const isOwner = kind === part?.owner
    const paths = part?.hasKeyOfRecord ? own.map((path) => `${part.field}.${path}`) : [part?.field ?? '']
    const ids = part?.hasKeyOfRecord ? [row.parent] : listValues(kind, before, after)
    return ids.map((_id) => ({ ...common, kind, _id, action: 'changed' as const, changed: isOwner ? paths : [] }))
  })
}

/** A change as its reader gets it; undefined for someone who may not read the record. The fields are those of the history, which fewer people may read. */
export const toReadable = (
  { capability, reader, actor, changed = [], ...change }: RecordChange,
  { level, account }: { readonly level: number; readonly account: string },
): LiveChange | undefined => {
  if (!can(level, capability) && reader !== account) return undefined
  return {
    ...change,
    ...(can(level, 'read a history') ? { changed } : {}),
    ...(actor === account ? { own: true } : {}),
  }
}
