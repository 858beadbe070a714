import { createHash } from 'node:crypto'

import { type ByteChunks, freeMemory, toChunks } from './compression.ts'
import { buildGzip, type CompressedPart, compressPart, toStoredPart, decompressPart } from './gzip-parts.ts'
import { nextTurn } from './time-slices.ts'

/** The JSON of a row; undefined if it no longer exists. */
export type RenderRow = (_id: string) => string | undefined

/** Rows or bytes compressed together: a change recompresses no more than that. Less than gzip's 32 kB window would compress badly. */
const ROWS_OF_PART = 64
const BYTES_OF_PART = 1 << 16
const MAX_PENDING_PARTS = 8

interface Row {
  readonly _id: string
  /** The rendered text, or its bytes in a part. */
  readonly json: string | Buffer
  /** Set if already known. */
  readonly digest?: Buffer
}

/** Consecutive rows of the list. */
interface Part {
  readonly ids: readonly string[]
  readonly lengths: readonly number[]
  /** A short digest of each row, concatenated. */
  readonly digests: Buffer
  readonly bytes: CompressedPart
}

const DIGEST = 16
const computeDigest = (json: string | Buffer): Buffer => createHash('sha256').update(json).digest().subarray(0, DIGEST)
const SEPARATOR_PART = Buffer.from(',')
const COMMA = toStoredPart(',')
const OPEN = toStoredPart('[')
const CLOSE = toStoredPart(']')

/** Copies the rows before it waits, so that their texts can be freed while the part is compressed. */
const createPart = (rows: readonly Row[]): Promise<Part> => {
  const lengths = rows.map(({ json }) => Buffer.byteLength(json))
  const plain = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, rows.length - 1))
  let at = 0
  for (const [index, { json }] of rows.entries()) {
    if (index > 0) at += SEPARATOR_PART.copy(plain, at)
    at += typeof json === 'string' ? plain.write(json, at) : json.copy(plain, at)
  }
  // A pooled buffer would keep its shared 64 kB alive.
  const digests = Buffer.allocUnsafeSlow(rows.length * DIGEST)
  for (const [index, { json, digest }] of rows.entries()) (digest ?? computeDigest(json)).copy(digests, index * DIGEST)
  const ids = rows.map(({ _id }) => _id)
  return packPart({ ids, lengths, digests }, plain)
}

const packPart = async (part: Omit<Part, 'bytes'>, plain: Buffer): Promise<Part> => {
  const bytes = await compressPart(plain)
  freeMemory(toChunks([plain]))
  return { ...part, bytes }
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

/** Collects rows and compresses them in parts while more arrive. */
class PartBuilder {
  readonly #parts: Promise<Part>[] = []
  readonly #pending = new Set<Promise<unknown>>()
  #rows: Row[] = []
  #bytes = 0

  add(row: Row): void {
    this.#rows.push(row)
    this.#bytes += Buffer.byteLength(row.json)
    if (this.#rows.length >= ROWS_OF_PART || this.#bytes >= BYTES_OF_PART) this.close()
  }

  /** Appends an existing part after everything added before. */
  take(part: Part): void {
    this.close()
    this.#parts.push(Promise.resolve(part))
  }

  close(): void {
    if (this.#rows.length === 0) return
    const part = createPart(this.#rows)
    const ended = part
      .catch(() => {}) // the caller that reads all parts gets the error
      .finally(() => this.#pending.delete(ended))
    this.#pending.add(ended)
    this.#parts.push(part)
    this.#rows = []
    this.#bytes = 0
  }

  /** Waits while many parts are being compressed: rendering is faster, and would hold the whole list in memory. */
  async hasRoom(): Promise<void> {
    while (this.#pending.size >= MAX_PENDING_PARTS) await Promise.race(this.#pending)
  }

  all(): Promise<Part[]> {
    this.close()
    return Promise.all(this.#parts)
  }
}

/** The rows of a list in order, compressed in parts. */
export class RowList {
  readonly #parts: readonly Part[]
  readonly etag: string
  /** The size of the uncompressed JSON. */
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
    return toChunks(buildGzip([OPEN, ...parts, CLOSE]))
  }

  /** Its uncompressed JSON, part by part, so that not all of it is in memory at the same time. */
  async *plain(): AsyncGenerator<Buffer> {
    yield Buffer.from('[')
    for (const [at, { bytes }] of this.#parts.entries()) {
      if (at > 0) yield Buffer.from(',')
      yield await decompressPart(bytes)
    }
    yield Buffer.from(']')
  }

  /** Builds the list of these ids, in order. */
  static async build(ids: readonly string[], render: RenderRow): Promise<RowList> {
    const builder = new PartBuilder()
    await renderRows(
      ids,
      render,
      (row) => builder.add(row),
      () => builder.hasRoom(),
    )
    return new RowList(await builder.all())
  }

  /** The list after changes: the rows in `changed` are rendered again. */
  async update(ids: readonly string[], changed: ReadonlySet<string>, render: RenderRow): Promise<RowList> {
    const fresh = new Map<string, Row>()
    const known = new Set(this.#parts.flatMap((part) => part.ids))
    const missing = ids.filter((_id) => changed.has(_id) || !known.has(_id))
    await renderRows(missing, render, (row) => fresh.set(row._id, row))
    const existing = missing.length === fresh.size ? ids : ids.filter((_id) => fresh.has(_id) || (known.has(_id) && !changed.has(_id)))
    return this.#inOrder(existing, fresh)
  }

  /** The rows in this order, with the fresh ones replacing the previous. */
  async #inOrder(order: readonly string[], fresh: ReadonlyMap<string, Row>): Promise<RowList> {
    const partBeginningWith = new Map(this.#parts.map((part) => [part.ids[0] ?? '', part]))
    const isUnchanged = (part: Part, at: number): boolean => part.ids.every((_id, index) => order[at + index] === _id && !fresh.has(_id))
    const builder = new PartBuilder()
    const unchangedParts = new Set<Part>()
    const looseIndexes: number[] = []
    for (let at = 0; at < order.length;) {
      const part = partBeginningWith.get(order[at] ?? '')
      if (part && isUnchanged(part, at)) {
        unchangedParts.add(part)
        at += part.ids.length
      } else looseIndexes.push(at++)
    }
    const unpackedRows = new Map<string, Row>()
    const neededIds = new Set(looseIndexes.map((at) => order[at] ?? '').filter((_id) => !fresh.has(_id)))
    for (const part of this.#parts) {
      if (unchangedParts.has(part) || !part.ids.some((_id) => neededIds.has(_id))) continue
      for (const row of await parseRows(part)) unpackedRows.set(row._id, row)
    }
    for (let at = 0; at < order.length;) {
      const _id = order[at] ?? ''
      const part = partBeginningWith.get(_id)
      if (part && unchangedParts.has(part)) {
        builder.take(part)
        at += part.ids.length
        continue
      }
      const row = fresh.get(_id) ?? unpackedRows.get(_id)
      if (!row) throw new Error(`Row ${_id} is neither new nor known`)
      builder.add(row)
      at++
    }
    return new RowList(await builder.all())
  }
}

/** Renders rows, yielding to the event loop regularly. */
const renderRows = async (
  ids: readonly string[],
  render: RenderRow,
  take: (row: Row) => void,
  hasRoom?: () => Promise<void>,
): Promise<void> => {
  for (const [at, _id] of ids.entries()) {
    const json = render(_id)
    if (json !== undefined) take({ _id, json })
    if (at % ROWS_OF_PART !== ROWS_OF_PART - 1) continue
    await nextTurn()
    await hasRoom?.()
  }
}
