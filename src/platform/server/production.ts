import type { Settings } from './configuration.ts'
import { isLoopback } from './loopback.ts'

/** Words that stand in examples, and in the secrets of whoever copied one. */
const PLACEHOLDER = /change[-_ ]?(me|this)|replace[-_ ]?(me|this)|example|placeholder|password|your[-_ ]?(secret|key)/i
/** A random text of 32 characters, even one of hexadecimal digits, has more different ones. */
const FEWEST_DIFFERENT = 8

/** A text over and over: its beginning, moved along, is itself. */
const isRepeated = (text: string): boolean => (text + text).indexOf(text, 1) <= text.length / 2

/** Why nobody should rely on a secret; undefined where nothing speaks against it. */
const weaknessOf = (secret: string): string | undefined => {
  if (new Set(secret).size < FEWEST_DIFFERENT) return `has fewer than ${FEWEST_DIFFERENT} different characters`
  if (isRepeated(secret)) return 'is the same text over and over'
  if (PLACEHOLDER.test(secret)) return 'reads like an example’s'
  return undefined
}

/** What must not be where people work with it, one line for each. The local sign-in provider and a missing SECRET_KEY are refused with the rest. */
export const productionMistakes = (settings: Settings, publicUrl: string): string[] => {
  const { OIDC_ISSUER, OIDC_CLIENT_SECRET, SECRET_KEY, METRICS_TOKEN, SAMPLE, SERVE, NODE_ENV } = settings
  const mistakes: string[] = []
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    mistakes.push('PUBLIC_URL must be an https address in production: over http everybody on the way can read sessions')
  if (SAMPLE !== undefined && SAMPLE !== 'none') mistakes.push('SAMPLE must be none in production: the sample network is invented')
  if (SERVE.includes('app')) {
    if (OIDC_ISSUER === undefined && NODE_ENV === 'production' && isLoopback(hostname))
      mistakes.push('OIDC_ISSUER must be set in production: the local sign-in provider lets anybody in as anyone')
    if (OIDC_ISSUER !== undefined && OIDC_CLIENT_SECRET === undefined)
      mistakes.push('OIDC_CLIENT_SECRET must be set in production: the provider knows this server by it')
  }
  for (const [name, secret] of Object.entries({ SECRET_KEY, METRICS_TOKEN })) {
    const weakness = secret && weaknessOf(secret)
    if (weakness) mistakes.push(`${name} ${weakness}; make one with "openssl rand -base64 32"`)
  }
  return mistakes
}

/** The hosts of an address of PostgreSQL, of which there may be several, each with its port where it has one. */
export const hostsOf = (databaseUrl: string): string[] => (/^\w+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(databaseUrl)?.[1] ?? '').split(',')

/** Over the loopback, or a Unix socket, which nobody listens in on. */
const isHere = (host: string): boolean => {
  const name = decodeURIComponent(host).replace(/:\d*$/, '')
  return name === '' || name.startsWith('/') || isLoopback(name)
}

/** What is worth a line at start, but may be right where it is. */
export const productionWarnings = ({ DATABASE_URL }: Settings): string[] => {
  if (DATABASE_URL === undefined || hostsOf(DATABASE_URL).every(isHere)) return []
  return /[?&](sslmode=(require|verify-ca|verify-full|no-verify)|ssl=(true|1))(&|$)/.test(DATABASE_URL)
    ? []
    : ['DATABASE_URL names a database on another machine without TLS; add ?sslmode=verify-full, unless the network between is your own']
}
