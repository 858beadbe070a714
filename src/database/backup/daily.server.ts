import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Db } from '../connection.server.ts'
import { backUp } from './backup.server.ts'

/** So many daily backups are kept. */
const KEPT = 7
/** A round that comes a little early must not wait for the next day's. */
const ALMOST_A_DAY = 23 * 3_600_000
const OURS = /^homeroom-\d{4}-\d\d-\d\d-\d{6}\.backup$/

/** `homeroom-2026-11-20-093000.backup`: by the clock of UTC, so that they stand in order. */
export const backupName = (at: Date): string => `homeroom-${at.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.backup`

const momentOf = (name: string): number =>
  Date.parse(name.replace(/^homeroom-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)\.backup$/, '$1T$2:$3:$4Z'))

/** When the newest backup of a folder was made; undefined where it has none. */
export const lastBackupAt = async (folder: string): Promise<number | undefined> => {
  const last = (await readdir(folder).catch(() => []))
    .filter((name) => OURS.test(name))
    .toSorted()
    .at(-1)
  return last === undefined ? undefined : momentOf(last)
}

/** Makes a backup where the last one is a day old, and takes away the oldest of more than seven; only files of these names are touched. Gives its path. */
export const backUpDaily = async (db: Db, folder: string, now = new Date()): Promise<string | undefined> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const there = (await readdir(folder)).filter((name) => OURS.test(name)).toSorted()
  const last = there.at(-1)
  if (last !== undefined && now.getTime() - momentOf(last) < ALMOST_A_DAY) return undefined
  const path = join(folder, backupName(now))
  await backUp(db, path)
  for (const name of there.slice(0, Math.max(0, there.length + 1 - KEPT))) await rm(join(folder, name), { force: true })
  return path
}
