import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { syncFolder } from '../platform/server/folder-sync.ts'
import { DecryptionError, decryptBytes, encryptBytes, isEncryptedFile } from './encryption.server.ts'

/** An invalid backup file; the message is for the person who restores it. */
export class InvalidBackup extends Error {
  override readonly name = 'NoBackup'
}

/** The first bytes of a backup, which name its format. */
const MAGIC = Buffer.from('HOMEROOM BACKUP 1\n')
/** The last bytes: the SHA-256 of all before them. */
const CHECKSUM_BYTES = 32

/** The first line of a backup: its schema version. */
export interface BackupHead {
  readonly madeAt: string
  /** The migrations that were applied to the database. */
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

async function* toTexts(lines: AsyncIterable<BackupLine>): AsyncGenerator<string> {
  for await (const line of lines) yield formatLine(line)
}

/** The bytes of a backup, including its checksum. */
async function* toBytes(lines: AsyncIterable<BackupLine>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(MAGIC)
  yield MAGIC
  const gzip = createGzip({ level: 6 })
  const compressing = pipeline(toTexts(lines), gzip)
  compressing.catch(() => {}) // the loop below throws the error
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  await compressing
  yield hash.digest()
}

/** Writes a backup atomically: to a temporary file that is renamed at the end. With a passphrase it is encrypted. */
export const writeBackupFile = async (path: string, lines: AsyncIterable<BackupLine>, passphrase?: string): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.unfinished`
  const bytes = toBytes(lines)
  try {
    await pipeline(
      passphrase === undefined ? bytes : encryptBytes(bytes, passphrase),
      createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }),
    )
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The bytes of a file, decrypted if it is encrypted. */
async function* readPlainBytes(path: string, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const bytes = createReadStream(path) as AsyncIterable<Buffer>
  if (!(await isEncryptedFile(path))) return yield* bytes
  if (passphrase === undefined) throw new InvalidBackup('The backup is encrypted; set BACKUP_PASSPHRASE to the one it was made with')
  try {
    yield* decryptBytes(bytes, passphrase)
  } catch (error) {
    throw error instanceof DecryptionError ? new InvalidBackup(CANNOT_DECRYPT) : error
  }
}
const CANNOT_DECRYPT = 'The backup cannot be decrypted: BACKUP_PASSPHRASE is not the one it was made with, or the file was altered'

/** Passes on all bytes except the last ones, which `onChecksum` receives. */
async function* withoutChecksum(bytes: AsyncIterable<Buffer>, onChecksum: (checksum: Buffer) => void): AsyncGenerator<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = Buffer.concat([last, chunk])
    const end = Math.max(all.length - CHECKSUM_BYTES, 0)
    if (end > 0) yield all.subarray(0, end)
    last = all.subarray(end)
  }
  onChecksum(last)
}

/** Reads a whole backup and compares its checksum; throws if it is damaged, before any of its content is used. */
export const checkBackupFile = async (path: string, passphrase?: string): Promise<void> => {
  const hash = createHash('sha256')
  let checksum: Buffer = Buffer.alloc(0)
  let first: Buffer = Buffer.alloc(0)
  let size = 0
  const isEncrypted = await isEncryptedFile(path)
  for await (const chunk of withoutChecksum(readPlainBytes(path, passphrase), (found) => (checksum = found))) {
    if (first.length < MAGIC.length) first = Buffer.concat([first, chunk]).subarray(0, MAGIC.length)
    if (first.length === MAGIC.length && !first.equals(MAGIC)) break
    hash.update(chunk)
    size += chunk.length
  }
  // A short file contains nothing but its checksum.
  const beginning = first.length < MAGIC.length ? Buffer.concat([first, checksum]).subarray(0, MAGIC.length) : first
  if (!beginning.equals(MAGIC)) throw new InvalidBackup(isEncrypted ? CANNOT_DECRYPT : 'This file is not a Homeroom backup')
  if (size <= MAGIC.length) throw new InvalidBackup('The backup is cut off')
  if (!checksum.equals(hash.digest())) throw new InvalidBackup('The backup is cut off, or was altered after it was made')
}

const LINE_FEED = 10

/** Splits at line feeds only: text may contain other characters that line readers treat as line ends. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let unfinishedLine: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...unfinishedLine, chunk.subarray(from, at)]).toString()
      unfinishedLine = []
      from = at + 1
    }
    if (from < chunk.length) unfinishedLine.push(chunk.subarray(from))
  }
  if (unfinishedLine.length > 0) throw new InvalidBackup('The backup ends in the middle of a line')
}

/** Everything between the first line of a backup and its checksum. */
async function* readContents(path: string, passphrase: string | undefined): AsyncGenerator<Buffer> {
  let toSkip = MAGIC.length
  for await (const chunk of withoutChecksum(readPlainBytes(path, passphrase), () => {})) {
    yield chunk.subarray(toSkip)
    toSkip = Math.max(toSkip - chunk.length, 0)
  }
}

/** The lines of a backup that has been verified. */
export async function* readBackupFile(path: string, passphrase?: string): AsyncGenerator<BackupLine> {
  const out = new PassThrough()
  const reading = pipeline(readContents(path, passphrase), createGunzip(), out)
  reading.catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const line of splitLines(out)) {
    if (line.startsWith('r')) yield { row: line.slice(1) }
    else yield JSON.parse(line.slice(1)) as Exclude<BackupLine, { row: string }>
  }
  await reading
}
