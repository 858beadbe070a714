import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'

import type { Queryable } from './connection.server.ts'

/** A moment in JSON format: ISO 8601 in UTC with milliseconds. */
export const toIsoTimestamp = <T extends Date | null>(column: Expression<T>): RawBuilder<T extends null ? string | null : string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type RowsQuery<O> = SelectQueryBuilder<never, never, O> | SelectQueryBuilder<any, any, O> // oxlint-disable-line no-explicit-any -- any table will do

/** The single row of a query, converted to JSON like lists, so that a record looks the same everywhere; undefined if there is none. */
export const readJsonRow = async <O>(db: Queryable, rows: RowsQuery<O>): Promise<O | undefined> => {
  const { rows: found } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return found[0]?.json
}

/** All rows of a query, converted to the same JSON. */
export const readJsonRows = async <O>(db: Queryable, rows: RowsQuery<O>): Promise<O[]> => {
  const { rows: found } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return found.map(({ json }) => json)
}
