import { createHash } from 'node:crypto'

import { type ByteChunks, toChunks } from './compression.ts'
import { buildGzip, type CompressedPart, toStoredPart, decompressPart } from './gzip-parts.ts'
import { listPacker } from './list-packer.ts'
import type { Piece } from './list-thread.ts'
import { nextTurn } from './time-slices.ts'

/** The JSON of a row; undefined if it no longer exists. */
export type RenderRow = (_id: string) => string | undefined

/** Rows or bytes compressed together: a change recompresses no more than that. Less than gzip's 32 kB window would compress badly. */
const ROWS_OF_PART = 64
const BYTES_OF_PART = 1 << 15
/** The thread gets this many parts at a time, so that a short list does not wait for all parts of a long one. */
const MAX_PENDING_PARTS = 16

/** A row with its rendered text, or as it is in a part. */
type Row = {
  readonly _id: string
  /** Its size in bytes. */
  readonly length: number
} & ({ readonly json: string } | { readonly part: Part; readonly start: number; readonly digest: Buffer })

/** Consecutive rows of the list. */
interface Part {
  readonly ids: readonly string[]
  readonly lengths: readonly number[]
  /** A short digest of each row, concatenated. */
  readonly digests: Buffer
  readonly bytes: CompressedPart
}

const DIGEST = 16
const COMMA = toStoredPart(',')
const OPEN = toStoredPart('[')
const CLOSE = toStoredPart(']')

const createPart = async (rows: readonly Row[]): Promise<Part> => {
  const olds: Part[] = []
  const pieces: Piece[] = []
  for (const row of rows) {
    if ('json' in row) {
      pieces.push(row.json)
      continue
    }
    if (!olds.includes(row.part)) olds.push(row.part)
    const [old, end] = [olds.indexOf(row.part), row.start + row.length]
    const last = pieces.at(-1)
    if (typeof last === 'object' && last.old === old && last.end + 1 === row.start) pieces[pieces.length - 1] = { ...last, end }
    else pieces.push({ old, start: row.start, end })
  }
  const lengths = rows.map(({ length }) => length)
  const length = lengths.reduce((sum, one) => sum + one, rows.length - 1)
  const ids = rows.map(({ _id }) => _id)
  const known = rows.map((row) => ('digest' in row ? row.digest : undefined))
  const { part, digests } = await listPacker.pack({ pieces, olds: olds.map(({ bytes }) => bytes.packed), length })
  let fresh = 0
  // A pooled buffer would keep its shared 64 kB alive.
  const all = Buffer.allocUnsafeSlow(ids.length * DIGEST)
  for (const [index, digest] of known.entries()) all.set(digest ?? digests[fresh++]?.subarray(0, DIGEST) ?? [], index * DIGEST)
  return { ids, lengths, digests: all, bytes: { ...part, packed: Buffer.from(part.packed.buffer) } }
}

const toRows = (part: Part): Row[] => {
  let start = 0
  return part.ids.map((_id, index) => {
    const length = part.lengths[index] ?? 0
    const row = { _id, length, part, start, digest: part.digests.subarray(index * DIGEST, (index + 1) * DIGEST) }
    start += length + 1
    return row
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
    this.#bytes += row.length
    if (this.#rows.length >= ROWS_OF_PART || this.#bytes >= BYTES_OF_PART) this.close()
  }

  /** Appends an existing part after everything added before. */
  take(part: Part): void {
    this.close()
    this.#parts.push(Promise.resolve(part))
  }

  close(): void {
    if (this.#rows.length === 0) return
    const rows = this.#rows
    const part = createPart(rows)
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

  /** The list after changes: the rows in `changed` are rendered again, and parts without any of them are kept. */
  async update(ids: readonly string[], changed: ReadonlySet<string>, render: RenderRow): Promise<RowList> {
    const partBeginningWith = new Map(this.#parts.map((part) => [part.ids[0], part]))
    const kept = new Set<Part>()
    const loose: string[] = []
    for (let at = 0; at < ids.length;) {
      const part = partBeginningWith.get(ids[at])
      if (part?.ids.every((_id, index) => ids[at + index] === _id && !changed.has(_id))) {
        kept.add(part)
        at += part.ids.length
      } else loose.push(ids[at++] ?? '')
    }
    const known = this.#parts.filter((part) => !kept.has(part)).flatMap(toRows)
    const rows = new Map(known.filter(({ _id }) => !changed.has(_id)).map((row) => [row._id, row]))
    const missing = loose.filter((_id) => !rows.has(_id))
    await renderRows(missing, render, (row) => rows.set(row._id, row))
    const builder = new PartBuilder()
    for (let at = 0; at < ids.length;) {
      const part = partBeginningWith.get(ids[at])
      if (part && kept.has(part)) {
        builder.take(part)
        at += part.ids.length
        continue
      }
      const row = rows.get(ids[at++] ?? '')
      if (row) builder.add(row)
      await builder.hasRoom()
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
    if (json !== undefined) take({ _id, json, length: Buffer.byteLength(json) })
    if (at % ROWS_OF_PART !== ROWS_OF_PART - 1) continue
    await nextTurn()
    await hasRoom?.()
  }
}
