import { access, constants, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import { formatCount } from '../contract/format.ts'
import type { Db } from '../database/connection.server.ts'
import { IncompatibleDatabase } from '../database/migrate.server.ts'
import { ERASURES_FILE, readErasures } from '../features/access/erase/files.server.ts'
import { eraseAgain } from '../features/access/erase/mutations.server.ts'
import { getSystemActor } from '../platform/server/audit.ts'
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import type { CommandContext } from '../platform/server/command-context.ts'
import { readCommandConfiguration, toOwnerConfiguration } from '../platform/server/configuration.ts'
import { grantServerRole } from '../platform/server/data-rights.ts'
import { openConfiguredDatabase, withConfiguredDatabase } from '../platform/server/database.ts'
import { getErrorCode } from '../platform/server/error-code.ts'
import { createFolders, assertWritable } from '../platform/server/folders.ts'
import { getInvocationFolder } from '../platform/server/invocation-folder.ts'
import { StartupError, formatStartupError, getErrorReason } from '../platform/server/startup-errors.ts'
import { InvalidBackup } from './backup-file.server.ts'
import { createBackup } from './backup.server.ts'
import { formatBackupName, listBackups } from './daily.server.ts'
import { runRestoreDrill } from './drill.server.ts'
import { DatabaseNotEmpty, restore } from './restore.server.ts'

const formatCounts = (counts: ReadonlyMap<string, number>): string => {
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `${rows.toLocaleString('en-US')} rows of ${counts.size} tables`
}

/** Errors that the operator can fix; they have their own messages. */
const EXPECTED_ERRORS = [InvalidBackup, DatabaseNotEmpty, IncompatibleDatabase] as const

/** Reports an error in one line; returns the exit code. */
const reportError = ({ err }: CommandContext, error: unknown): number => {
  const isExpected = EXPECTED_ERRORS.some((kind) => error instanceof kind)
  const isSystem = error instanceof Error && 'syscall' in error
  err.write(
    `${isExpected || isSystem ? getErrorReason(isSystem ? error : new Error((error as Error).message)) : formatStartupError(error)}\n`,
  )
  return 1
}

const assertFileWritable = async (path: string, backupDir: string): Promise<void> => {
  const folder = dirname(path)
  try {
    await createFolders(folder, 0o700)
    await assertWritable(folder)
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written: ${getErrorReason(error)}; name a file in a folder in which the user "${userInfo().username}" can write, or leave the name out to use ${backupDir}`,
    )
  }
}

const assertFileReadable = async (path: string): Promise<void> => {
  try {
    const { isFile } = await stat(path).then((found) => ({ isFile: found.isFile() }))
    if (!isFile) throw new StartupError(`${path} is not a file`)
    await access(path, constants.R_OK)
  } catch (error) {
    if (error instanceof StartupError) throw error
    if (getErrorCode(error) === 'ENOENT') throw new StartupError(`${path} does not exist`)
    throw new StartupError(
      `${path} cannot be read: ${getErrorReason(error)}; let the user "${userInfo().username}" read it, or copy it to one of their folders`,
    )
  }
}

export const BACKUP_HELP = `Usage: homeroom backup [FILE]

Writes everything at one moment into one file, while the server runs or not: records, histories, pictures, requests, mails,
permissions, settings. Without FILE it goes to BACKUP_DIR, as homeroom-DATE-TIME.backup in UTC. A file that is there is never
replaced. With BACKUP_PASSPHRASE it is encrypted (.enc), as openssl does it; otherwise it is as secret as the database.

Exit code 0 when the file is complete, 1 otherwise; then there is none.`

export const RESTORE_HELP = `Usage: homeroom restore FILE
       homeroom restore --drill [FILE]

Restores a backup completely or not at all, into an empty place: a new database named by DATABASE_URL, or another DATA_DIR without one.
Stop the server first. A backup of an older version is brought up to date, one of a newer version is refused. Sessions, API tokens,
calendar feeds and device passwords of the backup end; permissions are those of the backup. An encrypted backup needs the
BACKUP_PASSPHRASE it was made with. People who were erased after the backup are erased again: those in erasures.json beside the
file, and in BACKUP_DIR.

  --drill  tests a restore without keeping its result: FILE, or the newest backup of BACKUP_DIR, goes into a new database (without
           DATABASE_URL: a new folder), the rows of every table are counted there, and it is removed again. Servers may run. The
           role of OWNER_DATABASE_URL, else DATABASE_URL, has to be allowed to create databases.

Exit code 0 when everything is restored (or the drill went well), 1 otherwise; then nothing is.`

/** The extension marks an encrypted file. */
const withExtension = (file: string, passphrase: string | undefined): string =>
  passphrase === undefined || file.endsWith('.enc') ? file : `${file}.enc`

/** What these commands use beyond the database. */
const SETTINGS = ['BACKUP_DIR', 'BACKUP_PASSPHRASE'] as const

/** `homeroom restore --drill [FILE]`. */
const drill = async (file: string | undefined, { environment, out }: CommandContext): Promise<number> => {
  const configuration = readCommandConfiguration(environment, SETTINGS)
  const newest = (await listBackups(configuration.backupDir)).at(-1)
  if (file === undefined && newest === undefined)
    throw new StartupError(`There is no backup in ${configuration.backupDir} yet; make one with "homeroom backup", or name a file`)
  const path = file === undefined ? join(configuration.backupDir, newest ?? '') : resolve(getInvocationFolder(environment, 'restore'), file)
  await assertFileReadable(path)
  const startedAt = performance.now()
  const { rows, tables } = await runRestoreDrill(configuration, path)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  out.write(
    `The drill went well: ${rows.toLocaleString('en-US')} rows of ${tables} tables of ${path} were restored and counted in ${seconds} s, and removed again\n`,
  )
  return 0
}

/** `homeroom backup [FILE]`: everything into one file, whether or not the server is running. */
export const backupCommand = async (args: readonly string[], context: CommandContext): Promise<number> => {
  try {
    const [file] = parseCommandArguments('backup', args, {}, 1).positionals
    const configuration = readCommandConfiguration(context.environment, SETTINGS)
    const path =
      file === undefined
        ? join(configuration.backupDir, formatBackupName(new Date(), configuration.backupPassphrase))
        : resolve(getInvocationFolder(context.environment, 'backup'), withExtension(file, configuration.backupPassphrase))
    if (await stat(path).catch(() => undefined)) throw new StartupError(`${path} already exists; name another file`)
    await assertFileWritable(path, configuration.backupDir)
    const writeLine = (line: string): void => void context.out.write(`${line}\n`)
    return await withConfiguredDatabase(configuration, writeLine, async ({ db }) => {
      const counts = await createBackup(db, path, configuration.backupPassphrase)
      const { size } = await stat(path)
      writeLine(`${path}: ${formatCounts(counts)}, ${Math.ceil(size / 1024).toLocaleString('en-US')} KB`)
      return 0
    })
  } catch (error) {
    return reportError(context, error)
  }
}

/** `homeroom restore FILE`: restores a backup into an empty database, all or nothing. */
export const restoreCommand = async (args: readonly string[], context: CommandContext): Promise<number> => {
  try {
    const { values, positionals } = parseCommandArguments('restore', args, { drill: { type: 'boolean' } }, 1)
    const [file] = positionals
    if (values.drill) return await drill(file, context)
    if (file === undefined) throw new StartupError('Name the backup’s file: homeroom restore FILE')
    const path = resolve(getInvocationFolder(context.environment, 'restore'), file)
    await assertFileReadable(path)
    const configuration = readCommandConfiguration(context.environment, SETTINGS)
    const open = () =>
      openConfiguredDatabase(toOwnerConfiguration(configuration), 'guest', (line) => context.out.write(`${line}\n`), { isUpToDate: false })
    const erasures = await readErasures([dirname(path), configuration.backupDir])
    // Erasing again seals changed rows of the audit trail.
    if (erasures.length > 0) readCommandConfiguration(context.environment, ['SECRET_KEY', 'SECRET_KEY_PREVIOUS'])
    let erased = 0
    const finish = async (db: Db): Promise<void> => {
      erased = await eraseAgain(db, configuration, getSystemActor('homeroom restore'), erasures)
    }
    const counts = await restore(open, path, configuration.backupPassphrase, finish)
    const { db, stop } = await open()
    await grantServerRole(db, configuration).finally(stop)
    context.out.write(`Restored ${formatCounts(counts)}. All sessions and API tokens were ended; permissions are those of the backup.\n`)
    if (erased > 0)
      context.out.write(`${formatCount(erased, ['record was', 'records were'])} erased again, as listed in ${ERASURES_FILE}.\n`)
    return 0
  } catch (error) {
    return reportError(context, error)
  }
}
