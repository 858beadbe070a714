import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { AppContext } from '../../../platform/server/app-context.ts'
import { ConfigurationError } from '../../../platform/server/configuration-error.ts'
import { type Configuration, readCommandConfiguration } from '../../../platform/server/configuration.ts'
import { type OpenedDatabase, withConfiguredDatabase } from '../../../platform/server/database.ts'
import { ImportError } from '../../../platform/server/import-error.ts'
import { getInvocationFolder } from '../../../platform/server/invocation-folder.ts'
import { toFileTimestamp, ProgressReporter } from '../../../platform/server/progress-reporter.ts'
import { getErrorReason, StartupError } from '../../../platform/server/startup-errors.ts'
import { importLegacy } from './import.server.ts'
import { formatFiles, formatLegacyOutcome } from './messages.ts'
import { writeFindings } from './report.server.ts'

const SEE_HELP = 'see homeroom import --help'
const OPTIONS = {
  'dry-run': { type: 'boolean' },
  beside: { type: 'boolean' },
  report: { type: 'string' },
} as const

const parseOptions = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new ImportError(`${(error as Error).message.split('. ')[0]}; ${SEE_HELP}`)
  }
}

/** Reads the arguments of `homeroom import legacy` after this word. */
export const parseArguments = (args: readonly string[]) => {
  const { values, positionals } = parseOptions(args)
  const [path, ...more] = positionals
  if (path === undefined) throw new ImportError(`Name the folder to import; ${SEE_HELP}`)
  if (more.length > 0) throw new ImportError(`One folder at a time; put quotation marks around a name with spaces; ${SEE_HELP}`)
  if (values.report?.trim() === '') throw new ImportError('--report is empty')
  return { path, dryRun: values['dry-run'] ?? false, beside: values.beside ?? false, report: values.report }
}

interface LegacyCommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
  readonly stop: AbortSignal
  readonly createContext: (configuration: Configuration, database: OpenedDatabase) => AppContext
}

/** Runs `homeroom import legacy` and returns the exit code. */
export const runLegacyCommand = async (args: readonly string[], context: LegacyCommandContext): Promise<number> => {
  const { environment, err } = context
  try {
    const given = parseArguments(args)
    const from = getInvocationFolder(environment, 'import')
    const options = { ...given, path: resolve(from, given.path), report: given.report && resolve(from, given.report) }
    return await runImport(options, readCommandConfiguration(environment, ['TIME_ZONE', 'PUBLIC_URL', 'MAIL_FROM']), context)
  } catch (error) {
    err.write(`${formatError(error)}\n`)
    return 1
  }
}

/** One line without a stack trace. */
const formatError = (error: unknown): string => {
  if (error instanceof ImportError || error instanceof StartupError) return error.message
  if (error instanceof ConfigurationError) return error.mistakes.join('\n')
  return `The import failed and nothing was written: ${getErrorReason(error)}`
}

const runImport = async (
  options: ReturnType<typeof parseArguments>,
  configuration: Configuration,
  { out, stop, createContext }: LegacyCommandContext,
): Promise<number> => {
  const { appId, dataDir } = configuration
  const progress = new ProgressReporter(out, stop, options.dryRun)
  const writeLine = (line: string): void => progress.writeLines([line])
  const report =
    options.report ??
    (options.dryRun ? undefined : join(dataDir, 'import-reports', `${basename(options.path)}-${toFileTimestamp(new Date())}.csv`))
  return withConfiguredDatabase(configuration, writeLine, async (database) => {
    const { db } = database
    // The time zone of the settings counts where the environment has none.
    await createContext(configuration, database).organization.load()
    const { timeZone } = configuration
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
