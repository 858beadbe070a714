import { basename, join } from 'node:path'

import type { Configuration } from '../../../../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../../../platform/server/database.ts'
import { toFileTimestamp, ProgressReporter } from '../progress-reporter.server.ts'
import { importLegacy } from './import.server.ts'
import { formatFiles, formatLegacyOutcome } from './messages.ts'
import { writeFindings } from './report.server.ts'

interface LegacyCommandOptions {
  readonly path: string
  readonly dryRun: boolean
  readonly beside: boolean
  readonly report: string | undefined
}

/** `npm run import -- legacy FOLDER`; answers the exit code. */
export const runLegacyImport = async (
  wish: LegacyCommandOptions,
  configuration: Configuration,
  { out, stop }: { out: NodeJS.WriteStream; stop: AbortSignal },
): Promise<number> => {
  const { appId, timeZone, dataDir } = configuration
  const told = new ProgressReporter(out, stop, wish.dryRun)
  const say = (line: string): void => told.writeLines([line])
  const report =
    wish.report ?? (wish.dryRun ? undefined : join(dataDir, 'import-reports', `${basename(wish.path)}-${toFileTimestamp(new Date())}.csv`))
  const database = await openConfiguredDatabase(configuration, 'guest', say)
  try {
    const outcome = await importLegacy(
      database.db,
      { path: wish.path, dryRun: wish.dryRun, beside: wish.beside, appId, timeZone },
      {
        onPlanned: async (planned) => {
          told.writeLines([`${basename(wish.path)}:`, ...formatFiles(planned), ...formatLegacyOutcome(planned, { done: false })])
          // Before anything is written: where the report cannot be, nothing is imported.
          if (report !== undefined && (planned.findings.length > 0 || wish.report !== undefined))
            await writeFindings(report, planned.findings)
        },
        onWritten: told.onWritten,
        onWaiting: told.onWaiting,
        throwIfStopped: told.throwIfStopped,
      },
    )
    told.endLine()
    const isToWrite = outcome.rowsToWrite > 0
    if (!wish.dryRun && isToWrite) told.writeLines(formatLegacyOutcome(outcome, { done: true }))
    if (outcome.findings.length > 0 || wish.report !== undefined)
      say(
        report === undefined
          ? 'All of it, with file, record, field and reason: add --report FILE'
          : `All of it, with file, record, field and reason: ${report}`,
      )
    say(wish.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
    return 0
  } finally {
    await database.stop()
  }
}
