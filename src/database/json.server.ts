import { once } from 'node:events'

import { type Compilable, sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import pg, { type Pool } from 'pg'

import { toPictureUrl } from '../contract/fields.ts'
import type { Queryable } from './connection.server.ts'

/** A moment as JSON has it: ISO 8601 in UTC, to the millisecond. */
export const toIsoTimestamp = <T extends Date | null>(column: Expression<T>): RawBuilder<T extends null ? string | null : string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A picture's address from its id, or null. */
export const selectPictureUrl = (column: Expression<string | null>): RawBuilder<string | null> =>
  sql`${sql.lit(toPictureUrl(''))} || ${column}`

type RowsQuery<O> = SelectQueryBuilder<never, never, O> | SelectQueryBuilder<any, any, O> // oxlint-disable-line no-explicit-any -- any table will do

/** Bytes in pieces, as they came: a long list in one piece would have to be in memory twice while it is put together. */
export interface ByteChunks {
  readonly pieces: readonly Buffer[]
  readonly length: number
}

const CHUNK_BYTES = 1 << 20
/**
 * From here on pieces are so big that the C library takes each of them from the system and gives it back there when it is freed; smaller ones it
 * keeps. What is not written to of a piece costs no memory.
 */
const LARGE_LIST_BYTES = 4 << 20
const LARGE_CHUNK_BYTES = 36 << 20
/** At first a short list should not take a long piece. */
const FIRST_CHUNK_BYTES = 64 << 10

class ChunkCollector {
  readonly #full: Buffer[] = []
  #piece = Buffer.allocUnsafeSlow(FIRST_CHUNK_BYTES)
  #at = 0
  #length = 0

  add(text: string): void {
    // A character is three bytes at most for each of its places in the text.
    if (this.#piece.length - this.#at < text.length * 3) {
      const needed = Buffer.byteLength(text)
      if (this.#piece.length - this.#at < needed) {
        this.#full.push(this.#piece.subarray(0, this.#at))
        this.#piece = Buffer.allocUnsafeSlow(Math.max(this.#length < LARGE_LIST_BYTES ? CHUNK_BYTES : LARGE_CHUNK_BYTES, needed))
        this.#at = 0
      }
    }
    const written = this.#piece.write(text, this.#at)
    this.#at += written
    this.#length += written
  }

  /** What was collected; the last piece gives back what it does not need. */
  finish(): ByteChunks {
    if (this.#length >= LARGE_LIST_BYTES) return { pieces: [...this.#full, this.#piece.subarray(0, this.#at)], length: this.#length }
    const last = Buffer.allocUnsafeSlow(this.#at)
    this.#piece.copy(last, 0, 0, this.#at)
    return { pieces: [...this.#full, last], length: this.#length }
  }
}

/**
 * All rows of a query as the bytes of a JSON array; PostgreSQL makes each row's JSON (architecture, Lists kept ready). Taken row by row as they
 * come, so that a list of 60 MB never stands in memory as text as well.
 */
export const readJsonListBytes = async <O>(pool: Pool, rows: Compilable<O>): Promise<ByteChunks> => {
  const { sql: text, parameters } = rows.compile()
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const list = new ChunkCollector()
    let between = '['
    const query = new pg.Query<{ json: string }>({
      text: `select to_json(row)::text as json from (${text}) as row`,
      values: [...parameters],
    })
    query.on('row', ({ json }) => {
      list.add(between)
      list.add(json)
      between = ','
    })
    const over = once(query, 'end')
    client.query(query)
    await over
    list.add(between === '[' ? '[]' : ']')
    return list.finish()
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/** The one row of a query, through the same JSON as the lists, so that a record reads the same everywhere; undefined for none. */
export const readJsonRow = async <O>(db: Queryable, rows: RowsQuery<O>): Promise<O | undefined> => {
  const { rows: answer } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return answer[0]?.json
}

/** All rows of a query through the same JSON. */
export const readJsonRows = async <O>(db: Queryable, rows: RowsQuery<O>): Promise<O[]> => {
  const { rows: answer } = await sql<{ json: O }>`select to_json(row) as json from (${rows}) as row`.execute(db)
  return answer.map(({ json }) => json)
}
