// Addresses that hold a user and a password: DATABASE_URL, HR_URL, SMTP_URL. No part of such an address is repeated in a message, since a
// password that is not percent-encoded may be anywhere in it.

const ENCODING_HINT =
  'percent-encode every character of a user or password that is not a letter or digit: % as %25, @ as %40, / as %2F, # as %23, ? as %3F, a space as %20'

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The parts of a URL as written; everything after the hosts is one text. */
const parseUrl = (address: string): { user: string | undefined; hosts: string; rest: string } => {
  const [, authority = '', rest = ''] = /^[\w+.-]+:\/\/([^/?#]*)(.*)$/s.exec(address) ?? []
  const at = authority.lastIndexOf('@')
  return { user: at === -1 ? undefined : authority.slice(0, at), hosts: authority.slice(at + 1), rest }
}

/** Detects a URL that would be parsed with a different host, path or password than intended; undefined if it is safe. */
export const findCredentialsError = (address: string): string | undefined => {
  const { user = '', hosts, rest } = parseUrl(address)
  // A password with a slash, question mark or number sign ends the authority early, and leaves the real "@" after it.
  if (user.includes('@') || rest.includes('@')) return ENCODING_HINT
  if (/[^\u0021-\u007e]/.test(address)) return ENCODING_HINT
  if (decode(user) === undefined || decode(hosts) === undefined || decode(rest) === undefined) return ENCODING_HINT
  // A Unix socket URL has no host, and only the first of several hosts is compared.
  const plain = `${user === '' ? '' : `${user}@`}${hosts.split(',')[0] || 'localhost'}`
  return URL.canParse(`postgres://${plain}/`) ? undefined : `is not a valid address; ${ENCODING_HINT}`
}

/** The passwords in a URL, both as written and decoded. */
export const findPasswords = (address: string): string[] => {
  const { user = '', rest } = parseUrl(address)
  const colon = user.indexOf(':')
  const inQuery = [...rest.matchAll(/[?&](?:ssl)?password=([^&#]*)/gi)].map(([, password = '']) => password)
  return [colon === -1 ? '' : user.slice(colon + 1), ...inQuery]
    .filter((password) => password !== '')
    .flatMap((password) => [...new Set([password, decode(password) ?? password])])
}

/** The decoded user of a URL. */
export const getUser = (address: string): string | undefined => {
  const user = parseUrl(address).user?.split(':')[0]
  return user ? decode(user) : undefined
}

/** A text without any of these secrets. */
export const redactSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
