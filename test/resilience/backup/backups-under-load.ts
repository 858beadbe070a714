import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { checkBackupFile, readBackupFile } from '../../../src/backup/backup-file.server.ts'
import { formatBackupName, getLastBackupTime } from '../../../src/backup/daily.server.ts'
import type { Db } from '../../../src/database/connection.server.ts'
import type { Proof } from '../../support/proof.ts'
import { checkConsistency, findLostSaves, findLostPictures } from '../../support/writers/consistency.ts'
import type { NetworkUnderLoad } from '../../support/writers/network-under-load.ts'
import type { AcknowledgedSave } from '../../support/writers/writers.ts'
import { type TargetDatabase, type TargetDatabases, PRIVATE, runCommandOrThrow } from './databases.ts'

/** A backup made during writes, and what was acknowledged before and during it. */
export interface LoadedBackup {
  readonly file: string
  readonly beganAt: number
  /** Pictures acknowledged before it started. */
  readonly pictures: readonly string[]
  /** Saves acknowledged while it was made. */
  readonly savesMeanwhile: number
}

/** Makes `count` backups in sequence during writes, over `seconds`. */
export const backUpWhileWritten = async (
  { writers, records, environment }: NetworkUnderLoad,
  files: string,
  { backups: count, seconds }: { readonly backups: number; readonly seconds: number },
): Promise<LoadedBackup[]> => {
  const made: LoadedBackup[] = []
  const from = Date.now()
  const waitForTurn = (nth: number) => pause(Math.max(0, from + ((nth + 1) * seconds * 1000) / (count + 1) - Date.now()))
  for (let nth = 0; nth < count; nth++) {
    await waitForTurn(nth)
    const file = `${files} while written ${nth}`
    const [beganAt, pictures, before] = [Date.now(), [...records.pictures], writers.tally.acknowledged.length]
    await runCommandOrThrow('backup', file, environment)
    made.push({ file, beganAt, pictures, savesMeanwhile: writers.tally.acknowledged.length - before })
  }
  await waitForTurn(count)
  return made
}

/** Inconsistencies of a backup made during writes, as text. */
export interface Consistency {
  readonly lost: readonly string[]
  /** Saves whose predecessors are missing although those were acknowledged first. */
  readonly notOneMoment: readonly string[]
  readonly incomplete: readonly string[]
  readonly gaps: readonly string[]
  /** History rows that the network itself does not have. */
  readonly neverWas: readonly string[]
  readonly rows: number
  readonly changes: number
}

/** The history rows in a backup, as written there. */
export const readHistory = async (file: string): Promise<Set<string>> => {
  const lines = new Set<string>()
  let isHistory = false
  for await (const line of readBackupFile(file))
    if ('table' in line) isHistory = line.table === 'change'
    else if ('row' in line && isHistory) lines.add(line.row)
  return lines
}

/** Restores a backup into a new database, and compares it with what was acknowledged and with the final network. */
export const checkBackup = async (
  { file, beganAt, pictures }: LoadedBackup,
  place: TargetDatabase,
  acknowledged: readonly AcknowledgedSave[],
  historyInTheEnd: ReadonlySet<string>,
): Promise<Consistency> => {
  await runCommandOrThrow('restore', file, place.settings)
  const neverWas = [...(await readHistory(file))].filter((line) => !historyInTheEnd.has(line))
  return place.withDatabase(async (db) => {
    const before = acknowledged.filter(({ answeredAt }) => answeredAt < beganAt)
    const there = await findStoredRequests(db, acknowledged)
    const newest = Math.max(0, ...acknowledged.filter(({ request }) => there.has(request)).map(({ sentAt }) => sentAt))
    const earlier = acknowledged.filter(({ answeredAt }) => answeredAt >= beganAt && answeredAt < newest)
    const found = await checkConsistency(db, before)
    const notOneMoment = await findLostSaves(db, earlier)
    return { ...found, lost: [...found.lost, ...(await findLostPictures(db, pictures))], notOneMoment, neverWas }
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
const oldNames = (): string[] => Array.from({ length: OLDER }, (_, days) => formatBackupName(new Date(Date.now() - (days + 2) * DAY)))

/** Puts nine older daily backups and an unrelated file into a server's backup folder; returns their names, newest first. */
export const putOlderBackups = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'backups')
  await mkdir(folder, { recursive: true })
  const names = oldNames()
  for (const name of [...names, FOREIGN_FILE]) await writeFile(join(folder, name), 'of an earlier day')
  return names
}

const KEPT = 7
const DAILY_WITHIN = 120_000

/** A server on an external database makes no backups: there is none after more than a minute. */
export const checkNoDaily = async (proof: Proof, { kind, settings }: TargetDatabase): Promise<void> => {
  const { length } = await readdir(join(settings.DATA_DIR, 'backups')).catch((): string[] => [])
  proof.expectEqual(`${kind}: daily backups of a server without BACKUP_DIR`, length, 0)
}

/** Waits for the daily backup of a private database; returns it as one made during writes. */
export const checkDaily = async (proof: Proof, place: TargetDatabase, older: readonly string[]): Promise<LoadedBackup | undefined> => {
  const folder = join(place.settings.DATA_DIR, 'backups')
  const newestOld = older[0] ?? ''
  const isNew = (name: string): boolean => name > newestOld && name !== FOREIGN_FILE
  let name: string | undefined
  for (const until = Date.now() + DAILY_WITHIN; name === undefined && Date.now() < until; await pause(500))
    name = (await readdir(folder)).find((one) => isNew(one) && one.endsWith('.backup'))
  proof.expectEqual(`${place.kind}: daily backups made by a server without any setting, during writes`, Number(name !== undefined), 1)
  if (name === undefined) return undefined
  await pause(1000)
  const kept = await readdir(folder)
  proof.expectEqual(
    `${place.kind}: daily backups kept of these and ${OLDER} earlier ones`,
    kept.filter((one) => one !== FOREIGN_FILE).length,
    KEPT,
  )
  const wanted = [name, ...older.slice(0, KEPT - 1), FOREIGN_FILE]
  proof.expectNone(
    'of these, not the newest; or deleted files of another name',
    wanted.filter((one) => !kept.includes(one)),
  )
  const file = join(folder, name)
  await checkBackupFile(file)
  const beganAt = (await getLastBackupTime(folder)) ?? 0
  if (beganAt < Date.now() - DAY || (await stat(file)).size === 0) throw new Error(`${name} is no backup of today`)
  return { file, beganAt, pictures: [], savesMeanwhile: 0 }
}

/** Restores every backup made during writes, into each kind of target in turn, and reports inconsistencies. */
export const checkLoaded = async (
  proof: Proof,
  places: TargetDatabases,
  source: TargetDatabase,
  backups: readonly LoadedBackup[],
  { writers }: NetworkUnderLoad,
  quiet: string,
): Promise<void> => {
  const { acknowledged } = writers.tally
  const inTheEnd = await readHistory(quiet)
  const looks: Consistency[] = []
  for (const [nth, one] of backups.entries()) {
    const place = await places.make(places.kinds[nth % places.kinds.length] ?? PRIVATE)
    looks.push(await checkBackup(one, place, acknowledged, inTheEnd))
  }
  const sum = (of: (look: Consistency) => number): number => looks.reduce((all, look) => all + of(look), 0)
  proof.report(`${source.kind}: backups made during writes, each restored and checked`, backups.length)
  proof.expectAtLeast('saves acknowledged while they were made', backups.reduce((all, { savesMeanwhile }) => all + savesMeanwhile, 0), 1) // prettier-ignore
  proof.report(
    'records and changes in them',
    `${sum(({ rows }) => rows).toLocaleString('en-US')} and ${sum(({ changes }) => changes).toLocaleString('en-US')}`,
  )
  for (const [what, listOf] of [
    ['writes acknowledged before a backup began and missing from it', ({ lost }) => lost],
    ['writes in a backup that lacks an earlier acknowledged write', ({ notOneMoment }) => notOneMoment],
    ['half records', ({ incomplete }) => incomplete],
    ['gaps between records, histories, search and files', ({ gaps }) => gaps],
    ['changes in a backup that were never made', ({ neverWas }) => neverWas],
  ] as const satisfies readonly (readonly [string, (look: Consistency) => readonly string[]])[]) {
    proof.expectNone(`${source.kind}: ${what}`, looks.flatMap(listOf))
  }
}
