import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

import packageJson from '../../package.json' with { type: 'json' }
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import { formatStartupError, StartupError } from '../platform/server/startup-errors.ts'
import type { WrongLine } from './environment-file.ts'
import { isRelease, RELEASE_DEFAULTS } from './installation.server.ts'
import { dropPrivileges, ENVIRONMENT_FILE, loadSettings } from './settings.server.ts'

interface LoadedCommand {
  readonly help: string
  /** Returns the exit code; undefined if the process keeps running. */
  readonly run: (args: readonly string[], wrongLines: readonly WrongLine[]) => Promise<number | undefined>
}

/** A command of `homeroom`. Its code is loaded on demand, so that the server does not load the other commands. */
interface Command {
  readonly summary: string
  /** Acts as the owner of the tables. */
  readonly isOwner?: boolean
  /** Keeps root privileges, and leaves loading the settings to the commands it runs. */
  readonly isRoot?: boolean
  /** Reports lines of the environment file that cannot be parsed; every other command is refused because of them. */
  readonly reportsWrongLines?: boolean
  readonly load: () => Promise<LoadedCommand>
}

const { env: environment, stdout: out, stderr: err } = process
const context = { environment, out, err }

const refuseWrongLines = (wrongLines: readonly WrongLine[]): void => {
  if (wrongLines.length > 0) throw new StartupError(wrongLines.map(({ message }) => message).join('\n'))
}

/** Settings for this process only: child processes read the file themselves. */
const readSettings = (): NodeJS.ProcessEnv => {
  const settings = { ...environment }
  refuseWrongLines(loadSettings(settings, { file: undefined, isInstalled: true, defaults: {}, isOwner: false }))
  return settings
}

const IMPORT_EXIT_CODES = 'Exit code 0 when all rows that could be read are in, 1 when the file could not be read or the command was wrong.'

const START_HELP = `Usage: homeroom start

Runs the server until it gets SIGTERM or SIGINT (Ctrl C): brings the tables up to date where its database role may, listens on
HOST and PORT, and prints "Ready: ADDRESS". Every setting is a variable; docs/operators/configuration.md has them all.`

const start = async (args: readonly string[]): Promise<undefined> => {
  parseCommandArguments('start', args, {})
  // Caches compiled code: the next start takes half the time and 20 MB less. Skipped if the folder is not writable.
  const { DATA_DIR } = environment
  if (DATA_DIR) enableCompileCache(join(DATA_DIR, 'compiled'))
  await import('../main.server.ts')
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { summary: 'runs the server', load: async () => ({ help: START_HELP, run: start }) },
  doctor: {
    summary: 'checks settings, database, sign-in, mail, HR source, directory and disk; changes nothing',
    reportsWrongLines: true,
    load: async () => {
      const { DOCTOR_HELP, doctorCommand } = await import('../doctor/command.server.ts')
      // Hung connections would keep the process alive; all output has been written.
      return {
        help: DOCTOR_HELP,
        run: async (args, wrongLines) => process.exit(await doctorCommand({ args, environment, out, wrongLines })),
      }
    },
  },
  migrate: {
    summary: 'brings the tables up to date, as the role that owns them',
    isOwner: true,
    load: async () => {
      const { MIGRATE_HELP, migrateCommand } = await import('./migrate.server.ts')
      return { help: MIGRATE_HELP, run: (args) => migrateCommand(args, context) }
    },
  },
  import: {
    summary: 'brings in schools, employees, edited sheets or the records of the old system',
    load: async () => {
      const { SHEET_HELP, runSheetCommand } = await import('../features/changing/sheets/command.server.ts')
      const { COMMAND_IMPORTS, TABLE_HELP } = await import('../contract/import-command.ts')
      const { runImportCommand } = await import('../features/changing/sheets/imports/command.server.ts')
      const { formatImportFields } = await import('../records/directory-import/import-kinds.ts')
      const { runLegacyCommand } = await import('../records/directory-import/legacy/command.server.ts')
      const { LEGACY_HELP } = await import('../records/directory-import/legacy/messages.ts')
      const stopping = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
      const fields = Object.entries(COMMAND_IMPORTS).map(
        ([kind, { readAs }]) => `Fields of ${kind}, and the headers that are known for them:\n${formatImportFields(readAs)}`,
      )
      return {
        help: [TABLE_HELP, ...fields, SHEET_HELP, LEGACY_HELP, IMPORT_EXIT_CODES].join('\n\n'),
        run: async (args) => {
          const { createCommandContext } = await import('../app/app.server.ts')
          const given = { ...context, stop: stopping.signal, createContext: createCommandContext }
          const [kind, ...rest] = args
          if (kind === 'legacy') return runLegacyCommand(rest, given)
          return kind === 'sheet' ? runSheetCommand(rest, given) : runImportCommand(args, given)
        },
      }
    },
  },
  backup: {
    summary: 'writes everything into one file',
    load: async () => {
      const { BACKUP_HELP, backupCommand } = await import('../backup/command.server.ts')
      return { help: BACKUP_HELP, run: (args) => backupCommand(args, context) }
    },
  },
  restore: {
    summary: 'reads such a file into an empty database',
    isOwner: true,
    load: async () => {
      const { RESTORE_HELP, restoreCommand } = await import('../backup/command.server.ts')
      return { help: RESTORE_HELP, run: (args) => restoreCommand(args, context) }
    },
  },
  audit: {
    summary: 'verifies that nothing in the audit trail was changed',
    load: async () => {
      const { AUDIT_HELP, auditCommand } = await import('../features/operations/audit/command.server.ts')
      return { help: AUDIT_HELP, run: (args) => auditCommand(args, context) }
    },
  },
  upgrade: {
    summary: 'goes to the version of an archive, without an outage',
    isRoot: true,
    load: async () => {
      const { UPGRADE_HELP, upgradeCommand } = await import('./upgrade.server.ts')
      return { help: UPGRADE_HELP, run: (args) => upgradeCommand(args, context, readSettings()) }
    },
  },
  rollback: {
    summary: 'goes back to the version before',
    isRoot: true,
    load: async () => {
      const { ROLLBACK_HELP, rollbackCommand } = await import('./upgrade.server.ts')
      return { help: ROLLBACK_HELP, run: (args) => rollbackCommand(args, context, readSettings()) }
    },
  },
  restart: {
    summary: 'restarts the servers one after the other, without an outage',
    isRoot: true,
    load: async () => {
      const { RESTART_HELP, restartCommand } = await import('./upgrade.server.ts')
      return { help: RESTART_HELP, run: (args) => restartCommand(args, context, readSettings()) }
    },
  },
}

const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length), 'version'.length)
const USAGE = `Usage: homeroom COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join('\n')}
  ${'version'.padEnd(width)}  says which version this is

  --help              this text; after a command, what it does and takes
  --environment FILE  the settings, instead of ${ENVIRONMENT_FILE}

Settings are NAME='VALUE' lines of that file; a variable that is set already wins. A secret can be in a file of its own, which
NAME_FILE names, or be a credential of systemd under its name. Started by root, a command becomes the user who owns DATA_DIR. It
needs no network but that of the services it is about. All settings: docs/operators/configuration.md`

/** Removes `--environment FILE` from the arguments, wherever it is. */
const takeEnvironmentOption = (words: readonly string[]): { file: string | undefined; rest: string[] } => {
  const at = words.findIndex((word) => word === '--environment' || word.startsWith('--environment='))
  if (at === -1) return { file: undefined, rest: [...words] }
  const [, inWord] = /^--environment=(.*)$/s.exec(words[at] ?? '') ?? []
  const file = inWord ?? words[at + 1]
  if (!file) throw new StartupError('--environment takes the name of a file')
  return { file, rest: words.toSpliced(at, inWord === undefined ? 2 : 1) }
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

const run = async (words: readonly string[]): Promise<number | undefined> => {
  const { file, rest } = takeEnvironmentOption(words)
  const [name, ...args] = rest[0] === 'help' ? [...rest.slice(1), '--help'] : rest
  if (name === undefined || isHelp(name)) {
    out.write(`${USAGE}\n`)
    return name === undefined ? 1 : 0
  }
  if (name === 'version' || name === '--version') {
    out.write(`homeroom ${packageJson.version}\n`)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new StartupError(`There is no command "${name}"; homeroom --help lists them`)
  const { help, run: runCommand } = await command.load()
  if (args.some(isHelp)) {
    out.write(`${help}\n`)
    return 0
  }
  if (command.isRoot) {
    if (file !== undefined) environment['HOMEROOM_ENVIRONMENT'] = resolve(file)
    return runCommand(args, [])
  }
  const wrongLines = loadSettings(environment, {
    file,
    isInstalled: environment['npm_lifecycle_event'] === undefined,
    defaults: isRelease ? RELEASE_DEFAULTS : {},
    isOwner: command.isOwner ?? false,
  })
  if (!command.reportsWrongLines) refuseWrongLines(wrongLines)
  dropPrivileges(environment)
  return runCommand(args, wrongLines)
}

/** `homeroom COMMAND`: the commands of an installation. npm's scripts call the same ones. */
export const runCommandLine = async (words: readonly string[]): Promise<void> => {
  try {
    process.exitCode = await run(words)
  } catch (error) {
    err.write(`${formatStartupError(error)}\n`)
    process.exitCode = 1
  }
}
