import { sql } from 'kysely'
import { z } from 'zod'

import { notFound, Problem } from '../../contract/problem.ts'
import { validateChanges } from '../../contract/validate-changes.ts'
import type { Queryable, Tx } from '../../database/connection.server.ts'
import { selectRowsBefore } from '../../database/past-rows.server.ts'
import { type EditableTable, getKeyColumn, lockForUpdate, type StoredRow, getTableLabel } from '../../database/update-record.server.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { getTable, isModelTable } from './read-model/tables.ts'
import type { RecordEditor, RecordPart } from './record-editor.ts'
import { createTimeSlices } from './time-slices.ts'

const unwrap = (schema: z.ZodType | undefined): z.ZodType | undefined =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap() as z.ZodType) : schema

const findSchema = (schema: z.ZodType | undefined, path: string): z.ZodType | undefined =>
  path.split('.').reduce<z.ZodType | undefined>((outer, name) => {
    const inner = unwrap(outer)
    if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType
    return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>)[name] : undefined
  }, schema)

interface PartOptions {
  readonly prefix?: string
  readonly labels: Readonly<Record<string, string>>
  /** The key column, if it is not that of the table. */
  readonly keyColumn?: string
  /** Inserts the row of a record that has none yet. */
  readonly ensure?: (tx: Tx, key: string) => Promise<unknown>
}

/** Locks rows until the transaction ends, in key order, so that two calls never deadlock. */
export const lockRows = async (tx: Tx, table: EditableTable, column: string, keys: readonly string[]): Promise<void> => {
  await sql`
    select from ${sql.table(table)} where ${sql.ref(column)} = any(${[...keys]}::text[]) order by ${sql.ref(column)} collate "C" for update`.execute(
    tx,
  )
}

/** Returns the result of the work, or the problem that it throws. */
export const catchProblem = (work: () => object): object | Problem => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** A part whose fields are those of an edit call. */
export const createPart = (editor: RecordEditor, { prefix, labels, keyColumn, ensure }: PartOptions): RecordPart => {
  const { call, table } = editor
  const column = keyColumn ?? getKeyColumn(table)
  const lock = async (tx: Tx, key: string): Promise<StoredRow> => {
    if (keyColumn === undefined) return lockForUpdate(tx, table, key, undefined)
    const select = () =>
      sql<{ row: StoredRow }>`
      select to_jsonb(t) as row from ${sql.table(table)} as t where ${sql.ref(keyColumn)} = ${key} for update`.execute(tx)
    const [found] = (await select()).rows
    if (found) return found.row
    await ensure?.(tx, key)
    const [made] = (await select()).rows
    if (!made) throw notFound(getTableLabel(table))
    return made.row
  }
  const read = async (db: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, StoredRow>> => {
    const { rows } = await sql<{ key: string; row: StoredRow }>`
      select ${sql.ref(column)} as key, to_jsonb(t) as row from ${sql.table(table)} as t
      where ${sql.ref(column)} = any(${[...keys]}::text[])`.execute(db)
    return new Map(rows.map(({ key, row }) => [key, row]))
  }
  const readRowBefore = async (db: Queryable, model: ReadModel, key: string, moment: Date): Promise<StoredRow | undefined> => {
    if (isModelTable(table) && getTable(table).columns === undefined) return model.table(table).get(key)
    const { rows } = await sql<{ row: StoredRow }>`
      select to_jsonb(t) as row from (${selectRowsBefore(table, moment)}) as t where ${sql.ref(`t.${column}`)} = ${key}`.execute(db)
    return rows[0]?.row
  }
  const check = (changes: object, row: StoredRow, input: object): object => {
    const checked = validateChanges(call.body, changes, input) as object
    editor.validate?.(checked, row)
    return checked
  }
  // A record that has no row yet is empty.
  const isKnown = (rows: ReadonlyMap<string, StoredRow>, key: string): boolean => rows.has(key) || ensure !== undefined
  const toInput = (row: StoredRow | undefined, model: ReadModel): object => (row === undefined ? {} : editor.toInput(row, model))
  return {
    prefix: prefix ?? null,
    table,
    capability: call.capability,
    toInput: (row, model) => editor.toInput(row, model),
    readInputs: async (db, model, keys) => {
      const rows = await read(db, keys)
      return new Map(keys.filter((key) => isKnown(rows, key)).map((key) => [key, toInput(rows.get(key), model)]))
    },
    readBefore: async (db, model, key, moment) => {
      const row = await readRowBefore(db, model, key, moment)
      return row && editor.toInput(row, model)
    },
    lock: (tx, keys) => lockRows(tx, table, column, keys),
    save: async (tx, model, key, changes) => {
      const row = await lock(tx, key)
      const checked = check(changes, row, editor.toInput(row, model))
      await editor.save(tx, keyColumn === undefined ? key : String(row['_id']), checked, row)
      return checked
    },
    validate: async (db, model, changes) => {
      const rows = await read(db, [...changes.keys()])
      const outcomes = new Map<string, object | Problem>()
      const rest = createTimeSlices()
      for (const [key, own] of changes) {
        await rest()
        const row = rows.get(key)
        if (isKnown(rows, key))
          outcomes.set(
            key,
            catchProblem(() => check(own, row ?? {}, toInput(row, model))),
          )
      }
      return outcomes
    },
    getLabel: (path) => labels[path] ?? path,
    isGroup: (path) => {
      const schema = unwrap(findSchema(call.body, path))
      return schema instanceof z.ZodObject || schema instanceof z.ZodRecord
    },
  }
}
