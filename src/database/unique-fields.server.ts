import { type RawBuilder, sql } from 'kysely'

import { type FieldError, Problem } from '../contract/problem.ts'
import type { Queryable, Tx } from './connection.server.ts'

/** A field whose values must be unique in a table. */
export interface UniqueField {
  readonly path: string
  readonly table: 'person' | 'charter'
  /** The constraint that enforces it; absent if a lock does. */
  readonly constraint?: string
  /** Normalizes a value; values with the same result count as equal. */
  readonly fold: (value: RawBuilder<string>) => RawBuilder<string>
  readonly title: string
  /** The error at the field; `name` is the name of the other record. */
  readonly formatError: (name: string) => string
}

/** A record, or a row to be inserted, with its new values. */
export interface NewValues {
  readonly key: string
  /** Its name in errors of other records. */
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A value that another record already has, or would also get. */
export interface SharedValue extends FieldError {
  readonly key: string
}

/** Rows that share the value of a field with another row, or with a record outside these rows; returns the name of the other, by key. */
const findDuplicates = async (db: Queryable, { path, table, fold }: UniqueField, rows: readonly NewValues[]) => {
  const own = rows.filter(({ values }) => values[path] !== undefined)
  const texts = own.filter(({ values }) => typeof values[path] === 'string')
  if (texts.length === 0) return []
  const list = (toText: (row: NewValues) => unknown, of: readonly NewValues[]) => sql`${of.map(toText)}::text[]`
  const { rows: found } = await sql<{ key: string; name: string }>`
    with sent as materialized (
      select key, name, ${fold(sql`value`)} as value
      from unnest(${list(({ key }) => key, texts)}, ${list(({ name }) => name, texts)}, ${list(({ values }) => values[path], texts)})
        as given (key, name, value)
    ), holder as (
      select key, name, value from sent
      union all
      select _id, name, ${fold(sql.ref(path))} from ${sql.table(table)}
      where ${fold(sql.ref(path))} in (select value from sent) and "archivedAt" is null and _id <> all (${list(({ key }) => key, own)})
    ), shared as (
      select value, (array_agg(key order by key))[1] as first, (array_agg(name order by key))[1:2] as names
      from holder group by value having count(*) > 1
    )
    select key, case when key = first then names[2] else names[1] end as name from sent join shared using (value)`.execute(db)
  return found
}

/** Uniqueness errors if all of these rows are saved; two of them may swap a value. */
export const findSharedValues = async (
  db: Queryable,
  fields: readonly UniqueField[],
  rows: readonly NewValues[],
): Promise<SharedValue[]> => {
  const shared: SharedValue[] = []
  for (const field of fields)
    for (const { key, name } of await findDuplicates(db, field, rows))
      shared.push({ key, path: field.path, message: field.formatError(name) })
  return shared
}

const buildProblem = (title: string, errors: readonly FieldError[]): Problem => {
  const detail = `${errors.map(({ message }) => message).join('. ')}.`
  return new Problem(409, title, { ...(errors[0]?.message === title ? {} : { detail }), errors: [...errors] })
}

const deferredIn = new WeakSet<Queryable>()

/** Saves many records that may swap unique values: the caller checks uniqueness afterward (`findSharedValues`, `checkDeferred`). */
export const deferUnique = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  await sql`set constraints all deferred`.execute(tx)
  deferredIn.add(tx)
  try {
    return await work()
  } finally {
    deferredIn.delete(tx)
  }
}

/** Throws 409 if another record has the value of a unique field; skipped while many records are saved. */
export const assertUnique = async (tx: Tx, fields: readonly UniqueField[], row: NewValues): Promise<void> => {
  if (deferredIn.has(tx)) return
  const errors = await findSharedValues(tx, fields, [row])
  const [first] = fields
  if (errors.length > 0 && first)
    throw buildProblem(
      first.title,
      errors.map(({ path, message }) => ({ path, message })),
    )
}

/** Converts a constraint violation to the error of its field: another transaction has taken the value. */
export const rethrowDuplicate = (fields: readonly UniqueField[], error: unknown): never => {
  const field =
    error instanceof Error && 'constraint' in error ? fields.find(({ constraint }) => constraint === error.constraint) : undefined
  throw field ? buildProblem(field.title, [{ path: field.path, message: field.formatError('Someone else') }]) : error
}

/** Makes the database check the constraints that `deferUnique` deferred. */
export const checkDeferred = async (tx: Tx, fields: readonly UniqueField[]): Promise<void> => {
  await sql`set constraints all immediate`.execute(tx).catch((error: unknown) => rethrowDuplicate(fields, error))
}
