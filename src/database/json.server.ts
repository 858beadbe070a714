import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'

import { pictureAddressOf } from '../platform/contract/fields.ts'
import type { Queryable } from './connection.server.ts'

/** A moment as JSON has it: ISO 8601 in UTC, to the millisecond. */
export const moment = <T extends Date | null>(column: Expression<T>): RawBuilder<T extends null ? string | null : string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A picture's address from its id, or null (D43). */
export const pictureAddress = (column: Expression<string | null>): RawBuilder<string | null> =>
  sql`${sql.lit(pictureAddressOf(''))} || ${column}`

type Rows<O> = SelectQueryBuilder<never, never, O> | SelectQueryBuilder<any, any, O> // oxlint-disable-line no-explicit-any -- any table will do

/** All rows of a query as the text of a JSON array, assembled by PostgreSQL (architecture, Lists kept ready). */
export const jsonListText = async <O>(db: Queryable, rows: Rows<O>): Promise<string> => {
  const { rows: answer } = await sql<{
    text: string
  }>`select coalesce(json_agg(to_json(row)), '[]')::text as text from (${rows}) as row`.execute(db)
  return answer[0]?.text ?? '[]'
}

/** The one row of a query, through the same JSON as the lists, so that a record reads the same everywhere; undefined for none. */
export const jsonRow = async <O>(db: Queryable, rows: Rows<O>): Promise<O | undefined> => {
  const { rows: answer } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return answer[0]?.json
}

/** All rows of a query through the same JSON. */
export const jsonRows = async <O>(db: Queryable, rows: Rows<O>): Promise<O[]> => {
  const { rows: answer } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return answer.map(({ json }) => json)
}
