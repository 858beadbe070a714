import { findSchemaOwnerError, listPendingMigrations, migrate } from '../database/migrate.server.ts'
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import type { CommandContext } from '../platform/server/command-context.ts'
import { readCommandConfiguration, toOwnerConfiguration } from '../platform/server/configuration.ts'
import { grantServerRole } from '../platform/server/data-rights.ts'
import { openConfiguredDatabase, toMigrationError } from '../platform/server/database.ts'
import { StartupError } from '../platform/server/startup-errors.ts'

export const MIGRATE_HELP = `Usage: homeroom migrate [--dry-run]

Brings the tables up to date, while servers run or not. It works as the role that owns the tables, OWNER_DATABASE_URL: root writes
it into /etc/homeroom/owner (mode 0600), which the server never reads. Without it the role of DATABASE_URL does.

Then the role of DATABASE_URL gets what the server needs, and no more: to read, add, change and delete rows. To change that role,
name the new one in DATABASE_URL and run this again.

  --dry-run  only says which migrations are missing, and whether the settings and the tables fit this version

Exit code 0 when the tables are up to date (with --dry-run: when they could be brought up to date), 1 otherwise.`

/** `homeroom migrate`: migrates the tables, and grants the server's role its rights. */
export const migrateCommand = async (args: readonly string[], { environment, out }: CommandContext): Promise<number> => {
  const isDryRun = parseCommandArguments('migrate', args, { 'dry-run': { type: 'boolean' } }).values['dry-run'] ?? false
  const writeLine = (line: string): void => void out.write(`${line}\n`)
  const configuration = readCommandConfiguration(environment)
  const database = await openConfiguredDatabase(toOwnerConfiguration(configuration), 'guest', writeLine, { isUpToDate: false })
  try {
    const { db } = database
    const pending = await listPendingMigrations(db).catch((error: unknown) => {
      throw toMigrationError(error)
    })
    if (isDryRun) {
      for (const name of pending) writeLine(`Missing: ${name}`)
      writeLine(pending.length === 0 ? 'The tables are up to date; nothing was changed' : 'Dry run: nothing was changed')
      return 0
    }
    const ownerError = pending.length > 0 ? await findSchemaOwnerError(db) : undefined
    if (ownerError !== undefined)
      throw new StartupError(`${ownerError}; name the role that owns the tables in OWNER_DATABASE_URL (/etc/homeroom/owner)`)
    const applied = await migrate(db).catch((error: unknown) => {
      throw toMigrationError(error)
    })
    for (const name of applied) writeLine(`Applied: ${name}`)
    writeLine(`The tables are up to date (${applied.length === 0 ? 'nothing was missing' : `${applied.length} applied`})`)
    const role = await grantServerRole(db, configuration)
    if (role !== undefined) writeLine(`The role "${role}" may read, add, change and delete rows, and nothing else`)
    return 0
  } finally {
    await database.stop()
  }
}
