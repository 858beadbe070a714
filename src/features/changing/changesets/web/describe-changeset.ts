import { type HistoryParts } from '../../../../contract/history.ts'
import { EDITABLE_KINDS, type EditableKind, getRecordFormPath } from '../../../../contract/records.ts'
import { formatAction, formatFieldValue, getFieldLabel } from '../../history/rules.ts'
import type { Changeset } from '../contract.ts'
import { ROW_TABLES } from '../rules.ts'

/** One value that a changeset changed. */
export interface ChangesetLine {
  readonly key: string
  readonly label: string
  /** Null for a record that was added or removed as a whole. */
  readonly from: string | null
  readonly to: string | null
  /** What someone saved afterward. */
  readonly since: string | null
}

/** One record with what was changed in it. */
export interface ChangedRecord {
  readonly _id: string
  readonly name: string
  readonly kind: string
  readonly slug: string | null
  readonly path: string | null
  /** Whether the record itself was added or removed. */
  readonly action: Entry['action']
  /** How many of its lines are added records: itself, or rows of its lists. */
  readonly created: number
  readonly changes: readonly Changeset['changes'][number][]
  readonly lines: readonly ChangesetLine[]
}

type Entry = Changeset['changes'][number]

const formatField = (parts: HistoryParts, { table }: Entry, field: string, value: unknown, name: string | null, timeZone: string): string =>
  formatFieldValue(parts[table], field.split('.').at(-1) ?? field, value, name, timeZone)

const listLines = (parts: HistoryParts, entry: Entry, timeZone: string): ChangesetLine[] => {
  const { _id, action, table, title, fields } = entry
  if (action !== 'update')
    return [{ key: _id, label: formatAction(parts, { action, part: table, title }), from: null, to: null, since: null }]
  return fields.map(({ field, before, beforeName, after, afterName, since }) => {
    const label = getFieldLabel(parts, table, field)
    return {
      key: `${_id} ${field}`,
      label: title === null ? label : `${title}, ${label}`,
      from: formatField(parts, entry, field, before, beforeName, timeZone),
      to: formatField(parts, entry, field, after, afterName, timeZone),
      since: since ? formatField(parts, entry, field, since.value, null, timeZone) : null,
    }
  })
}

const isEditableKind = (kind: string): kind is EditableKind => EDITABLE_KINDS.some((one) => one === kind)

/** An added or removed record is shown as one line, without its parts. A charter affair is added by the first row of its lists. */
const listShown = (entries: readonly Entry[], kind: string | undefined) => {
  const rows = entries.filter(({ action, table }) => action === 'insert' && ROW_TABLES.has(table))
  const own = entries.filter(({ action, table }) => action !== 'update' && table === kind)
  const action = own[0]?.action ?? 'update'
  if (action === 'update') return { shown: entries, action, created: rows.length }
  const shown = kind === 'charter_affair' && rows.length > 0 ? rows : own
  return { shown, action, created: action === 'insert' ? shown.length : 0 }
}

/** The records of a changeset with their lines: those of a sheet in the order of its rows, others by name. */
export const listChangedRecords = (parts: HistoryParts, { kind, changes, records }: Changeset, timeZone: string): ChangedRecord[] => {
  const known = new Map(records.map((record) => [record._id, record]))
  const changed = [...Map.groupBy(changes, ({ record }) => record)].map(([_id, entries]) => {
    const record = known.get(_id)
    const { shown, action, created } = listShown(entries, record?.kind)
    return {
      _id,
      name: record?.name ?? 'a deleted record',
      kind: record?.kind ?? 'site',
      slug: record?.slug ?? null,
      // Pages that open by `_id` open by the slug too.
      path:
        record?.slug && isEditableKind(record.kind) ? getRecordFormPath({ kind: record.kind, slug: record.slug, _id: record.slug }) : null,
      action,
      created,
      changes: entries,
      lines: shown.flatMap((entry) => listLines(parts, entry, timeZone)),
    }
  })
  return kind === 'sheet' ? changed : changed.toSorted((a, b) => a.name.localeCompare(b.name))
}

/** How many records of each kind were added, changed and removed. */
export const countByKind = (records: readonly ChangedRecord[]) =>
  [...Map.groupBy(records, ({ kind, action }) => `${action} ${kind}`).values()].flatMap(([first, ...others]) =>
    first ? [{ kind: first.kind, action: first.action, records: others.length + 1 }] : [],
  )

/** How much was changed; `since` counts the values that someone changed afterward. */
export const countChanges = (records: readonly ChangedRecord[]) => {
  const created = records.reduce((sum, record) => sum + record.created, 0)
  const removed = records.filter(({ action }) => action === 'delete').length
  const changed = records.filter(({ action, lines, created: own }) => action !== 'delete' && lines.length > own)
  const cells = records.reduce((sum, { lines }) => sum + lines.length, 0) - created - removed
  const since = records.reduce((sum, { lines }) => sum + lines.filter((line) => line.since !== null).length, 0)
  return { cells, records: changed.length, created, removed, since, total: cells + created + removed }
}
