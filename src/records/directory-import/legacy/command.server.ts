import { basename, join } from 'node:path'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { withConfiguredDatabase } from '../../../platform/server/database.ts'
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

/** `npm run import -- legacy FOLDER`; returns the exit code. */
export const runLegacyImport = async (
  options: LegacyCommandOptions,
  configuration: Configuration,
  { out, stop }: { out: NodeJS.WriteStream; stop: AbortSignal },
): Promise<number> => {
  const { appId, timeZone, dataDir } = configuration
  const progress = new ProgressReporter(out, stop, options.dryRun)
  const writeLine = (line: string): void => progress.writeLines([line])
  const report =
    options.report ??
    (options.dryRun ? undefined : join(dataDir, 'import-reports', `${basename(options.path)}-${toFileTimestamp(new Date())}.csv`))
  return withConfiguredDatabase(configuration, writeLine, async ({ db }) => {
    const outcome = await importLegacy(
      db,
      { path: options.path, dryRun: options.dryRun, beside: options.beside, appId, timeZone },
      {
        onPlanned: async (planned) => {
          progress.writeLines([`${basename(options.path)}:`, ...formatFiles(planned), ...formatLegacyOutcome(planned, { done: false })])
          // Before anything is written: if the report is not writable, nothing is imported.
          if (report !== undefined && (planned.findings.length > 0 || options.report !== undefined))
            await writeFindings(report, planned.findings)
        },
        onWritten: progress.onWritten,
        onWaiting: progress.onWaiting,
        throwIfStopped: progress.throwIfStopped,
      },
    )
    progress.endLine()
    const isToWrite = outcome.rowsToWrite > 0
    if (!options.dryRun && isToWrite) progress.writeLines(formatLegacyOutcome(outcome, { done: true }))
    if (outcome.findings.length > 0 || options.report !== undefined)
      writeLine(
        report === undefined
          ? 'All of it, with file, record, field and reason: add --report FILE'
          : `All of it, with file, record, field and reason: ${report}`,
      )
    writeLine(options.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
    return 0
  })
}
