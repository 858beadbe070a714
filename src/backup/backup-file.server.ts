import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { syncFolder } from '../platform/server/folder-sync.ts'

/** What is wrong with a file that should be a backup, in words for the person who restores it. */
export class InvalidBackup extends Error {
  override readonly name = 'NoBackup'
}

/** The first bytes of a backup, which name its format. */
const MAGIC = Buffer.from('HOMEROOM BACKUP 1\n')
/** The last bytes: the SHA-256 of all before them. */
const CHECKSUM_BYTES = 32

/** The first line of a backup: of what version of the tables it is. */
export interface BackupHead {
  readonly madeAt: string
  /** The migrations the tables had gone through. */
  readonly migrations: readonly string[]
}
/** The line before a table's rows. */
export interface BackupTable {
  readonly table: string
  readonly columns: readonly string[]
}
/** A line of a backup: its head, a table, or a row of the table before it as JSON text. */
export type BackupLine = { readonly head: BackupHead } | BackupTable | { readonly row: string }

const formatLine = (line: BackupLine): string => ('row' in line ? `r${line.row}\n` : `h${JSON.stringify(line)}\n`)

/** Passes bytes on and counts them into a hash. */
class HashingStream extends Transform {
  readonly #hash: Hash
  constructor(hash: Hash) {
    super()
    this.#hash = hash
  }
  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.#hash.update(piece)
    done(null, piece)
  }
}

/** Writes a backup whole or not at all: beside its name first, then under it. */
export const writeBackupFile = async (path: string, lines: AsyncIterable<BackupLine>): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.unfinished`
  const hash = createHash('sha256').update(MAGIC)
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' })
    file.write(MAGIC)
    async function* texts(): AsyncGenerator<string> {
      for await (const line of lines) yield formatLine(line)
    }
    await pipeline(texts, createGzip({ level: 6 }), new HashingStream(hash), file)
    const handle = await open(unfinished, 'a')
    try {
      await handle.write(hash.digest())
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Reads a backup from end to end and compares its seal; throws what is wrong with it before anybody has used a byte of it. */
export const checkBackupFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const first = Buffer.alloc(MAGIC.length)
    await handle.read(first, 0, first.length, 0)
    if (!first.equals(MAGIC)) throw new InvalidBackup('This file is no backup of Homeroom’s')
    if (size <= MAGIC.length + CHECKSUM_BYTES) throw new InvalidBackup('The backup is cut off')
    const hash = createHash('sha256')
    for await (const piece of handle.createReadStream({ start: 0, end: size - CHECKSUM_BYTES - 1, autoClose: false }))
      hash.update(piece as Buffer)
    const checksum = Buffer.alloc(CHECKSUM_BYTES)
    await handle.read(checksum, 0, CHECKSUM_BYTES, size - CHECKSUM_BYTES)
    if (!checksum.equals(hash.digest())) throw new InvalidBackup('The backup is cut off, or was altered after it was made')
  } finally {
    await handle.close()
  }
}

const LINE_FEED = 10

/** Lines by line feeds alone: a text may hold other characters that readers of lines take for their end. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let unfinishedLine: Buffer[] = []
  for await (const piece of chunks) {
    let from = 0
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...unfinishedLine, piece.subarray(from, at)]).toString()
      unfinishedLine = []
      from = at + 1
    }
    if (from < piece.length) unfinishedLine.push(piece.subarray(from))
  }
  if (unfinishedLine.length > 0) throw new InvalidBackup('The backup ends in the middle of a line')
}

/** The lines of a backup that was checked. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupLine> {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  await handle.close()
  const out = new PassThrough()
  const reading = pipeline(createReadStream(path, { start: MAGIC.length, end: size - CHECKSUM_BYTES - 1 }), createGunzip(), out)
  reading.catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const line of splitLines(out)) {
    if (line.startsWith('r')) yield { row: line.slice(1) }
    else yield JSON.parse(line.slice(1)) as Exclude<BackupLine, { row: string }>
  }
  await reading
}
