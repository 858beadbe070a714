import type { Mistake } from './configuration-error.ts'
import { findPasswords } from './credentials.ts'
import type { Environment, SettingName } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { isPlaceholder, isProviderPlaceholder, findWeakness } from './secrets.ts'

/** For secrets issued by a provider. */
const MIN_DISTINCT_CHARACTERS = 5

/** Finds passwords and issued secrets that look like those in examples; their strength is not checked. */
const findPlaceholders = (settings: Environment): Mistake[] => {
  const mistakes: Mistake[] = []
  for (const setting of ['DATABASE_URL', 'HR_URL', 'SMTP_URL'] as const)
    if (findPasswords(settings[setting] ?? '').some(isPlaceholder))
      mistakes.push({ setting, message: `${setting} has a password that looks like an example’s` })
  const { OIDC_CLIENT_SECRET: secret } = settings
  if (secret !== undefined && (isProviderPlaceholder(secret) || new Set(secret).size < MIN_DISTINCT_CHARACTERS))
    mistakes.push({
      setting: 'OIDC_CLIENT_SECRET',
      message: 'OIDC_CLIENT_SECRET looks like an example’s; copy the one that the provider shows',
    })
  return mistakes
}

/** Errors that prevent a production start, one line each; findings of other checks are reported together with these. */
export const findProductionErrors = (settings: Environment, publicUrl: string): Mistake[] => {
  const { OIDC_ISSUER, OIDC_CLIENT_SECRET, SAMPLE, SERVE, NODE_ENV } = settings
  const mistakes: Mistake[] = []
  const add = (setting: SettingName, problem: string): void => void mistakes.push({ setting, message: `${setting} ${problem}` })
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    add('PUBLIC_URL', 'must be an https address in production: over http, anyone on the network can read sessions')
  if (SAMPLE !== undefined && SAMPLE !== 'none') add('SAMPLE', 'must be none in production: the sample network is invented')
  if (SERVE.includes('app')) {
    if (OIDC_ISSUER === undefined && NODE_ENV === 'production' && isLoopback(hostname))
      add('OIDC_ISSUER', 'must be set in production: the local sign-in provider lets anyone sign in as anyone')
    if (OIDC_ISSUER !== undefined && OIDC_CLIENT_SECRET === undefined)
      add('OIDC_CLIENT_SECRET', 'must be set in production: the provider recognizes this server by it')
  }
  for (const setting of ['SECRET_KEY', 'METRICS_TOKEN', 'BACKUP_PASSPHRASE'] as const) {
    const secret = settings[setting]
    const weakness = secret && findWeakness(secret)
    if (weakness) add(setting, `${weakness}; make one with "openssl rand -base64 32"`)
  }
  return [...mistakes, ...findPlaceholders(settings)]
}

/** The hosts of a PostgreSQL URL, possibly several, each with its port if given. */
export const getHosts = (databaseUrl: string): string[] => (/^\w+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(databaseUrl)?.[1] ?? '').split(',')

/** Loopback or a Unix socket, where no one can eavesdrop. */
const isLocalHost = (host: string): boolean => {
  const name = decodeURIComponent(host).replace(/:\d*$/, '')
  return name === '' || name.startsWith('/') || isLoopback(name)
}

/** Settings that deserve a warning at startup, although they may be correct in some installations. */
export const findProductionWarnings = ({ DATABASE_URL }: Environment): string[] => {
  if (DATABASE_URL === undefined || getHosts(DATABASE_URL).every(isLocalHost)) return []
  return /[?&](sslmode=(require|verify-ca|verify-full|no-verify)|ssl=(true|1))(&|$)/.test(DATABASE_URL)
    ? []
    : ['DATABASE_URL names a database on another machine without TLS; add ?sslmode=verify-full, unless the network between is your own']
}
