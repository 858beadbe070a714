import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { Db } from '../../../database/connection.server.ts'
import { type Configuration, ConfigurationError, readConfiguration } from '../../../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../../platform/server/database.ts'
import { getInvocationFolder } from '../../../platform/server/invocation-folder.ts'
import { StartupError, getErrorReason } from '../../../platform/server/startup-errors.ts'
import { fieldNamed, FIELDS, type Mapping, plainHeader } from './fields.ts'
import { openDirectoryFile } from './file.server.ts'
import { importCharters } from './import.server.ts'
import { legacyCommand } from './legacy/command.server.ts'
import { LEGACY_HELP } from './legacy/words.ts'
import { ImportMistake } from './mistake.ts'
import type { Outcome } from './outcome.ts'
import type { ImportWishes, Listener } from './pass.server.ts'
import { STAFF_NAMES, staffFieldNamed, type StaffMapping } from './staff-fields.ts'
import { STAFF_HELP, staffColumnsInWords, staffInWords } from './staff-words.ts'
import { importStaff, isToWrite, type StaffWishes } from './staff.server.ts'
import { checkStop, stamp, Told, WAITING } from './telling.server.ts'
import { columnsInWords, HELP, outcomeInWords } from './words.ts'

interface Asked {
  readonly path: string
  readonly dryRun: boolean
  readonly report: string | undefined
}
interface CharterWish extends Asked {
  readonly kind: 'charters'
  readonly brand: string | undefined
  readonly region: string | undefined
  readonly mappings: readonly Mapping[]
}
interface StaffWish extends Asked {
  readonly kind: 'staff'
  readonly allowGone: boolean
  readonly mappings: readonly StaffMapping[]
}
interface LegacyWish extends Asked {
  readonly kind: 'legacy'
  readonly beside: boolean
}
type Wish = CharterWish | StaffWish | LegacyWish

const SEE_HELP = 'see import --help'
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

const SAYS_NOTHING = {
  charters: ['allow-gone', 'beside'],
  staff: ['brand', 'region', 'beside'],
  legacy: ['brand', 'region', 'allow-gone', 'map'],
} as const

/** Reads the words after `npm run import --`; undefined where help was asked for. */
export const readWish = (words: readonly string[]): Wish | undefined => {
  const { values, positionals } = parsed(words)
  if (values.help) return undefined
  const [kind, path, ...more] = positionals
  if (kind === undefined) throw new ImportMistake(`Name what to import: charters, staff or legacy; ${SEE_HELP}`)
  if (kind !== 'charters' && kind !== 'staff' && kind !== 'legacy')
    throw new ImportMistake(`"${kind}" cannot be imported, only charters, staff and legacy can; ${SEE_HELP}`)
  const thing = kind === 'legacy' ? 'folder' : 'file'
  if (path === undefined) throw new ImportMistake(`Name the ${thing} to import; ${SEE_HELP}`)
  if (more.length > 0) throw new ImportMistake(`One ${thing} at a time; put quotation marks around a name with spaces; ${SEE_HELP}`)
  for (const option of ['brand', 'region', 'report'] as const) {
    if (values[option]?.trim() === '') throw new ImportMistake(`--${option} is empty`)
  }
  for (const option of SAYS_NOTHING[kind]) {
    if (values[option] !== undefined) throw new ImportMistake(`--${option} says nothing about ${kind}; ${SEE_HELP}`)
  }
  const asked = { path, dryRun: values['dry-run'] ?? values.preview ?? false, report: values.report }
  if (kind === 'legacy') return { kind, ...asked, beside: values.beside ?? false }
  const maps = values.map ?? []
  return kind === 'staff'
    ? { kind, ...asked, allowGone: values['allow-gone'] ?? false, mappings: mappingsOf(maps, STAFF_NAMES, staffFieldNamed) }
    : {
        kind,
        ...asked,
        brand: values.brand?.trim(),
        region: values.region?.trim(),
        mappings: mappingsOf(maps, Object.keys(FIELDS), fieldNamed),
      }
}

const parsed = (words: readonly string[]) => {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new ImportMistake(`${(error as Error).message.split('. ')[0]}; ${SEE_HELP}`)
  }
}

const mappingsOf = <Name extends string>(
  texts: readonly string[],
  names: readonly string[],
  named: (text: string) => Name | undefined,
): { column: string; field: Name }[] => {
  const mappings: { column: string; field: Name }[] = []
  for (const text of texts) {
    const at = text.lastIndexOf('=')
    const column = text.slice(0, Math.max(at, 0)).trim()
    const fieldText = text.slice(at + 1).trim()
    if (at < 1 || column === '' || fieldText === '') throw new ImportMistake(`--map takes COLUMN=FIELD, not "${text}"`)
    const field = named(fieldText)
    if (field === undefined) {
      throw new ImportMistake(`--map "${text}": there is no field "${fieldText}"; the fields are ${names.join(', ')}`)
    }
    if (mappings.some((other) => other.field === field)) throw new ImportMistake(`--map names two columns for ${field}`)
    if (mappings.some((other) => plainHeader(other.column) === plainHeader(column))) {
      throw new ImportMistake(`--map names two fields for the column "${column}"`)
    }
    mappings.push({ column, field })
  }
  return mappings
}

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
  /** Aborts when the person wants the import to stop. */
  readonly stop: AbortSignal
}

/** `npm run import`: does what the words say and answers the exit code. */
export const importCommand = async (words: readonly string[], { environment, out, err, stop }: Surroundings): Promise<number> => {
  try {
    const wish = readWish(words)
    if (wish === undefined) {
      out.write(`${HELP}\n\n${STAFF_HELP}\n\n${LEGACY_HELP}\n\n${EXIT_CODES}\n`)
      return 0
    }
    const from = getInvocationFolder(environment, 'import')
    const path = resolve(from, wish.path)
    const configuration = readConfiguration(environment)
    if (wish.kind === 'legacy')
      return await legacyCommand({ ...wish, path, report: wish.report && resolve(from, wish.report) }, configuration, { out, stop })
    const file = await openDirectoryFile(path)
    const say = (line: string): void => void out.write(`${line}\n`)
    say(`${file.name}: ${file.kind}`)
    const report =
      wish.report === undefined
        ? { path: join(configuration.dataDir, 'import-reports', `${file.name}-${stamp(new Date())}.csv`), always: false }
        : { path: resolve(from, wish.report), always: true }
    const reported = wish.dryRun && !report.always ? undefined : report

    const database = await openConfiguredDatabase(configuration, 'guest', say)
    try {
      const telling = { out, say, stop }
      const given = { file, path, report: reported }
      const { refused, isToWrite } =
        wish.kind === 'staff'
          ? await staffImport(database.db, { ...wish, ...given }, telling, configuration)
          : await charterImport(database.db, { ...wish, ...given }, telling)
      if (refused > 0 || report.always) {
        if (reported) say(`Refused rows, with line and reason: ${reported.path}`)
        else say('All refused rows, with line and reason: add --report FILE')
      }
      say(wish.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
      return 0
    } finally {
      await database.stop()
    }
  } catch (error) {
    err.write(`${lineFor(error)}\n`)
    return 1
  }
}

/** Whom an import tells what. */
interface Telling {
  readonly out: NodeJS.WriteStream
  readonly say: (line: string) => void
  readonly stop: AbortSignal
}
interface Came {
  readonly refused: number
  readonly isToWrite: boolean
}

const charterImport = async (db: Db, wishes: ImportWishes, { out, say, stop }: Telling): Promise<Came> => {
  const told = new Told(out, stop, wishes.dryRun)
  const planned = (outcome: Outcome): void => told.lines([...columnsInWords(outcome), ...outcomeInWords(outcome, { done: false })])
  const listener: Listener = { planned, read: told.read, written: told.written, waiting: told.waiting, checkStop: told.checkStop }
  const outcome = await importCharters(db, wishes, listener)
  told.end()
  const isToWrite = outcome.rowsToWrite > 0
  if (!wishes.dryRun && isToWrite) for (const line of outcomeInWords(outcome, { done: true })) say(line)
  return { refused: outcome.refusals.rows, isToWrite }
}

const staffImport = async (db: Db, wishes: StaffWishes, { say, stop }: Telling, { hrUrl }: Configuration): Promise<Came> => {
  if (hrUrl !== undefined) say('HR_URL names another HR source: what is imported here is searched only where it is not set')
  const outcome = await importStaff(db, wishes, {
    planned: (planned) => [...staffColumnsInWords(planned), ...staffInWords(planned, { done: false })].forEach(say),
    waiting: () => say(WAITING),
    checkStop: () => checkStop(stop, wishes.dryRun),
  })
  const toWrite = isToWrite(outcome)
  if (!wishes.dryRun && toWrite) for (const line of staffInWords(outcome, { done: true })) say(line)
  return { refused: outcome.refusals.length, isToWrite: toWrite }
}

/** One line, never a stack: what went wrong, and that nothing was written. */
const lineFor = (error: unknown): string => {
  if (error instanceof ImportMistake || error instanceof StartupError) return error.message
  if (error instanceof ConfigurationError) return error.mistakes.join('\n')
  return `The import failed and nothing was written: ${getErrorReason(error)}`
}

const EXIT_CODES = 'Exit code 0 when all rows that could be read are in, 1 when the file could not be read or the command was wrong.'
