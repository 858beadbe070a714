import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { Db } from '../../database/connection.server.ts'
import { ConfigurationError } from '../../platform/server/configuration-error.ts'
import { type Configuration, readCommandConfiguration } from '../../platform/server/configuration.ts'
import { withConfiguredDatabase } from '../../platform/server/database.ts'
import { getInvocationFolder } from '../../platform/server/invocation-folder.ts'
import { StartupError, getErrorReason } from '../../platform/server/startup-errors.ts'
import { importCharters } from './charter-import.server.ts'
import { CHARTER_HELP, formatOutcome } from './charter-messages.ts'
import { openDirectoryFile } from './directory-file.server.ts'
import { ImportError } from './import-error.ts'
import { formatColumns, type Mapping, normalizeHeader } from './import-header.ts'
import { runLegacyImport } from './legacy/command.server.ts'
import { LEGACY_HELP } from './legacy/messages.ts'
import type { Outcome } from './outcome.ts'
import type { ImportOptions, ImportListener } from './process-file.server.ts'
import { throwIfStopped, toFileTimestamp, ProgressReporter, WAITING_MESSAGE } from './progress-reporter.server.ts'
import { findField, SCHOOL_FIELD_NAMES, type SchoolField } from './school-fields.ts'
import { STAFF_FIELD_NAMES, findStaffField, type StaffField } from './staff-fields.ts'
import { importStaff, hasChanges, type StaffImportOptions } from './staff-import.server.ts'
import { STAFF_HELP, formatStaffOutcome } from './staff-messages.ts'

const EXIT_CODES = 'Exit code 0 when all rows that could be read are in, 1 when the file could not be read or the command was wrong.'

/** The output of `homeroom import --help`. */
export const IMPORT_HELP = `${CHARTER_HELP}\n\n${STAFF_HELP}\n\n${LEGACY_HELP}\n\n${EXIT_CODES}`

interface CommonOptions {
  readonly path: string
  readonly dryRun: boolean
  readonly report: string | undefined
}
interface CharterCommand extends CommonOptions {
  readonly kind: 'charters'
  readonly brand: string | undefined
  readonly region: string | undefined
  readonly mappings: readonly Mapping<SchoolField>[]
}
interface StaffCommand extends CommonOptions {
  readonly kind: 'staff'
  readonly allowGone: boolean
  readonly mappings: readonly Mapping<StaffField>[]
}
interface LegacyCommand extends CommonOptions {
  readonly kind: 'legacy'
  readonly beside: boolean
}
type ImportArguments = CharterCommand | StaffCommand | LegacyCommand

const SEE_HELP = 'see homeroom import --help'
const OPTIONS = {
  'dry-run': { type: 'boolean' },
  preview: { type: 'boolean' },
  beside: { type: 'boolean' },
  brand: { type: 'string' },
  region: { type: 'string' },
  'allow-gone': { type: 'boolean' },
  map: { type: 'string', multiple: true },
  report: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const UNSUPPORTED_OPTIONS = {
  charters: ['allow-gone', 'beside'],
  staff: ['brand', 'region', 'beside'],
  legacy: ['brand', 'region', 'allow-gone', 'map'],
} as const

/** Parses the arguments of `homeroom import`; undefined for --help. */
export const parseArguments = (args: readonly string[]): ImportArguments | undefined => {
  const { values, positionals } = parseOptions(args)
  if (values.help) return undefined
  const [kind, path, ...more] = positionals
  if (kind === undefined) throw new ImportError(`Name what to import: charters, staff, sheet or legacy; ${SEE_HELP}`)
  if (kind !== 'charters' && kind !== 'staff' && kind !== 'legacy')
    throw new ImportError(`"${kind}" cannot be imported, only charters, staff, sheet and legacy can; ${SEE_HELP}`)
  const thing = kind === 'legacy' ? 'folder' : 'file'
  if (path === undefined) throw new ImportError(`Name the ${thing} to import; ${SEE_HELP}`)
  if (more.length > 0) throw new ImportError(`One ${thing} at a time; put quotation marks around a name with spaces; ${SEE_HELP}`)
  for (const option of ['brand', 'region', 'report'] as const) {
    if (values[option]?.trim() === '') throw new ImportError(`--${option} is empty`)
  }
  for (const option of UNSUPPORTED_OPTIONS[kind]) {
    if (values[option] !== undefined) throw new ImportError(`--${option} says nothing about ${kind}; ${SEE_HELP}`)
  }
  const common = { path, dryRun: values['dry-run'] ?? values.preview ?? false, report: values.report }
  if (kind === 'legacy') return { kind, ...common, beside: values.beside ?? false }
  const maps = values.map ?? []
  return kind === 'staff'
    ? { kind, ...common, allowGone: values['allow-gone'] ?? false, mappings: parseMappings(maps, STAFF_FIELD_NAMES, findStaffField) }
    : {
        kind,
        ...common,
        brand: values.brand?.trim(),
        region: values.region?.trim(),
        mappings: parseMappings(maps, SCHOOL_FIELD_NAMES, findField),
      }
}

const parseOptions = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new ImportError(`${(error as Error).message.split('. ')[0]}; ${SEE_HELP}`)
  }
}

const parseMappings = <Name extends string>(
  texts: readonly string[],
  names: readonly string[],
  named: (text: string) => Name | undefined,
): Mapping<Name>[] => {
  const mappings: Mapping<Name>[] = []
  for (const text of texts) {
    const at = text.lastIndexOf('=')
    const column = text.slice(0, Math.max(at, 0)).trim()
    const fieldText = text.slice(at + 1).trim()
    if (at < 1 || column === '' || fieldText === '') throw new ImportError(`--map takes COLUMN=FIELD, not "${text}"`)
    const field = named(fieldText)
    if (field === undefined) {
      throw new ImportError(`--map "${text}": there is no field "${fieldText}"; the fields are ${names.join(', ')}`)
    }
    if (mappings.some((other) => other.field === field)) throw new ImportError(`--map names two columns for ${field}`)
    if (mappings.some((other) => normalizeHeader(other.column) === normalizeHeader(column))) {
      throw new ImportError(`--map names two fields for the column "${column}"`)
    }
    mappings.push({ column, field })
  }
  return mappings
}

interface ImportCommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
  /** Aborted by Ctrl C. */
  readonly stop: AbortSignal
}

/** Runs `homeroom import` and returns the exit code. */
export const runImportCommand = async (args: readonly string[], { environment, out, err, stop }: ImportCommandContext): Promise<number> => {
  try {
    const command = parseArguments(args)
    if (command === undefined) {
      out.write(`${IMPORT_HELP}\n`)
      return 0
    }
    const from = getInvocationFolder(environment, 'import')
    const path = resolve(from, command.path)
    const configuration = readCommandConfiguration(environment, ['TIME_ZONE'])
    if (command.kind === 'legacy')
      return await runLegacyImport({ ...command, path, report: command.report && resolve(from, command.report) }, configuration, {
        out,
        stop,
      })
    const file = await openDirectoryFile(path)
    const writeLine = (line: string): void => void out.write(`${line}\n`)
    writeLine(`${file.name}: ${file.kind}`)
    const report =
      command.report === undefined
        ? { path: join(configuration.dataDir, 'import-reports', `${file.name}-${toFileTimestamp(new Date())}.csv`), always: false }
        : { path: resolve(from, command.report), always: true }
    const reported = command.dryRun && !report.always ? undefined : report

    return await withConfiguredDatabase(configuration, writeLine, async ({ db }) => {
      const reporting = { out, writeLine, stop }
      const given = { file, path, report: reported }
      const { refused, isToWrite } =
        command.kind === 'staff'
          ? await runStaffImport(db, { ...command, ...given }, reporting, configuration)
          : await runCharterImport(db, { ...command, ...given }, reporting)
      if (refused > 0 || report.always) {
        if (reported) writeLine(`Refused rows, with line and reason: ${reported.path}`)
        else writeLine('All refused rows, with line and reason: add --report FILE')
      }
      writeLine(command.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
      return 0
    })
  } catch (error) {
    err.write(`${formatError(error)}\n`)
    return 1
  }
}

interface CommandOutput {
  readonly out: NodeJS.WriteStream
  readonly writeLine: (line: string) => void
  readonly stop: AbortSignal
}
interface ImportResult {
  readonly refused: number
  readonly isToWrite: boolean
}

const runCharterImport = async (db: Db, options: ImportOptions, { out, writeLine, stop }: CommandOutput): Promise<ImportResult> => {
  const reporter = new ProgressReporter(out, stop, options.dryRun)
  const planned = (outcome: Outcome): void =>
    reporter.writeLines([...formatColumns(outcome.header, SCHOOL_FIELD_NAMES), ...formatOutcome(outcome, { done: false })])
  const listener: ImportListener = {
    onPlanned: planned,
    onRead: reporter.onRead,
    onWritten: reporter.onWritten,
    onWaiting: reporter.onWaiting,
    throwIfStopped: reporter.throwIfStopped,
  }
  const outcome = await importCharters(db, options, listener)
  reporter.endLine()
  const isToWrite = outcome.rowsToWrite > 0
  if (!options.dryRun && isToWrite) for (const line of formatOutcome(outcome, { done: true })) writeLine(line)
  return { refused: outcome.refusals.rows, isToWrite }
}

const runStaffImport = async (
  db: Db,
  options: StaffImportOptions,
  { writeLine, stop }: CommandOutput,
  { hrUrl }: Configuration,
): Promise<ImportResult> => {
  if (hrUrl !== undefined) writeLine('HR_URL names another HR source: what is imported here is searched only where it is not set')
  const outcome = await importStaff(db, options, {
    onPlanned: (planned) =>
      [...formatColumns(planned.header, STAFF_FIELD_NAMES), ...formatStaffOutcome(planned, { done: false })].forEach(writeLine),
    onWaiting: () => writeLine(WAITING_MESSAGE),
    throwIfStopped: () => throwIfStopped(stop, options.dryRun),
  })
  const toWrite = hasChanges(outcome)
  if (!options.dryRun && toWrite) for (const line of formatStaffOutcome(outcome, { done: true })) writeLine(line)
  return { refused: outcome.refusals.length, isToWrite: toWrite }
}

/** One line without a stack trace. */
const formatError = (error: unknown): string => {
  if (error instanceof ImportError || error instanceof StartupError) return error.message
  if (error instanceof ConfigurationError) return error.mistakes.join('\n')
  return `The import failed and nothing was written: ${getErrorReason(error)}`
}
