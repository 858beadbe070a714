import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'

/** A file of an archive: its text or bytes in chunks, requested when the file is written. */
export interface ZipEntry {
  readonly name: string
  readonly text: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
}

/** The maximum size in an archive without ZIP64. */
const MAX_BYTES = 0xffff_ffff
/** January 1, 1980, the first day that ZIP can represent. */
const FIRST_DAY = 33
/** Sizes follow the entry's data; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20

interface WrittenEntry {
  readonly name: Buffer
  readonly at: number
  crc: number
  packed: number
  size: number
}

const toBytes = (length: number, fields: readonly (readonly [at: number, value: number, bytes: 2 | 4])[]): Buffer => {
  const bytes = Buffer.alloc(length)
  for (const [at, value, size] of fields) {
    if (size === 2) bytes.writeUInt16LE(value, at)
    else bytes.writeUInt32LE(value, at)
  }
  return bytes
}

const buildHeader = ({ name }: WrittenEntry): Buffer =>
  Buffer.concat([
    toBytes(30, [
      [0, 0x04034b50, 4],
      [4, VERSION, 2],
      [6, FLAGS, 2],
      [8, DEFLATED, 2],
      [12, FIRST_DAY, 2],
      [26, name.length, 2],
    ]),
    name,
  ])

const buildDescriptor = ({ crc, packed, size }: WrittenEntry): Buffer =>
  toBytes(16, [
    [0, 0x08074b50, 4],
    [4, crc, 4],
    [8, packed, 4],
    [12, size, 4],
  ])

const buildDirectoryEntry = ({ name, at, crc, packed, size }: WrittenEntry): Buffer =>
  Buffer.concat([
    toBytes(46, [
      [0, 0x02014b50, 4],
      [4, VERSION, 2],
      [6, VERSION, 2],
      [8, FLAGS, 2],
      [10, DEFLATED, 2],
      [14, FIRST_DAY, 2],
      [16, crc, 4],
      [20, packed, 4],
      [24, size, 4],
      [28, name.length, 2],
      [42, at, 4],
    ]),
    name,
  ])

const buildEnd = (entries: number, length: number, at: number): Buffer =>
  toBytes(22, [
    [0, 0x06054b50, 4],
    [8, entries, 2],
    [10, entries, 2],
    [12, length, 4],
    [16, at, 4],
  ])

/** Longer chunks get a larger buffer. */
const SCRATCH = 65_536

/**
 * Writes text to the compressor through one buffer: a new one for each chunk would leave hundreds for the garbage collector, which would dominate
 * memory use here.
 */
const deflate = async (text: ZipEntry['text'], entry: WrittenEntry, into: DeflateRaw): Promise<void> => {
  let scratch = Buffer.allocUnsafeSlow(SCRATCH)
  for await (const chunk of text) {
    if (typeof chunk === 'string' && chunk.length * 3 > scratch.length) scratch = Buffer.allocUnsafeSlow(chunk.length * 3)
    const bytes = typeof chunk === 'string' ? scratch.subarray(0, scratch.write(chunk)) : chunk
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    await new Promise<void>((resolve, reject) => {
      into.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
  into.end()
}

/**
 * A ZIP archive as a stream. No entry is kept in memory: each is read as fast as the output is consumed, and reading stops when consumption does. The
 * list of entries comes last, so a truncated archive is invalid.
 */
export async function* createZip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const all: WrittenEntry[] = []
  let at = 0
  for (const { name, text } of entries) {
    const entry: WrittenEntry = { name: Buffer.from(name), at, crc: 0, packed: 0, size: 0 }
    all.push(entry)
    const head = buildHeader(entry)
    yield head
    const deflated = createDeflateRaw({ chunkSize: 32_768 })
    // An error of the text is thrown by the compressed stream; if that is no longer read, its next write fails, and the text ends.
    deflate(text, entry, deflated).catch((error: unknown) => deflated.destroy(error instanceof Error ? error : new Error(String(error))))
    for await (const chunk of deflated as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      yield chunk
    }
    at += head.length + entry.packed + 16
    if (entry.size > MAX_BYTES || at > MAX_BYTES) throw new Error(`${name} is too large for an archive`)
    yield buildDescriptor(entry)
  }
  const list = Buffer.concat(all.map(buildDirectoryEntry))
  yield Buffer.concat([list, buildEnd(all.length, list.length, at)])
}
