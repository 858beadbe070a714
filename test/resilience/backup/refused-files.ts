import { existsSync } from 'node:fs'
import { copyFile, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { checkBackupFile, InvalidBackup } from '../../../src/backup/backup-file.server.ts'
import { restore } from '../../../src/backup/restore.server.ts'
import type { Db } from '../../../src/database/connection.server.ts'
import { countRows } from '../../support/database.ts'
import type { Proof } from '../../support/proof.ts'
import type { RunningProgram } from '../../support/server-process.ts'
import { type BackupRun, startCommand, type TargetDatabases, PRIVATE, runCommand, runCommandOrThrow } from './databases.ts'

/** A small backup is damaged at this many times more positions: with the default count, at all of them. */
const SMALL_FILE_FACTOR = 100

/**
 * A backup truncated or modified anywhere is refused before anything is opened: one of a whole network at many positions, a small one at all of them.
 */
export const checkDamagedFiles = async (proof: Proof, targets: TargetDatabases, folder: string, count: number): Promise<void> => {
  const small = join(folder, 'small.backup')
  const { settings } = await targets.create(PRIVATE)
  await runCommandOrThrow('backup', small, settings)
  for (const [what, file, positions] of [
    ['network', join(folder, `of ${PRIVATE}.backup`), count],
    ['new installation', small, count * SMALL_FILE_FACTOR],
  ] as const) {
    const { size } = await stat(file)
    const places = pickOffsets(size, positions)
    const taken = await damageAt(file, join(folder, 'damaged.backup'), places)
    proof.report(`Bytes of a backup of a ${what}`, size)
    proof.report('Times it was truncated or altered in one bit', 2 * places.length)
    proof.expectNone('of these, not refused before anything was opened', taken)
  }
}

/** `count` positions in a file, spread over all of it and including both ends, in descending order. */
const pickOffsets = (size: number, count: number): number[] => {
  const ends = Array.from({ length: Math.min(size, 64) }, (_, at) => [at, size - 1 - at]).flat()
  const spread = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * size) / count))
  return [...new Set([...ends, ...spread])].toSorted((a, b) => b - a)
}

/** Tries to open a file like `npm run restore`; returns whether it was refused before anything was opened. */
const isRefused = async (path: string): Promise<boolean> => {
  let isOpened = false
  const place = (): Promise<never> => {
    isOpened = true
    throw new Error('It was about to write')
  }
  const error: unknown = await restore(place, path).catch((reason: unknown) => reason)
  return error instanceof InvalidBackup && !isOpened
}

/**
 * Flips one bit at each position, and truncates the file at each of them, in a copy; the copy ends up empty. Returns descriptions of the damaged files
 * that were accepted.
 */
const damageAt = async (backup: string, copy: string, places: readonly number[]): Promise<string[]> => {
  await copyFile(backup, copy)
  await checkBackupFile(copy)
  const taken: string[] = []
  for (const [nth, at] of places.entries()) {
    await flipBit(copy, at, nth % 8)
    if (!(await isRefused(copy))) taken.push(`bit ${nth % 8} of byte ${at} altered`)
    await flipBit(copy, at, nth % 8)
  }
  await checkBackupFile(copy)
  for (const at of places) {
    await truncate(copy, at)
    if (!(await isRefused(copy))) taken.push(`cut off after ${at} bytes`)
  }
  return taken
}

/** Flips one bit of a file. */
const flipBit = async (path: string, at: number, bit: number): Promise<void> => {
  await using file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, at)
  await file.write(Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]), 0, 1, at)
}

const alterAt = (whole: Buffer, at: number): Buffer => {
  const altered = Buffer.from(whole)
  altered.writeUInt8(altered.readUInt8(at) ^ 8, at)
  return altered
}
const listDamages = (whole: Buffer): (Buffer | string)[] => {
  const { length } = whole
  return [
    ...[0, 10, 18, 60, Math.floor(length / 3), length - 33, length - 1].map((end) => whole.subarray(0, end)),
    ...[0, 30, Math.floor(length / 2), length - 40, length - 1].map((at) => alterAt(whole, at)),
    Buffer.concat([whole, Buffer.from('\n')]),
    Buffer.concat([whole, whole]),
    'PK\u0003\u0004 a workbook',
  ]
}

/** The same through the command: it prints one line, and the target stays untouched. */
export const checkDamagedRestores = async ({ proof, targets, atRest: file }: BackupRun): Promise<void> => {
  const damages = listDamages(await readFile(file))
  const damaged = `${file}.damaged`
  const untouched = await Promise.all(targets.kinds.map((kind) => targets.create(kind)))
  const wrong: string[] = []
  for (const [nth, bytes] of damages.entries()) {
    await writeFile(damaged, bytes)
    for (const target of untouched) {
      const { code, printed } = await runCommand('restore', damaged, target.settings)
      const traces = await target.traces()
      const isRefused = code === 1 && /^(The backup is cut off.*|This file is not a Homeroom backup)$/.test(printed)
      if (!isRefused || traces.length > 0) wrong.push(`${nth} into ${target.kind}: ${code} ${printed}; there is ${traces.join(', ')}`)
    }
  }
  await rm(damaged)
  proof.report(`Restores of a truncated or altered backup, by the command`, damages.length * untouched.length)
  proof.expectNone('of these, without a refusal in one line, or with anything written', wrong)
}

/** Starts a command `count` times and kills it with -9, at times spread over its usual duration; yields after each. */
async function* killWhileRunning(ms: number, count: number, start: (nth: number) => RunningProgram): AsyncGenerator<number> {
  for (let nth = 0; nth < count; nth++) {
    const program = start(nth)
    await pause((ms * (nth + 0.7)) / count)
    program.child.kill('SIGKILL')
    await program.ended
    yield nth
  }
}

/** `kill -9` during a backup leaves a complete file under its name, or none. */
export const killBackups = async ({ proof, source, files, network }: BackupRun, count: number): Promise<void> => {
  const settings = network.server.environment
  const ms = await runCommandOrThrow('backup', `${files} to be timed`, settings)
  const toFile = (nth: number): string => `${files} killed ${nth}`
  let [whole, broken] = [0, 0]
  for await (const nth of killWhileRunning(ms, count, (one) => startCommand('backup', toFile(one), settings))) {
    if (!existsSync(toFile(nth))) continue
    const error: unknown = await checkBackupFile(toFile(nth)).catch((reason: unknown) => reason)
    if (error === undefined) whole++
    else broken++
  }
  proof.report(`${source.kind}: backups killed with -9 while they ran`, count)
  proof.report('of these, after the file was complete', whole)
  proof.expectEqual('of these, with a partial file under the final name', broken, 0)
}

/** Tables that are empty in a new installation. */
const RECORDS = ['brand', 'charter', 'site', 'person', 'account', 'picture', 'request', 'setting', 'session', 'picture_size'] as const
const NO_RECORDS = RECORDS.map((table) => `${table} 0`).join(', ')
const countRecords = async (db: Db): Promise<string> => {
  const counts = RECORDS.map(async (table) => {
    // If a restore was killed before the tables were created, there are none.
    const { rows } = await sql<{ there: boolean }>`select to_regclass(${`public.${table}`}) is not null as there`.execute(db)
    if (rows[0]?.there !== true) return `${table} 0`
    return `${table} ${await countRows(db, table)}`
  })
  return (await Promise.all(counts)).join(', ')
}

/** `kill -9` during a restore leaves all or nothing, and the target can be restored into again. */
export const killRestores = async ({ proof, targets, atRest: file }: BackupRun, count: number): Promise<void> => {
  for (const kind of targets.kinds) {
    const timed = await targets.create(kind)
    const ms = await runCommandOrThrow('restore', file, timed.settings)
    const expected = await timed.withDatabase(countRecords)
    let target = await targets.create(kind)
    let [part, whole] = [0, 0]
    for await (const _ of killWhileRunning(ms, count, () => startCommand('restore', file, target.settings))) {
      if ((await target.traces()).length === 0) continue
      const found = await target.withDatabase(countRecords)
      if (found === expected) {
        whole++
        target = await targets.create(kind)
      } else if (found !== NO_RECORDS) part++
    }
    await runCommandOrThrow('restore', file, target.settings)
    proof.report(`${kind}: restores into one database killed with -9 while they ran`, count)
    proof.report('of these, after the restore was complete', whole)
    proof.expectEqual('of these, with a part of the network restored', part, 0)
    proof.expectEqual('the next restore there is complete', Number((await target.withDatabase(countRecords)) === expected), 1)
  }
}
