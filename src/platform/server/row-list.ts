import { createHash } from 'node:crypto'
import { once } from 'node:events'

import { type SelectQueryBuilder, sql, type RawBuilder } from 'kysely'
import pg, { type Pool, type PoolClient } from 'pg'

import type { Db } from '../../database/connection.server.ts'
import type { ByteChunks } from '../../database/json.server.ts'
import type { Database } from '../../database/schema.ts'
import { freeMemory, toPieces } from './compression.ts'
import { buildGzip, type CompressedPart, compressPart, toStoredPart, decompressPart } from './gzip-parts.ts'
import type { RecordChange } from './record-change.ts'

type Table = keyof Database

/** Which rows of a list a change touches: a condition on the list's query. */
export type FindAffected = (change: RecordChange) => RawBuilder<boolean> | 'none'

/** A long list whose rows can be read one by one again. */
export interface RowSource {
  /** The table whose records its rows are. */
  readonly table: 'site' | 'person'
  // oxlint-disable-next-line no-explicit-any -- the columns of a row do not matter here
  readonly rows: (db: Db) => SelectQueryBuilder<any, any, { _id: string }>
  /** The tables on which it depends which rows there are and how they stand; a change of any other leaves them where they are. */
  readonly orderedBy: readonly Table[]
  /** What a change of a table touches of it; a change of any other table that it reads makes the whole list anew. */
  readonly findAffected: Partial<Record<Table, FindAffected>>
}

/** So many rows or so many bytes are packed together: a change packs no more than that again. Less than the 32 kB that gzip looks back would pack badly. */
const ROWS_OF_PART = 64
const BYTES_OF_PART = 1 << 16

interface Row {
  readonly _id: string
  /** As it came from the database, or as bytes of a part. */
  readonly json: string | Buffer
  /** Where it is known already. */
  readonly digest?: Buffer
}

/** Some rows of the list, one after the other. */
interface Part {
  readonly ids: readonly string[]
  readonly lengths: readonly number[]
  /** A short digest of each row, one after the other. */
  readonly digests: Buffer
  readonly bytes: CompressedPart
}

const DIGEST = 16
const computeDigest = (json: string | Buffer): Buffer => createHash('sha256').update(json).digest().subarray(0, DIGEST)
const SEPARATOR_PART = Buffer.from(',')
const COMMA = toStoredPart(',')
const OPEN = toStoredPart('[')
const CLOSE = toStoredPart(']')

const createPart = async (rows: readonly Row[]): Promise<Part> => {
  const lengths = rows.map(({ json }) => Buffer.byteLength(json))
  const plain = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, rows.length - 1))
  let at = 0
  for (const [index, { json }] of rows.entries()) {
    if (index > 0) at += SEPARATOR_PART.copy(plain, at)
    at += typeof json === 'string' ? plain.write(json, at) : json.copy(plain, at)
  }
  const bytes = await compressPart(plain)
  freeMemory(toPieces([plain]))
  return {
    ids: rows.map(({ _id }) => _id),
    lengths,
    digests: Buffer.concat(rows.map(({ json, digest }) => digest ?? computeDigest(json))),
    bytes,
  }
}

const parseRows = async ({ ids, lengths, digests, bytes }: Part): Promise<Row[]> => {
  const plain = await decompressPart(bytes)
  let at = 0
  return ids.map((_id, index) => {
    const length = lengths[index] ?? 0
    const json = plain.subarray(at, at + length)
    at += length + 1
    return { _id, json, digest: digests.subarray(index * DIGEST, (index + 1) * DIGEST) }
  })
}

/** Takes rows as they come and packs them in parts while more come. */
class PartBuilder {
  readonly #parts: Promise<Part>[] = []
  #rows: Row[] = []
  #bytes = 0

  add(row: Row): void {
    this.#rows.push(row)
    this.#bytes += Buffer.byteLength(row.json)
    if (this.#rows.length >= ROWS_OF_PART || this.#bytes >= BYTES_OF_PART) this.close()
  }

  /** Takes a part that is there already, after all that was added before. */
  take(part: Part): void {
    this.close()
    this.#parts.push(Promise.resolve(part))
  }

  close(): void {
    if (this.#rows.length === 0) return
    const part = createPart(this.#rows)
    part.catch(() => {}) // whoever asks for all of them hears of it
    this.#parts.push(part)
    this.#rows = []
    this.#bytes = 0
  }

  all(): Promise<Part[]> {
    this.close()
    return Promise.all(this.#parts)
  }
}

/** The rows of a list in their order, packed in parts. */
export class RowList {
  readonly #parts: readonly Part[]
  readonly etag: string
  /** Of the plain JSON. */
  readonly length: number

  private constructor(parts: readonly Part[]) {
    this.#parts = parts
    const hash = createHash('sha256')
    for (const { digests } of parts) hash.update(digests)
    this.etag = `"${hash.digest('base64url').slice(0, 27)}"`
    const commas = Math.max(0, parts.length - 1)
    this.length = parts.reduce((sum, { bytes }) => sum + bytes.length, 2 + commas)
  }

  get gzip(): ByteChunks {
    const parts = this.#parts.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [COMMA, bytes]))
    return toPieces(buildGzip([OPEN, ...parts, CLOSE]))
  }

  /** Its plain JSON, part by part, so that nobody needs to hold all of it at once. */
  async *plain(): AsyncGenerator<Buffer> {
    yield Buffer.from('[')
    for (const [at, { bytes }] of this.#parts.entries()) {
      if (at > 0) yield Buffer.from(',')
      yield await decompressPart(bytes)
    }
    yield Buffer.from(']')
  }

  /** The whole list, as the database has it now. */
  static async read(pool: Pool, db: Db, source: RowSource): Promise<RowList> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      const maker = new PartBuilder()
      await readRows(client, source.rows(db), (row) => maker.add(row))
      return new RowList(await maker.all())
    } catch (error) {
      broken = toError(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** The list after these changes: what they touched is read again, and the order of all, in one moment of the database. */
  async after(pool: Pool, db: Db, source: RowSource, changes: readonly RecordChange[]): Promise<RowList> {
    const conditions = changes.flatMap((change) => {
      const touched = source.findAffected[change.table]
      if (!touched || !change.hasRecordIds) return [undefined]
      const condition = touched(change)
      return condition === 'none' ? [] : [condition]
    })
    if (conditions.includes(undefined)) return RowList.read(pool, db, source)
    if (conditions.length === 0) return this
    const rows = source.rows(db)
    const touched = rows.where(sql<boolean>`(${sql.join(conditions as RawBuilder<boolean>[], sql` or `)})`)
    const fresh = new Map<string, Row>()
    let order = this.#parts.flatMap(({ ids }) => ids)
    const isMoved = changes.some(({ table }) => source.orderedBy.includes(table))
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin transaction isolation level repeatable read, read only')
      await readRows(client, touched, (row) => fresh.set(row._id, row))
      if (isMoved) {
        const { sql: text, parameters } = rows.clearSelect().select(`${source.table}._id`).compile()
        order = (await client.query<[string]>({ text, values: [...parameters], rowMode: 'array' })).rows.map(([_id]) => _id)
      }
      await client.query('commit')
    } catch (error) {
      broken = toError(error)
      throw error
    } finally {
      client.release(broken)
    }
    return (await this.#inOrder(order, fresh)) ?? RowList.read(pool, db, source)
  }

  /** The rows in this order, the fresh ones in place of those we had; undefined where a row is neither fresh nor ours. */
  async #inOrder(order: readonly string[], fresh: ReadonlyMap<string, Row>): Promise<RowList | undefined> {
    const partBeginningWith = new Map(this.#parts.map((part) => [part.ids[0] ?? '', part]))
    const stays = (part: Part, at: number): boolean => part.ids.every((_id, index) => order[at + index] === _id && !fresh.has(_id))
    const maker = new PartBuilder()
    const kept = new Set<Part>()
    const loose: number[] = []
    for (let at = 0; at < order.length;) {
      const part = partBeginningWith.get(order[at] ?? '')
      if (part && stays(part, at)) {
        kept.add(part)
        at += part.ids.length
      } else loose.push(at++)
    }
    const ours = new Map<string, Row>()
    const wanted = new Set(loose.map((at) => order[at] ?? '').filter((_id) => !fresh.has(_id)))
    for (const part of this.#parts) {
      if (kept.has(part) || !part.ids.some((_id) => wanted.has(_id))) continue
      for (const row of await parseRows(part)) ours.set(row._id, row)
    }
    for (let at = 0; at < order.length;) {
      const _id = order[at] ?? ''
      const part = partBeginningWith.get(_id)
      if (part && kept.has(part)) {
        maker.take(part)
        at += part.ids.length
        continue
      }
      const row = fresh.get(_id) ?? ours.get(_id)
      if (!row) return undefined
      maker.add(row)
      at++
    }
    return new RowList(await maker.all())
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Hands over the rows of a query one by one as they come, each as JSON that PostgreSQL made. */
const readRows = async (
  client: PoolClient,
  rows: { compile: () => { sql: string; parameters: readonly unknown[] } },
  take: (row: Row) => void,
): Promise<void> => {
  const { sql: text, parameters } = rows.compile()
  const query = new pg.Query<{ _id: string; json: string }>({
    text: `select row._id, to_json(row)::text as json from (${text}) as row`,
    values: [...parameters],
  })
  query.on('row', ({ _id, json }) => take({ _id, json }))
  const over = once(query, 'end')
  client.query(query)
  await over
}
