import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { isObject } from '../../contract/objects.ts'
import { type FieldError, invalidFields, Problem } from '../../contract/problem.ts'
import type { ChangesetTable } from '../../database/changeset-tables.ts'
import type { Tx } from '../../database/connection.server.ts'
import { checkDeferred, deferUnique, findSharedValues, type NewValues } from '../../database/unique-fields.server.ts'
import type { AppContext } from './app-context.ts'
import { runSave } from './edit-transaction.ts'
import { type EditableRecordKind, type FieldChanges, saveFields, type Validated } from './record-editor.ts'

/** Thrown to roll back a trial transaction. */
class Rollback extends Error {}

/** Runs work in a transaction that is rolled back. */
const tryOut = async <T>(context: AppContext, work: (tx: Tx) => Promise<T>): Promise<T> => {
  let result: { readonly value: T } | undefined
  try {
    await runSave(context, { account: null, name: '' }, async (tx) => {
      result = { value: await work(tx) }
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback) || !result) throw error
  }
  if (!result) throw new Error('A trial is always rolled back')
  return result.value
}

/** Returns what a save of these changes would store under the rules of the edit call, or throws what it would throw. Nothing is saved. */
export const trySave = (context: AppContext, kind: EditableRecordKind, { key, changes }: RecordChanges): Promise<FieldChanges> =>
  tryOut(context, (tx) => saveFields(tx, context.readModel, kind, key, changes))

/** Records per trial transaction; their rows stay locked until it is rolled back. */
const MAX_TRIAL_RECORDS = 50

/** What a save of each record would store, and its errors. The caller checks uniqueness across records. */
export const tryAll = async (
  context: AppContext,
  kind: EditableRecordKind,
  rows: readonly RecordChanges[],
): Promise<ReadonlyMap<string, Validated>> => {
  const sorted = sortByKey(rows)
  const tried = new Map<string, Validated>()
  for (let at = 0; at < sorted.length; at += MAX_TRIAL_RECORDS) {
    const batch = sorted.slice(at, at + MAX_TRIAL_RECORDS)
    const tryBatch = async (tx: Tx): Promise<void> => {
      for (const { key, changes } of batch) {
        try {
          tried.set(key, { values: await saveFields(tx, context.readModel, kind, key, changes), errors: [] })
        } catch (error) {
          if (!(error instanceof Problem) || error.errors === undefined) throw error
          tried.set(key, { values: changes, errors: error.errors })
        }
      }
    }
    await tryOut(context, (tx) => deferUnique(tx, () => tryBatch(tx)))
  }
  return tried
}

/** Changes of one record, by path. */
export interface RecordChanges {
  readonly key: string
  readonly changes: FieldChanges
}

interface ChangesetFacts {
  readonly kind: ChangesetTable['kind']
  readonly recordKind: string
  readonly title: string
  readonly account: string | null
  readonly name: string
  readonly at: Date
  readonly undoes?: string
}

/** Inserts a changeset; everything that this transaction changes afterward is linked to it in the history. */
export const beginChangeset = async (tx: Tx, facts: ChangesetFacts): Promise<string> => {
  const { _id } = await tx
    .insertInto('changeset')
    .values({ ...facts, undoes: facts.undoes ?? null })
    .returning('_id')
    .executeTakeFirstOrThrow()
  await sql`select set_config('homeroom.changeset', ${_id}, true), set_config('homeroom.changeset_kind', ${facts.kind}, true)`.execute(tx)
  return _id
}

/** Saving stops after this many field errors. */
export const MAX_ERRORS = 100

/**
 * Saves changes of many records in one transaction: all, or none if one is refused. Two records may swap a unique value. The paths of errors begin
 * with the key of the record. The rows are locked already, or come in key order (`sortByKey`).
 */
export const saveAll = async (
  tx: Tx,
  context: AppContext,
  kind: EditableRecordKind,
  rows: Iterable<RecordChanges> | AsyncIterable<RecordChanges>,
  onSaved?: (count: number, key: string) => void,
): Promise<void> => {
  const errors: FieldError[] = []
  const { unique = [] } = kind
  const uniqueValues: NewValues[] = []
  let count = 0
  const saveRows = async (): Promise<void> => {
    for await (const { key, changes } of rows) {
      try {
        const values = await saveFields(tx, context.readModel, kind, key, changes)
        if (unique.some(({ path }) => values[path] !== undefined))
          uniqueValues.push({ key, name: kind.describe(context.readModel, key)?.name ?? key, values })
        onSaved?.(++count, key)
      } catch (error) {
        if (!(error instanceof Problem) || error.errors === undefined) throw error
        errors.push(...error.errors.map(({ path, message }) => ({ path: `${key}.${path}`, message })))
        if (errors.length >= MAX_ERRORS) break
      }
    }
  }
  await (unique.length === 0 ? saveRows() : deferUnique(tx, saveRows))
  const shared = await findSharedValues(tx, unique, uniqueValues)
  errors.push(...shared.slice(0, MAX_ERRORS).map(({ key, path, message }) => ({ path: `${key}.${path}`, message })))
  if (errors.length > 0) throw invalidFields(errors)
  if (unique.length > 0) await checkDeferred(tx, unique)
}

/** Rows in key order, so that two changesets never deadlock. */
export const sortByKey = (rows: readonly RecordChanges[]): RecordChanges[] =>
  rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

/** Entries to add to a list and to remove from it, instead of a whole list. */
interface ListEdit {
  readonly add?: readonly unknown[]
  readonly remove?: readonly unknown[]
}
const isListEdit = (value: unknown): value is ListEdit =>
  isObject(value) && Object.entries(value).every(([key, entries]) => (key === 'add' || key === 'remove') && Array.isArray(entries))

/** Entries of a list may be records; an edit identifies them by `_id`. */
const toEntry = (entry: unknown): unknown => (typeof entry === 'object' && entry !== null && '_id' in entry ? entry._id : entry)

/** The new value for one record; for a list, its present entries with the additions and removals applied. */
const resolveValue = (value: unknown, present: unknown): unknown => {
  if (!Array.isArray(present)) return value
  const list = present.map(toEntry)
  if (!isListEdit(value)) return value
  const removed = new Set((value.remove ?? []).map(toEntry))
  const added = (value.add ?? []).map(toEntry).filter((entry) => !list.includes(entry))
  return [...list.filter((entry) => !removed.has(entry)), ...added]
}

const isSame = (value: unknown, present: unknown): boolean =>
  Array.isArray(present) && Array.isArray(value)
    ? isDeepStrictEqual(value.map(toEntry), present.map(toEntry))
    : isDeepStrictEqual(value ?? null, present ?? null)

/** The changes that differ from the present values of a record. */
export const pickDifferent = (changes: FieldChanges, present: FieldChanges): FieldChanges =>
  Object.fromEntries(
    Object.entries(changes)
      .map(([path, value]) => [path, resolveValue(value, present[path])] as const)
      .filter(([path, value]) => !isSame(value, present[path])),
  )
