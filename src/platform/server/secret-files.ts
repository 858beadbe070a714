import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Mistake } from './configuration-error.ts'
import { getErrorCode } from './error-code.ts'
import { getErrorReason } from './startup-errors.ts'

/** Settings that hold a secret: none is repeated in a message, and each can be read from a file. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'OWNER_DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'METRICS_TOKEN_PREVIOUS',
  'BACKUP_PASSPHRASE',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'SMTP_URL',
  'HR_URL',
] as const
type SecretSetting = (typeof SECRET_SETTINGS)[number]

/** The settings that name a file containing a secret. */
export const SECRET_FILE_SETTINGS = SECRET_SETTINGS.map((name) => `${name}_FILE` as const)

const readSecret = (path: string): string => {
  // Editors and `echo` end a file with a line feed.
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  if (/[\r\n]/.test(text)) throw new Error('it has more than one line')
  return text
}

/** systemd writes each credential of a service (LoadCredential=NAME:…) to a file with that name in a folder. */
const readCredential = (folder: string | undefined, name: SecretSetting): string | undefined => {
  if (!folder) return undefined
  try {
    return readSecret(join(folder, name))
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The environment with all secrets filled in, read from `…_FILE` or a systemd credential if the variable itself is not set. */
export const resolveSecrets = (
  environment: NodeJS.ProcessEnv,
  names: readonly SecretSetting[] = SECRET_SETTINGS,
): { environment: NodeJS.ProcessEnv; mistakes: Mistake[] } => {
  const resolved = { ...environment }
  const mistakes: Mistake[] = []
  for (const name of names) {
    const path = environment[`${name}_FILE`]
    delete resolved[`${name}_FILE`]
    if (path && environment[name]) {
      mistakes.push({ setting: name, message: `${name} and ${name}_FILE are both set; leave one of them` })
      delete resolved[name]
      continue
    }
    if (environment[name]) continue
    try {
      const value = path ? readSecret(path) : readCredential(environment['CREDENTIALS_DIRECTORY'], name)
      if (value !== undefined) resolved[name] = value
    } catch (error) {
      const source = path ? `${name}_FILE (${path})` : `The credential ${name}`
      mistakes.push({ setting: name, message: `${source} cannot be read: ${getErrorReason(error)}` })
    }
  }
  return { environment: resolved, mistakes }
}
