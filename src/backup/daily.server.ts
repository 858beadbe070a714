import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Db } from '../database/connection.server.ts'
import { createBackup } from './backup.server.ts'

/** So many daily backups are kept. */
const MAX_BACKUPS = 7
/** A round that comes a little early must not wait for the next day's. */
const MIN_INTERVAL_MS = 23 * 3_600_000
const BACKUP_NAME = /^homeroom-\d{4}-\d\d-\d\d-\d{6}\.backup$/

/** `homeroom-2026-11-20-093000.backup`: by the clock of UTC, so that they stand in order. */
export const formatBackupName = (at: Date): string =>
  `homeroom-${at.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.backup`

const parseBackupTime = (name: string): number =>
  Date.parse(name.replace(/^homeroom-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)\.backup$/, '$1T$2:$3:$4Z'))

/** When the newest backup of a folder was made; undefined where it has none. */
export const getLastBackupTime = async (folder: string): Promise<number | undefined> => {
  const last = (await readdir(folder).catch(() => []))
    .filter((name) => BACKUP_NAME.test(name))
    .toSorted()
    .at(-1)
  return last === undefined ? undefined : parseBackupTime(last)
}

/** Makes a backup where the last one is a day old, and takes away the oldest of more than seven; only files of these names are touched. Gives its path. */
export const createDailyBackup = async (db: Db, folder: string, now = new Date()): Promise<string | undefined> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const existing = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)).toSorted()
  const last = existing.at(-1)
  if (last !== undefined && now.getTime() - parseBackupTime(last) < MIN_INTERVAL_MS) return undefined
  const path = join(folder, formatBackupName(now))
  await createBackup(db, path)
  for (const name of existing.slice(0, Math.max(0, existing.length + 1 - MAX_BACKUPS))) await rm(join(folder, name), { force: true })
  return path
}
