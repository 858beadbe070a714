import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { checkBackupFile, readBackupFile } from '../../../src/backup/backup-file.server.ts'
import { formatBackupName, getLastBackupTime } from '../../../src/backup/daily.server.ts'
import type { Db } from '../../../src/database/connection.server.ts'
import { checkConsistency, findLostSaves } from '../../support/writers/consistency.ts'
import type { AcknowledgedSave } from '../../support/writers/writers.ts'
import { type BackupRun, type TargetDatabase, PRIVATE, runCommandOrThrow } from './databases.ts'

/** A backup made during writes, and what was acknowledged before and during it. */
export interface BackupUnderLoad {
  readonly file: string
  readonly beganAt: number
  /** Pictures acknowledged before it started. */
  readonly pictures: readonly string[]
  /** The number of saves acknowledged while it was made. */
  readonly saves: number
}

/** Makes `count` backups in sequence during writes, over `seconds`. */
export const backUpUnderLoad = async ({ network, files }: BackupRun, count: number, seconds: number): Promise<BackupUnderLoad[]> => {
  const { writers, records, server } = network
  const backups: BackupUnderLoad[] = []
  const from = Date.now()
  const waitForTurn = (nth: number) => pause(Math.max(0, from + ((nth + 1) * seconds * 1000) / (count + 1) - Date.now()))
  for (let nth = 0; nth < count; nth++) {
    await waitForTurn(nth)
    const file = `${files} while written ${nth}`
    const [beganAt, pictures, before] = [Date.now(), [...records.pictures], writers.tally.acknowledged.length]
    await runCommandOrThrow('backup', file, server.environment)
    backups.push({ file, beganAt, pictures, saves: writers.tally.acknowledged.length - before })
  }
  await waitForTurn(count)
  return backups
}

/** The history rows in a backup, as written there. */
const readHistory = async (file: string): Promise<Set<string>> => {
  const lines = new Set<string>()
  let isHistory = false
  for await (const line of readBackupFile(file))
    if ('table' in line) isHistory = line.table === 'change'
    else if ('row' in line && isHistory) lines.add(line.row)
  return lines
}

/** Inconsistencies of a backup made during writes, as text. */
type BackupConsistency = Awaited<ReturnType<typeof checkBackup>>

/** Restores a backup into a new database, and compares it with what was acknowledged and with the final network. */
const checkBackup = async (
  { file, beganAt, pictures }: BackupUnderLoad,
  target: TargetDatabase,
  acknowledged: readonly AcknowledgedSave[],
  finalHistory: ReadonlySet<string>,
) => {
  await runCommandOrThrow('restore', file, target.settings)
  /** History rows that the network itself does not have. */
  const unknown = [...(await readHistory(file))].filter((line) => !finalHistory.has(line))
  return target.withDatabase(async (db) => {
    const before = acknowledged.filter(({ answeredAt }) => answeredAt < beganAt)
    const stored = await findStoredRequests(db, acknowledged)
    const newest = Math.max(0, ...acknowledged.filter(({ request }) => stored.has(request)).map(({ sentAt }) => sentAt))
    const earlier = acknowledged.filter(({ answeredAt }) => answeredAt >= beganAt && answeredAt < newest)
    /** Saves whose predecessors are missing although those were acknowledged first. */
    const outOfOrder = await findLostSaves(db, earlier)
    return { ...(await checkConsistency(db, before, pictures)), outOfOrder, unknown }
  })
}

const findStoredRequests = async (db: Db, acknowledged: readonly AcknowledgedSave[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ request: string }>`
    select distinct request from change where request = any(${acknowledged.map(({ request }) => request)})`.execute(db)
  return new Set(rows.map(({ request }) => request))
}

const DAY = 86_400_000
const OLDER = 9
const FOREIGN_FILE = 'homeroom-mine.backup'

/** Puts nine older daily backups and an unrelated file into a server's backup folder; returns their names, newest first. */
export const putOlderBackups = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'backups')
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: OLDER }, (_, days) => formatBackupName(new Date(Date.now() - (days + 2) * DAY)))
  for (const name of [...names, FOREIGN_FILE]) await writeFile(join(folder, name), 'of an earlier day')
  return names
}

const KEPT = 7
const DAILY_TIMEOUT_MS = 120_000

/** A server on an external database makes no backups: there is none after more than a minute. */
export const checkNoDaily = async ({ proof, source: { kind, settings } }: BackupRun): Promise<void> => {
  const { length } = await readdir(join(settings.DATA_DIR, 'backups')).catch((): string[] => [])
  proof.expectEqual(`${kind}: daily backups of a server without BACKUP_DIR`, length, 0)
}

/** Waits for the daily backup of a private database; returns it as one made during writes. */
export const checkDaily = async ({ proof, source }: BackupRun, older: readonly string[]): Promise<BackupUnderLoad[]> => {
  const { kind, settings } = source
  const folder = join(settings.DATA_DIR, 'backups')
  const isNew = (name: string): boolean => name > (older[0] ?? '') && name !== FOREIGN_FILE && name.endsWith('.backup')
  let name: string | undefined
  for (const until = Date.now() + DAILY_TIMEOUT_MS; name === undefined && Date.now() < until; await pause(500))
    name = (await readdir(folder)).find(isNew)
  proof.expectEqual(`${kind}: daily backups made by a server without any setting, during writes`, Number(name !== undefined), 1)
  if (name === undefined) return []
  await pause(1000)
  const kept = await readdir(folder)
  const backups = kept.filter((one) => one !== FOREIGN_FILE)
  proof.expectEqual(`${kind}: daily backups kept of these and ${OLDER} earlier ones`, backups.length, KEPT)
  const missing = [name, ...older.slice(0, KEPT - 1), FOREIGN_FILE].filter((one) => !kept.includes(one))
  proof.expectNone('of these, not the newest; or deleted files of another name', missing)
  const file = join(folder, name)
  await checkBackupFile(file)
  const beganAt = (await getLastBackupTime(folder)) ?? 0
  if (beganAt < Date.now() - DAY || (await stat(file)).size === 0) throw new Error(`${name} is no backup of today`)
  return [{ file, beganAt, pictures: [], saves: 0 }]
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/** Restores every backup made during writes, into each kind of target in turn, and reports inconsistencies. */
export const checkBackupsUnderLoad = async (run: BackupRun, backups: readonly BackupUnderLoad[]): Promise<void> => {
  const { proof, targets, network, atRest } = run
  const finalHistory = await readHistory(atRest)
  const results: BackupConsistency[] = []
  for (const [nth, backup] of backups.entries()) {
    const target = await targets.create(targets.kinds[nth % targets.kinds.length] ?? PRIVATE)
    results.push(await checkBackup(backup, target, network.writers.tally.acknowledged, finalHistory))
  }
  const format = (countOf: (result: BackupConsistency) => number): string => sum(results.map(countOf)).toLocaleString('en-US')
  const expectNone = (what: string, listOf: (result: BackupConsistency) => readonly string[]): void =>
    proof.expectNone(`${run.source.kind}: ${what}`, results.flatMap(listOf))
  proof.report(`${run.source.kind}: backups made during writes, each restored and checked`, backups.length)
  proof.expectAtLeast('saves acknowledged while they were made', sum(backups.map(({ saves }) => saves)), 1)
  proof.report('records and changes in them', `${format(({ rows }) => rows)} and ${format(({ changes }) => changes)}`)
  expectNone('writes acknowledged before a backup began and missing from it', ({ lost }) => lost)
  expectNone('writes in a backup that lacks an earlier acknowledged write', ({ outOfOrder }) => outOfOrder)
  expectNone('incomplete records', ({ incomplete }) => incomplete)
  expectNone('gaps between records, histories, search and files', ({ gaps }) => gaps)
  expectNone('changes in a backup that were never made', ({ unknown }) => unknown)
}
