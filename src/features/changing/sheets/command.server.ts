import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'

import { Problem } from '../../../contract/problem.ts'
import { getSheetTitle, SHEETS, SHEET_KINDS, type SheetKind } from '../../../contract/sheets.ts'
import { type Db, setActor } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getSystemActor, recordAudit } from '../../../platform/server/audit.ts'
import { ConfigurationError } from '../../../platform/server/configuration-error.ts'
import { type Configuration, readCommandConfiguration } from '../../../platform/server/configuration.ts'
import { type OpenedDatabase, withConfiguredDatabase } from '../../../platform/server/database.ts'
import { ImportError } from '../../../platform/server/import-error.ts'
import { getInvocationFolder } from '../../../platform/server/invocation-folder.ts'
import { getErrorReason, StartupError } from '../../../platform/server/startup-errors.ts'
import { saveSheet } from './apply.server.ts'
import { toCellNames, toCellText } from './cell-values.server.ts'
import { getSheet } from './columns.server.ts'
import { MAX_SHEET_BYTES, type SheetChoices } from './contract.ts'
import { type FoundCell, type FoundRow, toAddress } from './found-rows.server.ts'
import { comparePreview, type Preview } from './preview.server.ts'

/** The section of `homeroom import --help` for this import. */
export const SHEET_HELP = `Usage: homeroom import sheet KIND FILE [options]

Saves a sheet that was downloaded to be edited (XLSX or CSV), as its upload in the browser does: every changed cell is printed, all is
saved as one, and can be undone as one. KIND is one of ${SHEET_KINDS.join(', ')}.

  --dry-run             prints what would change, and saves nothing
  --mine, --theirs      which value is saved where someone else changed the same cell; without it such a sheet is refused
  --leave-errors        leaves cells with errors out; without it such a sheet is refused
  --accept-warnings     saves what looks like an accident too, such as a column that was sorted alone; without it it is refused`

export const SEE_HELP = 'see homeroom import --help'
const OPTIONS = {
  'dry-run': { type: 'boolean' },
  mine: { type: 'boolean' },
  theirs: { type: 'boolean' },
  'leave-errors': { type: 'boolean' },
  'accept-warnings': { type: 'boolean' },
} as const

/** An error in the command, in one line. */
export class CommandError extends Error {}

/** The options and words of a command. */
export const parseOptions = <Options extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(`${(error as Error).message.split('. ')[0]}; ${SEE_HELP}`)
  }
}

const parseCommand = (args: readonly string[]) => {
  const { values, positionals } = parseOptions(args, OPTIONS)
  const [kind, path, ...more] = positionals
  const sheet = SHEET_KINDS.find((one) => one === kind)
  if (sheet === undefined) throw new CommandError(`Name the kind of sheet: ${SHEET_KINDS.join(', ')}; ${SEE_HELP}`)
  if (path === undefined || more.length > 0)
    throw new CommandError(`Name one file; put quotation marks around a name with spaces; ${SEE_HELP}`)
  if (values.mine && values.theirs) throw new CommandError(`--mine and --theirs exclude each other; ${SEE_HELP}`)
  return { sheet, path, values }
}

const readSheet = async (path: string): Promise<Uint8Array> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${getErrorReason(error)}`)
  })
  if (bytes.length > MAX_SHEET_BYTES) throw new CommandError(`${path} is larger than 20 MB. Split it.`)
  return bytes
}

/** A cell in one line: `Sites!F17  Lodi, Phone: 209-555-0142 -> 209-555-0143`. */
const describeCell = (context: AppContext, sheet: SheetKind, row: FoundRow, cell: FoundCell): string => {
  const { readModel } = context
  const column = getSheet(context, sheet)
    .columns(readModel)
    .find(({ path }) => path === cell.column.path)
  const names = toCellNames(readModel)
  const toText = (value: unknown): string => (column ? toCellText(names, column, value) : '').replaceAll(/\s+/g, ' ') || 'empty'
  const change = cell.state === 'new' ? `new, ${toText(cell.after)}` : `${toText(cell.before)} -> ${toText(cell.after)}`
  const problem =
    cell.state === 'error'
      ? `: ${cell.message ?? 'This value cannot be saved'}`
      : cell.state === 'conflict'
        ? ` (now ${toText(cell.present)}, saved by ${cell.author?.by ?? 'someone else'})`
        : ''
  return `${getSheetTitle(sheet)}!${toAddress(row, cell)}  ${row.name ?? `row ${row.line}`}, ${cell.column.label}: ${cell.state === 'error' ? 'error' : change}${problem}`
}

const listLines = (context: AppContext, sheet: SheetKind, { facts: { warnings, rows, unchanged, newRows }, found }: Preview): string[] => {
  const count = (state: FoundCell['state']) =>
    found.reduce((sum, { cells }) => sum + cells.filter((cell) => cell.state === state).length, 0)
  return [
    ...warnings.map(({ message }) => `Warning: ${message}`),
    ...found.flatMap((row) => row.cells.map((cell) => describeCell(context, sheet, row, cell))),
    `${rows} rows, ${unchanged} unchanged, ${newRows} new, ${count('error')} errors, ${count('conflict')} conflicts`,
  ]
}

interface Choices {
  readonly mine?: boolean | undefined
  readonly theirs?: boolean | undefined
  readonly 'leave-errors'?: boolean | undefined
  readonly 'accept-warnings'?: boolean | undefined
}

const toChoices = ({ found }: Preview, values: Choices): SheetChoices => {
  const conflict = values.mine ? 'mine' : values.theirs ? 'theirs' : undefined
  const choose = ({ state }: FoundCell) =>
    state === 'error' && values['leave-errors'] ? 'leave' : state === 'conflict' ? conflict : undefined
  return {
    choices: Object.fromEntries(
      found.flatMap((row) =>
        row.cells.flatMap((cell) => {
          const choice = choose(cell)
          return choice === undefined ? [] : [[toAddress(row, cell), choice] as const]
        }),
      ),
    ),
    warningsAccepted: values['accept-warnings'] ?? false,
  }
}

export interface SheetCommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
  readonly stop: AbortSignal
  readonly createContext: (configuration: Configuration, database: OpenedDatabase) => AppContext
}

/** Runs `homeroom import sheet` and returns the exit code. */
export const runSheetCommand = async (
  args: readonly string[],
  { environment, out, err, stop, createContext }: SheetCommandContext,
): Promise<number> => {
  const writeLine = (line: string): void => void out.write(`${line}\n`)
  try {
    const { sheet, path, values } = parseCommand(args)
    const full = resolve(getInvocationFolder(environment, 'import'), path)
    const bytes = await readSheet(full)
    const configuration = readCommandConfiguration(environment, ['TIME_ZONE', 'PUBLIC_URL', 'MAIL_FROM'])
    return await withConfiguredDatabase(configuration, writeLine, async (database) => {
      const context = createContext(configuration, database)
      const kind = context.kinds[SHEETS[sheet].kind]
      const preview = await comparePreview(context, kind, sheet, bytes)
      listLines(context, sheet, preview).forEach(writeLine)
      if (values['dry-run']) writeLine('Dry run: nothing was written')
      else {
        const { facts, found } = preview
        async function* readRows() {
          yield found
        }
        writeLine(await save(context, database.db, { sheet, fileName: basename(full), facts, readRows }, toChoices(preview, values), stop))
      }
      return 0
    })
  } catch (error) {
    err.write(`${formatError(error)}\n`)
    return 1
  }
}

const save = (
  context: AppContext,
  db: Db,
  file: Parameters<typeof saveSheet>[3],
  choices: SheetChoices,
  stop: AbortSignal,
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const name = `Import of ${file.fileName}`
    await setActor(tx, { account: null, name })
    const progress = {
      begin: () => Promise.resolve(),
      note: () => {
        if (stop.aborted) throw new CommandError('Stopped: nothing was written')
      },
      end: () => Promise.resolve(),
    }
    const { changeset, changed, created } = await saveSheet(tx, context, { account: null, name }, file, choices, progress)
    if (changeset === null) return 'Nothing to write'
    const after = { what: 'sheet', file: file.fileName, changeset: changeset._id, changed, created }
    await recordAudit(tx, getSystemActor('homeroom import'), { kind: 'import.finished', after })
    return `Imported: ${changed} changed, ${created} added, as ${changeset._id}`
  })

/** One line without a stack trace; for a refused sheet, one line per cell. */
export const formatError = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof ImportError || error instanceof StartupError) return error.message
  if (error instanceof ConfigurationError) return error.mistakes.join('\n')
  if (error instanceof Problem)
    return [`${error.message}. Nothing was written.`, ...(error.errors ?? []).map(({ path, message }) => `  ${path}: ${message}`)].join(
      '\n',
    )
  return `The import failed and nothing was written: ${getErrorReason(error)}`
}
