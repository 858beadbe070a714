import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { isCheckedKind } from '../../../contract/checks.ts'
import { forbidden, notFound, Problem } from '../../../contract/problem.ts'
import { EDITABLE_KINDS, getKindOfTable, getReadCapability, type RecordKind } from '../../../contract/records.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Status } from '../../../contract/status.ts'
import { formatArchived, isArchivable } from '../../../database/archived-records.server.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import { checkDeferred, deferUnique, findSharedValues } from '../../../database/unique-fields.server.ts'
import { getKeyColumn, isEditable } from '../../../database/update-record.server.ts'
import type { AppContext, KindPlans, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset } from '../../../platform/server/changeset.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import { getKind, toRecords } from '../../finding/activity/queries.server.ts'
import { type ArchiveColumns, setArchived } from '../archive/mutations.server.ts'
import {
  canRestoreField,
  CREATED_WITH_RECORD,
  getReferenceNames,
  getSectionTexts,
  getStoredPartName,
  isLinkTable,
  isSection,
  listChangedPaths,
  type StoredChange,
} from '../history/queries.server.ts'
import { restoreChange, throwRestoreConflict } from '../history/restore.server.ts'
import { assertCanUndoMerge, undoMoves } from '../merges/restore.server.ts'
import type { Changeset, UndoResult } from './contract.ts'
import { ROW_TABLES } from './rules.ts'

type ChangesetFacts = Omit<Changeset, 'changes' | 'records'>
type StoredEntry = Omit<StoredChange, 'action'> & { readonly action: 'insert' | 'update' | 'delete'; readonly parent: string }

const findChangeset = async (db: Queryable, _id: string): Promise<ChangesetFacts> => {
  const { rows } = isUuid(_id)
    ? await sql<ChangesetFacts>`
        select _id, kind, "recordKind", title, name as by, ${toIsoTimestamp(sql<Date>`at`)} as at, undoes,
          (select json_build_object('_id', undo._id, 'by', undo.name, 'at', ${toIsoTimestamp(sql<Date>`undo.at`)})
           from changeset as undo where undo.undoes = changeset._id) as "undoneBy"
        from changeset where _id = ${_id}`.execute(db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Changeset')
  return found
}

/** Throws 403 unless the user may edit every kind of record that was changed. */
const requireEditing = ({ kinds }: AppContext, { accessLevel }: SignedIn, entries: readonly StoredEntry[]): void => {
  const owners = new Set(entries.map(({ table }) => getKindOfTable(table)))
  for (const kind of EDITABLE_KINDS) {
    const { editCapability } = kinds[kind]
    if (owners.has(kind) && !can(accessLevel, editCapability)) throw forbidden(editCapability)
  }
}

const ENTRY_COLUMNS = sql`
  change._id::text as _id, ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, "suggestedBy", action, "table", record, parent, before, after,
  null as version`

/** Whether changes of a table are shown and undone; those of access and settings follow from others. */
const isShown = ({ table }: StoredEntry): boolean => isEditable(table) || isLinkTable(table) || ROW_TABLES.has(table)

/** The changes of a changeset, oldest first. */
const listEntries = async (db: Queryable, _id: string): Promise<StoredEntry[]> => {
  const { rows } = await sql<StoredEntry>`
    select ${ENTRY_COLUMNS} from change where changeset = ${_id} and action in ('insert', 'update', 'delete') order by change._id`.execute(
    db,
  )
  return rows.filter(isShown)
}

const getValue = (table: string, row: StoredChange['before'], path: string): unknown => {
  const [section = '', field = ''] = path.split('.')
  return (isSection(table, section) ? getSectionTexts(row, section)[field] : row?.[path]) ?? null
}

const getKey = (table: string): string => (isEditable(table) ? getKeyColumn(table) : '_id')

/** The current rows of updates, by table and key. */
const readPresent = async (db: Queryable, entries: readonly StoredEntry[]): Promise<ReadonlyMap<string, StoredChange['before']>> => {
  const found = new Map<string, StoredChange['before']>()
  for (const [table, updates] of Map.groupBy(
    entries.filter(({ action }) => action === 'update'),
    ({ table }) => table,
  )) {
    const column = getKey(table)
    const { rows } = await sql<{ key: string; row: StoredChange['before'] }>`
      select ${sql.ref(`t.${column}`)}::text as key, to_jsonb(t) as row from ${sql.table(table)} as t
      where ${sql.ref(`t.${column}`)}::text = any(${updates.map(({ record }) => record)}::text[])`.execute(db)
    for (const { key, row } of rows) found.set(`${table} ${key}`, row)
  }
  return found
}

/** What was saved in a field after a change; empty if it has not changed since. */
const findSince = (entry: StoredEntry, present: StoredChange['before'] | undefined, field: string) => {
  if (entry.action !== 'update' || present === undefined) return {}
  const value = getValue(entry.table, present, field)
  return isDeepStrictEqual(value, getValue(entry.table, entry.after, field)) ? {} : { since: { value } }
}

/** A changeset with its changes; those of charter affairs only for people who can read them. */
export const getChangeset = async (context: AppContext, { accessLevel }: SignedIn, _id: string): Promise<Changeset> => {
  const { db } = context
  const facts = await findChangeset(db, _id)
  const entries = (await listEntries(db, _id)).filter(({ table }) => can(accessLevel, getReadCapability(table)))
  const names = await getReferenceNames(db, entries)
  const nameOf = (field: string, value: unknown): string | null =>
    typeof value === 'string' ? (names.get(`${field} ${value}`) ?? null) : null
  const present = facts.undoneBy ? new Map<string, StoredChange['before']>() : await readPresent(db, entries)
  const parents = new Map(entries.map(({ parent, table }) => [parent, { kind: getKind(table), _id: parent }]))
  return {
    ...facts,
    records: [...(await toRecords(context, [...parents.values()])).values()],
    changes: entries.map((entry) => ({
      _id: entry._id,
      action: entry.action,
      table: entry.table,
      record: entry.parent,
      title: getStoredPartName(entry, nameOf),
      fields: listChangedPaths(entry).map((field) => {
        const [before, after] = [getValue(entry.table, entry.before, field), getValue(entry.table, entry.after, field)]
        const since = findSince(entry, present.get(`${entry.table} ${entry.record}`), field)
        return { field, before, beforeName: nameOf(field, before), after, afterName: nameOf(field, after), ...since }
      }),
    })),
  }
}

const lockPresent = async (tx: Tx, entry: StoredEntry): Promise<StoredChange['before'] | undefined> => {
  const { table, record } = entry
  const column = getKey(table)
  const { rows } = await sql<{ row: StoredChange['before'] }>`
    select to_jsonb(t) as row from ${sql.table(table)} as t where ${sql.ref(`t.${column}`)} = ${record} for update`.execute(tx)
  return rows[0]?.row
}

type Left = UndoResult['left'][number]
const toLeft = ({ table, parent }: StoredEntry, field: string | null, present: unknown, message: string): Left => ({
  table,
  record: parent,
  field,
  present: present ?? null,
  message,
})

interface Undone {
  readonly isRestored: boolean
  readonly left: Left[]
}

const CLOSED: Status = 'CLOSED - PERMANENTLY'
/** Rows that are created with another one and are not removed separately. */
const CREATED_WITH_ANOTHER: ReadonlySet<string> = new Set([...CREATED_WITH_RECORD, 'charter_affair'])

/** Removes what was added, or closes it if such records are never deleted; what was changed afterward stays. */
const undoAddition = async (tx: Tx, entry: StoredEntry, present: StoredChange['before'], overwrite: boolean): Promise<Undone> => {
  const { table, record, after } = entry
  const stay = (message: string): Undone => ({ isRestored: false, left: [toLeft(entry, null, null, message)] })
  if (CREATED_WITH_ANOTHER.has(table) || present === null) return { isRestored: false, left: [] }
  if (!isLinkTable(table) && !overwrite && present['version'] !== after?.['version']) return stay('This was added, and changed afterwards')
  if (isLinkTable(table) || ROW_TABLES.has(table)) {
    await sql`delete from ${sql.table(table)} where _id = ${record}`.execute(tx)
    return { isRestored: true, left: [] }
  }
  // Records with a status are closed, and never deleted.
  if (!('status' in present)) return stay('A person who was added stays. Record the departure on their page.')
  await sql`update ${sql.table(table)} set status = ${CLOSED} where _id = ${record}`.execute(tx)
  return { isRestored: true, left: [toLeft(entry, 'status', CLOSED, 'This was added. It is closed now, since it cannot be deleted.')] }
}

/** The messages for unique values that cannot be restored because another record has them now, by change and field. */
const findTaken = async (tx: Tx, { kinds }: AppContext, entries: readonly StoredEntry[]): Promise<ReadonlyMap<string, string>> => {
  const taken = new Map<string, string>()
  const updates = entries.filter(({ action }) => action === 'update')
  for (const field of Object.values(kinds).flatMap(({ unique = [] }) => unique)) {
    const changed = updates.filter((entry) => entry.table === field.table && listChangedPaths(entry).includes(field.path))
    const wanted = changed.map(({ _id, record, before }) => ({
      _id,
      key: record,
      name: '',
      values: { [field.path]: before?.[field.path] ?? null },
    }))
    const shared = new Map((await findSharedValues(tx, [field], wanted)).map(({ key, message }) => [key, message]))
    for (const { _id, key } of wanted) {
      const message = shared.get(key)
      if (message !== undefined) taken.set(`${_id} ${field.path}`, message)
    }
  }
  return taken
}

interface Undoing {
  readonly context: AppContext
  readonly user: SignedIn
  readonly overwrite: boolean
  readonly taken: ReadonlyMap<string, string>
  /** Whether what is undone deleted a part together with its record: it comes back after it. */
  readonly isPart: (entry: StoredEntry) => boolean
}

/** Archiving and restoring are undone with the rules of restoring and archiving. */
const undoArchiving = (kind: RecordKind, { before }: StoredEntry): NonNullable<KindPlans['undo']> => ({
  field: 'archivedAt',
  run: (tx, context, _user, key) => setArchived(tx, context, kind, key, before as unknown as ArchiveColumns),
})

/** Restores what one change replaced, except values that were changed since or that another record has now. */
const undoEntry = async (tx: Tx, entry: StoredEntry, { context, user, overwrite, taken, isPart }: Undoing): Promise<Undone> => {
  const { table, parent, record, action } = entry
  const isOfArchiving = isArchivable(table) && action === 'update' && entry.before?.['archivedAt'] !== entry.after?.['archivedAt']
  const whole = isOfArchiving ? undoArchiving(table, entry) : context.plans[table]?.undo
  const present = await lockPresent(tx, entry)
  if (present?.['archivedAt'] && isArchivable(table) && !isOfArchiving)
    return { isRestored: false, left: [toLeft(entry, null, null, `${formatArchived(table)}. Restore it first.`)] }
  if (action === 'insert') return undoAddition(tx, entry, present ?? null, overwrite)
  if (action === 'delete') {
    if (present !== undefined && !isPart(entry)) return { isRestored: false, left: [] }
    // Its record has just come back, with an empty one.
    if (present !== undefined) await sql`delete from ${sql.table(table)} where ${sql.ref(getKey(table))} = ${record}`.execute(tx)
    await restoreChange(tx, parent, entry._id, {}, undefined)
    return { isRestored: true, left: [] }
  }
  if (present === undefined) return { isRestored: false, left: [toLeft(entry, null, null, 'This was removed afterwards')] }
  // What is undone as a whole restores values of other changes too.
  const isOpen = (path: string): boolean =>
    (canRestoreField(path) || path === whole?.field) &&
    !isDeepStrictEqual(getValue(table, present, path), getValue(table, entry.before, path))
  const paths = listChangedPaths(entry).filter(isOpen)
  const findReason = (path: string): string | undefined => {
    const isMoved = !overwrite && !isDeepStrictEqual(getValue(table, present, path), getValue(table, entry.after, path))
    return isMoved ? 'This was changed afterwards' : taken.get(`${entry._id} ${path}`)
  }
  const fields = paths.filter((path) => findReason(path) === undefined)
  if (whole && fields.includes(whole.field)) await whole.run(tx, context, user, record)
  const restored = fields.filter(canRestoreField)
  if (restored.length > 0) await restoreChange(tx, parent, entry._id, { fields: restored }, undefined)
  return {
    isRestored: fields.length > 0,
    left: paths.flatMap((path) => {
      const reason = findReason(path)
      return reason === undefined ? [] : [toLeft(entry, path, getValue(table, present, path), reason)]
    }),
  }
}

/** Restores what a changeset replaced, as a new changeset. */
export const undo = async (tx: Tx, context: AppContext, user: SignedIn, _id: string, overwrite: boolean): Promise<UndoResult> => {
  if (isUuid(_id)) await sql`select from changeset where _id = ${_id} for update`.execute(tx)
  const { kind, undoneBy, title, recordKind, undoes } = await findChangeset(tx, _id)
  if (undoneBy) throw new Problem(409, 'This was undone already')
  const entries = await listEntries(tx, _id)
  requireEditing(context, user, entries)
  await assertCanUndoMerge(tx, _id, undoes)
  const changeset = await beginChangeset(tx, {
    kind: 'undo',
    recordKind,
    title,
    account: user.account,
    name: user.name,
    at: context.now(),
    undoes: _id,
  })
  const removed = kind === 'import' ? await removeAdded(tx, [_id, changeset], entries) : new Set<string>()
  const others = entries.filter(({ table, record }) => !removed.has(`${table} ${record}`))
  const result = await undoEntries(tx, context, user, others, overwrite)
  await undoMoves(tx, _id)
  if (kind === 'import' || kind === 'undo') await context.importer.undo(tx, _id, changeset)
  return { changeset: { _id: changeset }, changed: result.changed + removed.size, left: result.left }
}

/**
 * Deletes the records that an import added, unless they or rows of theirs were changed afterward, or another record refers to them. Returns them,
 * with the parts that were created with them.
 */
const removeAdded = async (tx: Tx, own: readonly string[], entries: readonly StoredEntry[]): Promise<ReadonlySet<string>> => {
  const removed = new Set<string>()
  const added = entries.filter(({ action, table }) => action === 'insert' && !CREATED_WITH_ANOTHER.has(table))
  // Those that were added last refer to earlier ones.
  for (const table of [...new Set(added.map((entry) => entry.table))].toReversed()) {
    const keys = added.filter((entry) => entry.table === table).map(({ record }) => record)
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${keys}::text[]) as key where not exists (
        select from change where parent = key and coalesce(changeset <> all(${own}::uuid[]), true))`.execute(tx)
    await sql`savepoint added`.execute(tx)
    try {
      const deleted = await sql<{ key: string }>`
        delete from ${sql.table(table)} where _id = any(${rows.map(({ key }) => key)}::text[]) returning _id as key`.execute(tx)
      for (const { key } of deleted.rows) removed.add(`${table} ${key}`)
      await sql`release savepoint added`.execute(tx)
    } catch (error) {
      if (getErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error
      // One of them is needed by another record: all of this table are closed instead.
      await sql`rollback to savepoint added`.execute(tx)
    }
  }
  for (const { table, record, parent } of entries)
    if (
      CREATED_WITH_ANOTHER.has(table) &&
      [...new Set(added.map((entry) => entry.table))].some((owner) => removed.has(`${owner} ${parent}`))
    )
      removed.add(`${table} ${record}`)
  return removed
}
const FOREIGN_KEY_VIOLATION = '23503'

/** Restores what changes replaced, the last one first. */
const undoEntries = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  entries: readonly StoredEntry[],
  overwrite: boolean,
): Promise<Pick<UndoResult, 'changed' | 'left'>> => {
  const left: Left[] = []
  const restored = new Set<string>()
  const taken = await findTaken(tx, context, entries)
  await deferUnique(tx, async () => {
    const deleted = new Set(
      entries.flatMap(({ action, table, record }) => (action === 'delete' && !CREATED_WITH_ANOTHER.has(table) ? [record] : [])),
    )
    const isPart = ({ action, table, parent }: StoredEntry): boolean =>
      action === 'delete' && CREATED_WITH_ANOTHER.has(table) && deleted.has(parent)
    const latestFirst = entries.toReversed()
    for (const entry of [...latestFirst.filter((one) => !isPart(one)), ...latestFirst.filter(isPart)]) {
      const result = await undoEntry(tx, entry, { context, user, overwrite, taken, isPart })
      left.push(...result.left)
      if (result.isRestored) restored.add(entry.parent)
    }
  })
  await checkDeferred(tx, []).catch(throwRestoreConflict)
  return { changed: restored.size, left }
}

/** How long a save can be undone in this way; the history restores earlier ones. */
const UNDO_SAVES_MS = 3_600_000

/** Undoes the check that a save was, unless someone has checked the record since. */
const undoSavedCheck = async (tx: Tx, { table, record, before, after }: StoredEntry): Promise<void> => {
  if (!isCheckedKind(table) || before === null || isDeepStrictEqual(before['checkedAt'], after?.['checkedAt'])) return
  await sql`
    update ${sql.table(table)} set "checkedAt" = ${before['checkedAt']}::timestamptz, "checkedBy" = ${before['checkedBy']}
    where _id = ${record} and "checkedAt" = ${after?.['checkedAt']}::timestamptz`.execute(tx)
}

/** Restores what requests of the user saved, except what was changed since. */
export const undoRequests = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  requests: readonly string[],
): Promise<Pick<UndoResult, 'changed' | 'left'>> => {
  const { rows } = await sql<StoredEntry>`
    select ${ENTRY_COLUMNS} from change
    where at > ${new Date(context.now().getTime() - UNDO_SAVES_MS)} and request = any(${requests}::text[]) and actor = ${user.account}
      and action in ('insert', 'update', 'delete') order by change._id`.execute(tx)
  const entries = rows.filter(isShown)
  if (entries.length === 0)
    throw new Problem(409, 'This cannot be undone here any longer', { detail: 'History can restore the earlier values.' })
  requireEditing(context, user, entries)
  const result = await undoEntries(tx, context, user, entries, false)
  for (const entry of entries.toReversed()) await undoSavedCheck(tx, entry)
  return result
}
