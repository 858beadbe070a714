import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { formatCount } from '../../../../contract/format.ts'
import { COMMAND_IMPORTS, CONSTANT_OPTION, IMPORT_OPTIONS } from '../../../../contract/import-command.ts'
import { IMPORTS } from '../../../../contract/imports.ts'
import { Problem } from '../../../../contract/problem.ts'
import { RECORD_NOUNS } from '../../../../contract/records.ts'
import { SHEETS } from '../../../../contract/sheets.ts'
import { setActor, type Tx } from '../../../../database/connection.server.ts'
import type { AppContext } from '../../../../platform/server/app-context.ts'
import { beginChangeset } from '../../../../platform/server/changeset.ts'
import { type Configuration, readCommandConfiguration } from '../../../../platform/server/configuration.ts'
import { assertReportIsOtherFile, CsvReport } from '../../../../platform/server/csv-report.ts'
import { withConfiguredDatabase } from '../../../../platform/server/database.ts'
import { getErrorCode } from '../../../../platform/server/error-code.ts'
import { getImportActor } from '../../../../platform/server/import-actor.ts'
import { withImportLock } from '../../../../platform/server/import-lock.ts'
import type { ImportedTable, ImportGuess, ImportMapping } from '../../../../platform/server/importer.ts'
import { getInvocationFolder } from '../../../../platform/server/invocation-folder.ts'
import { ProgressReporter, toFileTimestamp } from '../../../../platform/server/progress-reporter.ts'
import { recordImport } from '../../../../platform/server/record-import.ts'
import { CommandError, formatError, parseOptions, SEE_HELP, type SheetCommandContext } from '../command.server.ts'
import { createChoose } from './choose-cells.server.ts'
import { formatOutcome, hasError, type Outcome, toReason, toRefused } from './command-report.server.ts'
import { findColumnIndex, mergeMappings, toMapping } from './given-mapping.server.ts'
import { compareRows, findMapping, NO_MAPPING, toShape } from './queries.server.ts'

type Kind = keyof typeof COMMAND_IMPORTS
const isKind = (word: string): word is Kind => Object.hasOwn(COMMAND_IMPORTS, word)

/** Reads the arguments of `homeroom import` after its name. */
export const parseArguments = (args: readonly string[]) => {
  const { values, positionals } = parseOptions(args, IMPORT_OPTIONS)
  const [kind, path, ...more] = positionals
  const kinds = [...Object.keys(COMMAND_IMPORTS), 'sheet', 'legacy'].join(', ')
  if (kind === undefined) throw new CommandError(`Name what to import: ${kinds}; ${SEE_HELP}`)
  if (!isKind(kind)) throw new CommandError(`"${kind}" cannot be imported, only ${kinds}; ${SEE_HELP}`)
  if (path === undefined) throw new CommandError(`Name the file to import; ${SEE_HELP}`)
  if (more.length > 0) throw new CommandError(`One file at a time; put quotation marks around a name with spaces; ${SEE_HELP}`)
  for (const [option, value] of Object.entries(values))
    if (typeof value === 'string' && value.trim() === '') throw new CommandError(`--${option} is empty`)
  const own: readonly string[] = COMMAND_IMPORTS[kind].options
  const others = Object.values(COMMAND_IMPORTS).flatMap(({ options }): readonly string[] =>
    options.filter((option) => !own.includes(option)),
  )
  for (const option of Object.keys(values))
    if (others.includes(option)) throw new CommandError(`--${option} says nothing about ${kind}; ${SEE_HELP}`)
  const maps = (values.map ?? []).map((text) => {
    const at = text.lastIndexOf('=')
    const [column, field] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
    if (column === '' || field === '') throw new CommandError(`--map takes COLUMN=FIELD, not "${text}"`)
    return { text, column, field }
  })
  return {
    kind,
    path,
    maps,
    dryRun: values['dry-run'] ?? false,
    /** The value of `CONSTANT_OPTION`. */
    constant: values[CONSTANT_OPTION]?.trim(),
    region: values.region?.trim(),
    allowGone: values['allow-gone'] ?? false,
    report: values.report,
  }
}
export type Arguments = ReturnType<typeof parseArguments>

/** The limits of the command; the largest directory of schools in the country has 100,000 rows. */
const MAX_ROWS = 120_000
const MAX_FILE_BYTES = 104_857_600

const readBytes = async (path: string): Promise<Uint8Array> => {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) throw new CommandError(`${path} is a folder, not a file`)
    if (facts.size > MAX_FILE_BYTES) throw new CommandError(`${path} is larger than 100 MB. Split it.`)
    return await readFile(path)
  } catch (error) {
    const code = getErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError(`There is no file ${path}`)
    if (code === '') throw error
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Refusals of the file itself are one line with its name. */
const withFileName = async <T>(path: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    const [first] = error instanceof Problem ? (error.errors ?? []) : []
    throw first?.path === 'file' ? new CommandError(`${path} cannot be imported: ${first.message}`) : error
  }
}

/** Letter case, spaces and underscores of a name do not matter. */
const simplify = (name: string): string => name.toLowerCase().replace(/[\s_]+/g, '')

/** What --map says, by the position of the column. */
const readMaps = ({ maps }: Arguments, { columns, fields }: ImportGuess): ImportMapping['columns'] => {
  const chosen: Record<string, string> = {}
  for (const { text, column, field } of maps) {
    const index = findColumnIndex({ columns }, column)
    if (index === undefined)
      throw new CommandError(
        `There is no column "${column}". The columns are: ${columns
          .flatMap(({ header }) => header || [])
          .join(', ')
          .slice(0, 500)}`,
      )
    const known = fields.find(({ key, label }) => [key, label].some((name) => simplify(name) === simplify(field)))
    if (!known)
      throw new CommandError(`--map "${text}": there is no field "${field}"; the fields are ${fields.map(({ key }) => key).join(', ')}`)
    if (Object.values(chosen).includes(known.key)) throw new CommandError(`--map names two columns for ${known.key}`)
    if (chosen[index] !== undefined) throw new CommandError(`--map names two fields for the column "${column}"`)
    chosen[index] = known.key
  }
  return chosen
}

/** The file with a column that has one value in all rows. */
const withConstant = (table: ImportedTable, constant: string | undefined): ImportedTable => {
  if (constant === undefined) return table
  const at = table.headers.length
  const rows = table.rows.map((row) => ({ ...row, cells: [...Array.from({ length: at }, (_, n) => row.cells[n] ?? ''), constant] }))
  return { ...table, headers: [...table.headers, `--${CONSTANT_OPTION}`], rows }
}

/** Guesses what the columns and words become, after what was chosen for an earlier file and what the command says. */
const guess = async (context: AppContext, tx: Tx, table: ImportedTable, command: Arguments) => {
  const { readAs } = COMMAND_IMPORTS[command.kind]
  const remembered = (await findMapping(tx, readAs, toShape(table))) ?? NO_MAPPING
  const full = withConstant(table, command.constant)
  const first = await context.importer.guess(tx, readAs, full, remembered)
  const given: Record<string, string | null> = { ...readMaps(command, first) }
  if (command.constant !== undefined) given[table.headers.length] = CONSTANT_OPTION
  const state = await context.importer.guess(tx, readAs, full, mergeMappings(remembered, { columns: given, values: {} }))
  return { table: full, state, mapping: toMapping(state) }
}

export interface ImportListener {
  /** Called before anything is written. */
  onPlanned(outcome: Outcome): void | Promise<void>
  onWritten(rows: number, of: number): void
  onWaiting(): void
  /** Throws if the import was stopped; nothing has been written then. */
  throwIfStopped(): void
}

/** Compares the file in a transaction, and writes it after `onPlanned` unless the import is a dry run. */
const importTable = async (
  context: AppContext,
  tx: Tx,
  { command, given, title }: { readonly command: Arguments; readonly given: ImportedTable; readonly title: string },
  { onPlanned, throwIfStopped, onWritten }: ImportListener,
): Promise<Outcome> => {
  const { kind } = command
  const { readAs, options: own } = COMMAND_IMPORTS[kind]
  const { table, state, mapping } = await guess(context, tx, given, command)
  const options = own.some((option) => option === 'region') ? { region: command.region ?? null } : {}
  const { compared, warnings } = await compareRows(tx, context, { kind: readAs, table, mapping, corrections: new Map() }, options)
  const choose = createChoose(warnings, { choices: {}, warningsAccepted: false })
  const rows = compared.rows.flatMap((row) => {
    const { saved } = choose(row)
    return saved.length === 0 ? [] : [{ ...row, cells: saved }]
  })
  const { missing } = compared
  const isCertain = command.allowGone || missing?.isCertain === true
  const gone = missing && isCertain ? missing.gone : []
  const outcome: Outcome = { state, table, compared, warnings, rows, gone, kept: (missing?.gone.length ?? 0) - gone.length }
  await onPlanned(outcome)
  throwIfStopped()
  if (missing && !command.allowGone && gone.length * 2 > missing.present)
    throw new CommandError(
      `The file lacks ${gone.length.toLocaleString('en-US')} of the ${formatCount(missing.present, RECORD_NOUNS.person)} in the HR table, more than half: nothing was written. If it is the right file, add --allow-gone`,
    )
  if (command.dryRun || rows.length + gone.length === 0) return outcome
  const name = getImportActor(title)
  await setActor(tx, { account: null, name })
  // Employees who are not people of the directory have no history, so that there would be nothing to undo.
  if (kind !== 'employees') {
    const recordKind = SHEETS[IMPORTS[kind].sheet].kind
    await beginChangeset(tx, { kind: 'import', recordKind, title, account: null, name, at: context.now() })
  }
  await context.importer.write(tx, rows, (written) => {
    throwIfStopped()
    onWritten(written, rows.length)
  })
  await context.importer.markGone(
    tx,
    gone.map(({ _id }) => _id),
  )
  const added = rows.filter(({ record }) => record === null).length
  const counts = {
    rows: table.rows.length,
    added,
    changed: rows.length - added,
    gone: gone.length,
    refused: toRefused(outcome).length,
  }
  await recordImport(tx, { what: kind, file: title, ...counts })
  return outcome
}

/** Writes the rows with wrong cells, so that they can be corrected and imported. */
const writeReport = async (path: string, { table, compared }: Outcome): Promise<void> => {
  const lines = new Map(table.rows.map((row) => [row.line, row.cells]))
  const report = new CsvReport(path, ['row', 'reason', ...table.headers])
  try {
    await report.open()
    for (const { line, cells } of compared.rows) {
      const reasons = cells.flatMap((cell) => (cell.state === 'error' ? [toReason(cell)] : []))
      if (reasons.length > 0) await report.add([line, [...new Set(reasons)].join('; '), ...(lines.get(line) ?? [])])
    }
  } finally {
    await report.close()
  }
}

interface ImportSource {
  readonly command: Arguments
  readonly path: string
  readonly bytes: Uint8Array
  /** Where rows with wrong cells are written. */
  readonly report: string | undefined
}
/** Imports a file: all that can be read in one transaction, or nothing. */
export const importFile = async (
  context: AppContext,
  { command, path, bytes, report }: ImportSource,
  listener: ImportListener,
): Promise<Outcome> => {
  if (report !== undefined) await assertReportIsOtherFile({ path, report: { path: report } })
  return withFileName(path, async () => {
    const given = await context.importer.readTable(bytes, COMMAND_IMPORTS[command.kind].readAs, MAX_ROWS)
    const work = (tx: Tx, isFirst: boolean): Promise<Outcome> => {
      const onPlanned = async (planned: Outcome): Promise<void> => {
        if (isFirst) await listener.onPlanned(planned)
        if (report !== undefined && (planned.compared.rows.some(hasError) || command.report !== undefined))
          await writeReport(report, planned)
      }
      return importTable(context, tx, { command, given, title: basename(path) }, { ...listener, onPlanned })
    }
    if (!command.dryRun) return withImportLock(context.db, listener, work)
    const transaction = context.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return transaction.execute((tx) => work(tx, true))
  })
}

/** Runs `homeroom import KIND FILE` and returns the exit code. */
export const runImportCommand = async (
  args: readonly string[],
  { environment, out, err, stop, createContext }: SheetCommandContext,
): Promise<number> => {
  try {
    const command = parseArguments(args)
    const from = getInvocationFolder(environment, 'import')
    const path = resolve(from, command.path)
    const configuration = readCommandConfiguration(environment, ['TIME_ZONE', 'PUBLIC_URL', 'MAIL_FROM'])
    const progress = new ProgressReporter(out, stop, command.dryRun)
    const { onWritten, onWaiting, throwIfStopped } = progress
    const writeLine = (line: string): void => progress.writeLines([line])
    const report = toReportPath(command, { from, path, configuration })
    const bytes = await readBytes(path)
    return await withConfiguredDatabase(configuration, writeLine, async (database) => {
      if ('isSearchedInHr' in COMMAND_IMPORTS[command.kind] && configuration.hrUrl !== undefined)
        writeLine('HR_URL names another HR source: what is imported here is searched only where it is not set')
      const onPlanned = (planned: Outcome): void => progress.writeLines(formatOutcome(planned, { done: false }))
      const listener = { onPlanned, onWritten, onWaiting, throwIfStopped }
      const outcome = await importFile(createContext(configuration, database), { command, path, bytes, report }, listener)
      const isToWrite = outcome.rows.length + outcome.gone.length > 0
      if (!command.dryRun && isToWrite) progress.writeLines(formatOutcome(outcome, { done: true }))
      if (outcome.compared.rows.some(hasError) || command.report !== undefined)
        writeLine(
          report === undefined
            ? 'All rows with something wrong, with row number and reason: add --report FILE'
            : `Rows with something wrong, with row number and reason: ${report}`,
        )
      writeLine(command.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
      return 0
    })
  } catch (error) {
    err.write(`${formatError(error)}\n`)
    return 1
  }
}

/** Where rows with wrong cells are written; undefined in a dry run without --report. */
const toReportPath = (
  { report, dryRun }: Arguments,
  { from, path, configuration }: { readonly from: string; readonly path: string; readonly configuration: Configuration },
): string | undefined =>
  report !== undefined
    ? resolve(from, report)
    : dryRun
      ? undefined
      : join(configuration.dataDir, 'import-reports', `${basename(path)}-${toFileTimestamp(new Date())}.csv`)
