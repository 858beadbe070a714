import { once } from 'node:events'

import { type Compilable, sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import pg, { type Pool } from 'pg'

import { pictureAddressOf } from '../platform/contract/fields.ts'
import type { Queryable } from './connection.server.ts'

/** A moment as JSON has it: ISO 8601 in UTC, to the millisecond. */
export const moment = <T extends Date | null>(column: Expression<T>): RawBuilder<T extends null ? string | null : string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A picture's address from its id, or null (D43). */
export const pictureAddress = (column: Expression<string | null>): RawBuilder<string | null> =>
  sql`${sql.lit(pictureAddressOf(''))} || ${column}`

type Rows<O> = SelectQueryBuilder<never, never, O> | SelectQueryBuilder<any, any, O> // oxlint-disable-line no-explicit-any -- any table will do

const PIECE = 1 << 20

/**
 * All rows of a query as the bytes of a JSON array; PostgreSQL makes each row's JSON (architecture, Lists kept ready). Taken row by row as they
 * come, so that a list of 60 MB never stands in memory as text as well.
 */
export const jsonListBytes = async <O>(pool: Pool, rows: Compilable<O>): Promise<Buffer> => {
  const { sql: text, parameters } = rows.compile()
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const pieces: Buffer[] = []
    let piece = '['
    const query = new pg.Query<{ json: string }>({
      text: `select to_json(row)::text as json from (${text}) as row`,
      values: [...parameters],
    })
    query.on('row', ({ json }) => {
      if (piece.length > PIECE) {
        pieces.push(Buffer.from(piece))
        piece = ''
      }
      piece += piece === '[' ? json : `,${json}`
    })
    const over = once(query, 'end')
    client.query(query)
    await over
    pieces.push(Buffer.from(`${piece}]`))
    return Buffer.concat(pieces)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
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
