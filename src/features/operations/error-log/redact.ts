const SECRET = '[secret]'
const PHONE = '[phone]'

/**
 * Parts of names whose values are removed, whatever comes before or after: `newPassword`, `x-auth-token`, `client_secret`. The pattern does not
 * include what comes before, because matching it from every letter takes forty times as long.
 */
const SECRET_NAMES =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_]?key|authorization|cookie|ticket|credential|companion)[\\w-]{0,20}'
const PHONE_NAMES = '(?:phone|mobile|fax|contactnumber)[\\w-]{0,20}'
const ADDRESS_NAMES = '(?:address_[12]|street)'

const BEFORE_VALUE = String.raw`(?:\\*["'])?\s*[:=]\s*`
const SECRET_NAME = new RegExp(SECRET_NAMES + BEFORE_VALUE, 'gi')
const PHONE_NAME = new RegExp(PHONE_NAMES + BEFORE_VALUE, 'gi')
const ADDRESS_NAME = new RegExp(ADDRESS_NAMES + BEFORE_VALUE, 'gi')
/** A value after a name: in quotes (also of JSON within JSON, or cut off), a list, or a bare word. */
const VALUE =
  /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|\\+["'](?:[^\\]|\\+(?!["'\\]))*(?:\\+["']|$)|[[{][^\]}]*(?:[\]}]|$)|[^\s&;,"'<>()[\]{}\\]+/y

const redactValues = (text: string, name: RegExp, replacement: string): string => {
  let [result, end] = ['', 0]
  for (let match = name.exec(text); match; match = name.exec(text)) {
    VALUE.lastIndex = name.lastIndex
    if (VALUE.test(text)) {
      result += text.slice(end, name.lastIndex) + replacement
      end = VALUE.lastIndex
      name.lastIndex = end
    } else name.lastIndex = match.index + 1
  }
  return result + text.slice(end)
}

/** A whole header line, because its value can contain spaces, semicolons and commas. */
const HEADER_LINE = /((?<![\w-])(?:proxy-)?(?:authorization|set-cookie|cookie)\s*[:=](?!\s*\\*["'[{])[^\S\r\n]*)[^\s"'\\][^\r\n"'\\]*/gi
/** Parameters of a sign-in in a URL. Elsewhere these names are common words. */
const QUERY_PARAMETER = /([?&#](?:auth|code|state|session_state|nonce|sid|key|sig|signature)=)[^&#\s"'\\]+/gi
const AUTHENTICATION_SCHEME = /\b(Bearer|Basic|Digest|Negotiate)(\s+|%20|\+)[\w.~+/=-]{6,}/gi
/** `https://name:password@host` */
const URL_CREDENTIALS = /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,200}@/gi
const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g
const KNOWN_KEYS =
  /\b(?:sk|pk|rk|whsec)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abeprs]-[\w-]{10,}|\bA(?:KIA|SIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}/g
const HEXADECIMAL = /(?<![\w])[0-9a-f]{32,}(?![\w])/gi
/** 32 or more letters of both cases and digits: not a name that a person would choose. */
const RANDOM_STRING = /(?<![\w/+-])(?=[\w+-]{0,200}[a-z])(?=[\w+-]{0,200}[A-Z])(?=[\w+-]{0,200}\d)[\w+-]{32,}={0,2}/g
const PHONE_NUMBER = /(?<![\w.-])(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/g
const NETWORK_ADDRESS = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g
const LOOPBACK = /^127\.|^0\.0\.0\.0$/

/** The rest of an email address, from its @ on. */
const MAIL_DOMAIN = /(?:@|%40)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi
const MAILBOX_CHARACTER = /[\w.+'-]/
const MAX_MAILBOX_LENGTH = 64

/** Matches the mailbox backwards from the @, because forward every letter could begin an address. */
const redactEmails = (text: string): string => {
  let [result, end] = ['', 0]
  for (let match = MAIL_DOMAIN.exec(text); match; match = MAIL_DOMAIN.exec(text)) {
    let start = match.index
    while (start > end && match.index - start < MAX_MAILBOX_LENGTH && MAILBOX_CHARACTER.test(text.charAt(start - 1))) start--
    if (start === match.index) {
      MAIL_DOMAIN.lastIndex = match.index + 1
      continue
    }
    result += `${text.slice(end, start)}[email]`
    end = MAIL_DOMAIN.lastIndex
  }
  return result + text.slice(end)
}

const replaceKeepingName = (replacement: string) => (_match: string, name: string) => `${name}${replacement}`

/**
 * Replaces everything that must not be stored in the error log with a word in brackets: passwords, tokens, tickets, cookies and keys; email, network
 * and street addresses; phone numbers. It is idempotent.
 */
export const redact = (text: string): string => {
  const withoutSecrets = redactValues(text.replace(HEADER_LINE, replaceKeepingName(SECRET)), SECRET_NAME, SECRET)
  const withoutNamed = redactValues(redactValues(withoutSecrets, PHONE_NAME, PHONE), ADDRESS_NAME, '[address]')
  const withoutKeys = withoutNamed
    .replace(QUERY_PARAMETER, replaceKeepingName(SECRET))
    .replace(AUTHENTICATION_SCHEME, (_match, scheme: string) => `${scheme} ${SECRET}`)
    .replace(URL_CREDENTIALS, `${SECRET}@`)
    .replace(JSON_WEB_TOKEN, SECRET)
    .replace(KNOWN_KEYS, SECRET)
    .replace(HEXADECIMAL, SECRET)
    .replace(RANDOM_STRING, SECRET)
  return redactEmails(withoutKeys)
    .replace(PHONE_NUMBER, PHONE)
    .replace(NETWORK_ADDRESS, (match) => (LOOPBACK.test(match) ? match : '[ip]'))
}
