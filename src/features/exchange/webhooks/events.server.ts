import { type RawBuilder, sql } from 'kysely'

import type { JsonObject } from '../../../contract/objects.ts'
import { isRestricted, NAME_COLUMNS, PARTS, RECORD_KINDS, type RecordPartTable } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { EventBody } from './contract.ts'
import type { EventKind, EventType } from './rules.ts'

/** A row of the history. */
export interface HistoryRow {
  readonly _id: number
  readonly at: Date
  readonly table: string
  readonly record: string
  readonly parent: string
  readonly action: 'insert' | 'update' | 'delete'
  readonly actorName: string | null
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/** The meaning of a change for one record. */
interface RecordEvent {
  readonly kind: EventKind
  readonly name: string
  readonly _id: string
  readonly changed: readonly string[]
}

/** An event with the content of its message. */
export interface WebhookEvent {
  readonly type: EventType
  /** Kind and `_id` of its record, whose events are delivered in order. */
  readonly record: string
  /** The number of the change. */
  readonly change: number
  readonly body: EventBody
}

/** Columns that every save sets. */
const NOT_COMPARED = new Set([
  '_id',
  'version',
  'updatedAt',
  'updatedBy',
  'checkedAt',
  'checkedBy',
  'checkVersion',
  'studentCountUpdatedAt',
])

/** The columns that an update changed. */
const listChangedFields = ({ before, after }: HistoryRow): string[] =>
  before && after
    ? Object.keys(after).filter((field) => !NOT_COMPARED.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    : []

const ACTION_NAMES = { insert: 'created', update: 'changed', delete: 'deleted' } as const

/** An update that archives or restores a record is that, whatever else it changes. */
const getActionName = ({ action, before, after }: HistoryRow): string => {
  const [was, is] = [before?.['archivedAt'] ?? null, after?.['archivedAt'] ?? null]
  return action !== 'update' || (was === null) === (is === null) ? ACTION_NAMES[action] : is === null ? 'restored' : 'archived'
}

type ToEvents = (change: HistoryRow) => readonly RecordEvent[]

const toOwnEvent =
  (kind: EventKind): ToEvents =>
  (change) => [{ kind, name: getActionName(change), _id: change.record, changed: isRestricted(kind) ? [] : listChangedFields(change) }]

/** A part of a record: of one that every record has the fields, which are created and deleted with it; of rows only that they changed. */
const toPartEvents =
  ({ owner, field: part, hasKeyOfRecord }: RecordPartTable): ToEvents =>
  (change) => {
    const kind = owner as EventKind
    if (isRestricted(owner)) return [{ kind, name: 'changed', _id: change.parent, changed: [] }]
    if (!hasKeyOfRecord)
      return listValues(owner, change.before, change.after).map((_id) => ({ kind, name: 'changed', _id, changed: [part] }))
    if (change.action !== 'update') return []
    return [{ kind, name: 'changed', _id: change.parent, changed: listChangedFields(change).map((field) => `${part}.${field}`) }]
  }

const listValues = (column: string, ...rows: readonly (JsonObject | null)[]): string[] => [
  ...new Set(rows.flatMap((row) => (typeof row?.[column] === 'string' ? [row[column]] : []))),
]

const toPersonEvent: ToEvents = (change) => {
  const changed = listChangedFields(change)
  const name = changed.includes('leftAt') ? (change.after?.['leftAt'] === null ? 'returned' : 'left') : getActionName(change)
  return [{ kind: 'person', name, _id: change.record, changed }]
}

const toRoleEvents: ToEvents = (change) => [
  ...toPartEvents(PARTS.site_person)(change),
  ...listValues('person', change.before, change.after).map((_id) => ({
    kind: 'person' as const,
    name: 'changed',
    _id,
    changed: ['locations'],
  })),
]

/** A new answer with the same state is still an answer; other changes of a request are not events. */
const toRequestEvent: ToEvents = (change) => {
  const changed = listChangedFields(change)
  const event = (name: string) => [{ kind: 'request' as const, name, _id: change.record, changed }]
  if (change.action === 'insert') return event('created')
  if (!changed.includes('state') && !changed.includes('word')) return []
  return event(change.after?.['state'] === 'open' ? 'reopened' : 'answered')
}

const toGrantEvent: ToEvents = (change) => {
  const name = change.action === 'delete' ? 'removed' : ACTION_NAMES[change.action]
  return [{ kind: 'grant', name, _id: change.record, changed: listChangedFields(change) }]
}

/** The events for changes of each table. Other tables cause no events. */
const TABLES: Readonly<Record<string, { readonly kinds: readonly EventKind[]; readonly toEvents: ToEvents }>> = {
  ...Object.fromEntries([...RECORD_KINDS, 'charter_affair' as const].map((kind) => [kind, { kinds: [kind], toEvents: toOwnEvent(kind) }])),
  ...Object.fromEntries(
    Object.entries(PARTS).map(([table, part]) => [table, { kinds: [part.owner as EventKind], toEvents: toPartEvents(part) }]),
  ),
  site_person: { kinds: ['site', 'person'], toEvents: toRoleEvents },
  person: { kinds: ['person'], toEvents: toPersonEvent },
  request: { kinds: ['request'], toEvents: toRequestEvent },
  permission: { kinds: ['grant'], toEvents: toGrantEvent },
}

/** The tables whose changes can cause one of these events. */
export const listTables = (types: readonly string[]): string[] => {
  const kinds = new Set(types.map((type) => type.split('.')[0]))
  return Object.entries(TABLES).flatMap(([table, entry]) => (entry.kinds.some((kind) => kinds.has(kind)) ? [table] : []))
}

interface RecordName {
  readonly slug: string | null
  readonly name: string | null
  readonly version: number | null
}

/** Where the names of records come from: those of parts and charter affairs are not in the changed row itself. */
const NAMES: Readonly<Partial<Record<EventKind, (ids: readonly string[]) => RawBuilder<RecordName & { _id: string }>>>> = {
  site: (ids) => sql`select _id, slug, "displayName" as name, version from site where _id = any(${ids}::text[])`,
  person: (ids) => sql`select _id, slug, name, version from person where _id = any(${ids}::text[])`,
  charter_affair: (ids) => sql`
    select charter_affair._id, charter.slug, charter.name, charter_affair.version from charter_affair
    join charter on charter._id = charter_affair.charter where charter_affair._id = any(${ids}::text[])`,
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The columns that name a record; for requests the subject, for grants the person. */
const EVENT_NAME_COLUMNS: Readonly<Record<Exclude<EventKind, 'charter_affair'>, string>> = {
  ...NAME_COLUMNS,
  request: 'location',
  grant: 'name',
}

/** The kind whose own row a table has. */
const getEventKind = (table: string): string => (table === 'permission' ? 'grant' : table)

/** The name of a record from its own row. */
const getOwnName = ({ table, before, after }: HistoryRow, { kind }: RecordEvent): RecordName | undefined => {
  const row = after ?? before
  if (!row || kind === 'charter_affair' || getEventKind(table) !== kind) return undefined
  const { slug, version } = row
  return { slug: toText(slug), name: toText(row[EVENT_NAME_COLUMNS[kind]]), version: typeof version === 'number' ? version : null }
}

/** The events of history rows, in order. `appId` is the application whose grants are included. */
export const readEvents = async (db: Queryable, changes: readonly HistoryRow[], appId: string): Promise<WebhookEvent[]> => {
  const found = changes
    .filter(({ table, before, after }) => table !== 'permission' || (after ?? before)?.['applicationID'] === appId)
    .flatMap((change) => (TABLES[change.table]?.toEvents(change) ?? []).map((event) => ({ change, event, own: getOwnName(change, event) })))
  const names = new Map<string, RecordName>()
  for (const [kind, select] of Object.entries(NAMES)) {
    const ids = [...new Set(found.flatMap(({ event, own }) => (event.kind === kind && !own ? [event._id] : [])))]
    if (ids.length === 0) continue
    for (const { _id, ...name } of (await select(ids).execute(db)).rows) names.set(`${kind}:${_id}`, name)
  }
  return found.flatMap(({ change, event: { kind, name, _id, changed }, own }) => {
    const record = `${kind}:${_id}`
    const named = own ?? names.get(record)
    const isPart = !own && !(kind === 'charter_affair' && change.table === 'charter_affair')
    // A part that was deleted with its record is covered by the record's own event.
    if (isPart && !named) return []
    const { slug = null, name: title = null, version = null } = named ?? {}
    const type = `${kind}.${name}` as EventType
    const data = { kind, _id, slug, name: title, version, changed: [...changed], by: change.actorName }
    return [{ type, record, change: change._id, body: { type, timestamp: change.at.toISOString(), data } }]
  })
}
