import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { resolveSecrets } from '../platform/server/secret-files.ts'
import { getErrorReason, StartupError } from '../platform/server/startup-errors.ts'
import { parseEnvironmentFile, type WrongLine } from './environment-file.ts'

/** The settings of an installation, shared by its services and commands. */
export const ENVIRONMENT_FILE = '/etc/homeroom/environment'
/** In the same folder, settings that only root may read: the role that owns the tables. */
const OWNER_FILE_NAME = 'owner'

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${getErrorReason(error)}; run this as root, or as the user of the service`)
  }
}

interface SettingsSource {
  /** The file named by --environment or HOMEROOM_ENVIRONMENT; otherwise the installation's, if there is one. */
  readonly file: string | undefined
  /** Whether the installation's file is used by default. npm's scripts are for work in a checkout. */
  readonly isInstalled: boolean
  readonly defaults: Readonly<Record<string, string>>
  /** Whether the command acts as the owner of the tables. */
  readonly isOwner: boolean
}

/**
 * Loads the file's settings into the environment; variables that are already set take precedence. Returns the lines that cannot be parsed, each
 * message with the name of its file.
 */
export const loadSettings = (environment: NodeJS.ProcessEnv, { file, isInstalled, defaults, isOwner }: SettingsSource): WrongLine[] => {
  const wrongLines: WrongLine[] = []
  const set = (settings: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(settings)) environment[name] ??= value
  }
  const loadFile = (path: string): void => {
    const read = parseEnvironmentFile(readText(path))
    wrongLines.push(...read.wrongLines.map(({ name, message }) => ({ name, message: `${path}: ${message}` })))
    set(read.variables)
  }
  const { HOMEROOM_ENVIRONMENT } = environment
  delete environment['HOMEROOM_ENVIRONMENT']
  const named = file ?? (HOMEROOM_ENVIRONMENT || (isInstalled && existsSync(ENVIRONMENT_FILE) ? ENVIRONMENT_FILE : undefined))
  if (named !== undefined) loadFile(named)
  if (isOwner) {
    const ownerFile = join(dirname(named ?? ENVIRONMENT_FILE), OWNER_FILE_NAME)
    if (named !== undefined && existsSync(ownerFile)) loadFile(ownerFile)
    // Read before dropping root: the service's user may not read this file.
    const owner = resolveSecrets(environment, ['OWNER_DATABASE_URL'])
    if (owner.mistakes.length > 0) throw new StartupError(owner.mistakes.map(({ message }) => message).join('\n'))
    if (owner.environment['OWNER_DATABASE_URL'] !== undefined) {
      environment['OWNER_DATABASE_URL'] = owner.environment['OWNER_DATABASE_URL']
      delete environment['OWNER_DATABASE_URL_FILE']
    }
  }
  set(defaults)
  return wrongLines
}

/** Root becomes the owner of DATA_DIR, the service's user, who must own what a command writes there. */
export const dropPrivileges = ({ DATA_DIR }: NodeJS.ProcessEnv): void => {
  if (process.getuid?.() !== 0 || !DATA_DIR) return
  const folder = statSync(DATA_DIR, { throwIfNoEntry: false })
  if (!folder || folder.uid === 0) return
  process.setgroups?.([folder.gid])
  process.setgid?.(folder.gid)
  process.setuid?.(folder.uid)
}
