import { findPasswords } from './credentials.ts'
import type { Environment } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { isPlaceholder, isProviderPlaceholder, findWeakness } from './secrets.ts'

/** For secrets issued by a provider. */
const MIN_DISTINCT_CHARACTERS = 5

/** Finds passwords and issued secrets that look like those in examples; their strength is not checked. */
const findPlaceholders = (settings: Environment): string[] => {
  const lines: string[] = []
  for (const name of ['DATABASE_URL', 'HR_URL', 'SMTP_URL'] as const)
    if (findPasswords(settings[name] ?? '').some(isPlaceholder)) lines.push(`${name} has a password that reads like an example’s`)
  const { OIDC_CLIENT_SECRET: secret } = settings
  if (secret !== undefined && (isProviderPlaceholder(secret) || new Set(secret).size < MIN_DISTINCT_CHARACTERS))
    lines.push('OIDC_CLIENT_SECRET reads like an example’s; take the one the provider shows')
  return lines
}

/** Errors that prevent a production start, one line each; findings of other checks are reported together with these. */
export const findProductionErrors = (settings: Environment, publicUrl: string): string[] => {
  const { OIDC_ISSUER, OIDC_CLIENT_SECRET, SECRET_KEY, METRICS_TOKEN, BACKUP_PASSPHRASE, SAMPLE, SERVE, NODE_ENV } = settings
  const mistakes: string[] = []
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    mistakes.push('PUBLIC_URL must be an https address in production: over http, anyone on the network can read sessions')
  if (SAMPLE !== undefined && SAMPLE !== 'none') mistakes.push('SAMPLE must be none in production: the sample network is invented')
  if (SERVE.includes('app')) {
    if (OIDC_ISSUER === undefined && NODE_ENV === 'production' && isLoopback(hostname))
      mistakes.push('OIDC_ISSUER must be set in production: the local sign-in provider lets anyone sign in as anyone')
    if (OIDC_ISSUER !== undefined && OIDC_CLIENT_SECRET === undefined)
      mistakes.push('OIDC_CLIENT_SECRET must be set in production: the provider knows this server by it')
  }
  for (const [name, secret] of Object.entries({ SECRET_KEY, METRICS_TOKEN, BACKUP_PASSPHRASE })) {
    const weakness = secret && findWeakness(secret)
    if (weakness) mistakes.push(`${name} ${weakness}; make one with "openssl rand -base64 32"`)
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
