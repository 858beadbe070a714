import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { toIsoDay } from '../contract/dates.ts'
import type { Db } from '../database/connection.server.ts'
import { LOCKS } from '../database/locks.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { createBackup } from './backup.server.ts'

const BACKUP_NAME = /^homeroom-\d{4}-\d\d-\d\d-\d{6}\.backup(\.enc)?$/

/** `homeroom-2026-11-20-093000.backup`: in UTC, so that names sort by time; `.enc` if it is encrypted. */
export const formatBackupName = (at: Date, passphrase?: string): string =>
  `homeroom-${at.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.backup${passphrase === undefined ? '' : '.enc'}`

const parseBackupTime = (name: string): number =>
  Date.parse(name.replace(/^homeroom-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)\.backup(\.enc)?$/, '$1T$2:$3:$4Z'))

/** The names of the backups in a folder, oldest first. */
export const listBackups = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => BACKUP_NAME.test(name)).toSorted()

/** When the newest backup of a folder was made; undefined if there is none. */
export const getLastBackupTime = async (folder: string): Promise<number | undefined> => {
  const last = (await listBackups(folder)).at(-1)
  return last === undefined ? undefined : parseBackupTime(last)
}

export type BackupSchedule = Pick<Configuration, 'backupDir' | 'backupAt' | 'backupKeep' | 'backupPassphrase' | 'timeZone'>

/** The backup day of a moment; a backup day starts at the configured backup time. */
const getBackupDay = (moment: number, { backupAt, timeZone }: BackupSchedule): string => {
  const [hours = 0, minutes = 0] = backupAt.split(':').map(Number)
  return toIsoDay(new Date(moment - (hours * 60 + minutes) * 60_000), timeZone)
}

const isDue = async (schedule: BackupSchedule, now: Date): Promise<boolean> => {
  const last = await getLastBackupTime(schedule.backupDir)
  return last === undefined || getBackupDay(last, schedule) < getBackupDay(now.getTime(), schedule)
}

/**
 * Makes the daily backup if it is due, and deletes the oldest ones beyond the number to keep; touches only files with these names. If several servers
 * share the folder, only one makes it. Returns its path.
 */
export const createDailyBackup = async (db: Db, schedule: BackupSchedule, now = new Date()): Promise<string | undefined> => {
  const { backupDir, backupKeep, backupPassphrase } = schedule
  if (!(await isDue(schedule, now))) return undefined
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isAcquired: boolean }>`select pg_try_advisory_lock(${LOCKS.backup}) as "isAcquired"`.execute(connection)
    if (rows[0]?.isAcquired !== true) return undefined
    try {
      if (!(await isDue(schedule, now))) return undefined
      await mkdir(backupDir, { recursive: true, mode: 0o700 })
      const path = join(backupDir, formatBackupName(now, backupPassphrase))
      await createBackup(db, path, backupPassphrase)
      for (const name of (await listBackups(backupDir)).slice(0, -backupKeep)) await rm(join(backupDir, name), { force: true })
      return path
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.backup})`.execute(connection)
    }
  })
}
