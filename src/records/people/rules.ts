import { toDialedNumber } from '../../contract/phones.ts'
import { isUuid } from '../../contract/slugs.ts'
import { isClosed } from '../../contract/status.ts'
import type { PersonWithSites } from './contract.ts'

// Contacts are vCard 3.0 (RFC 2426), which phones, Outlook and address books can all read.

/** The parts of a name, guessed from its words. */
export interface NameParts {
  readonly prefix: string
  readonly given: string
  readonly additional: string
  readonly family: string
  readonly suffix: string
  readonly nickname: string
}

const PREFIX = /^(?:dr|mr|mrs|ms|mx|prof|rev|sr\.?a|fr)\.?$/i
const SUFFIX =
  /^(?:jr|sr|i{2,3}|iv|vi{0,3}|esq|m\.?d|ph\.?d|ed\.?d|psy\.?d|d\.?d\.?s|j\.?d|m\.?ed|m\.?a|m\.?s|m\.?b\.?a|m\.?s\.?w|b\.?a|r\.?n|cpa)\.?$/i
/** Particles that belong to the family name after them. */
const PARTICLE =
  /^(?:de|del|della|dela|di|da|das|do|dos|du|la|las|los|le|van|vander|von|der|den|ter|ten|zu|zur|el|al|bin|ibn|ben|abu|san|santa|st|ste|saint|mac|mc)\.?$/i
/** Words that join the family name before them to the one after. */
const JOIN = /^(?:y|e|i|und)$/i
const NICKNAME = /[“"]([^“”"]+)[”"]|\(([^()]+)\)|(?<=\s)[‘']([^‘’']+)[’'](?=\s|$)/u
/** Names consisting only of Chinese characters or Hangul begin with the family name. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hangul}]{2,4}$/u

/** The index where the family name begins: the last word with its particles, never the first word. */
const findFamilyNameStart = (words: readonly string[]): number => {
  let at = words.length - 1
  while (at > 1) {
    const before = words[at - 1] ?? ''
    if (PARTICLE.test(before)) at -= 1
    else if (JOIN.test(before) && at > 2) at -= 2
    else break
  }
  return at
}

/** Parses a name such as 'Mary Kate St. John-Smythe, Ed.D.'. */
export const parseName = (name: string): NameParts => {
  const called = NICKNAME.exec(name)
  const nickname = (called?.[1] ?? called?.[2] ?? called?.[3] ?? '').trim()
  const [main = '', ...after] = name
    .replace(NICKNAME, ' ')
    .split(',')
    .map((part) => part.trim())
  const isSuffix = (part: string) => part.split(/\s+/).every((word) => SUFFIX.test(word))
  const rest = after.filter((part) => part !== '' && !isSuffix(part))
  const suffixes = after.filter((part) => part !== '' && isSuffix(part))
  // 'Vance, Marisol'
  const inverted = rest.length > 0
  const words = (inverted ? rest.join(' ') : main).split(/\s+/).filter(Boolean)
  const prefixes: string[] = []
  while (words.length > 1 && PREFIX.test(words[0] ?? '')) prefixes.push(words.shift() ?? '')
  while (words.length > 2 && SUFFIX.test(words.at(-1) ?? '')) suffixes.unshift(words.pop() ?? '')
  const formatParts = { prefix: prefixes.join(' '), suffix: suffixes.join(' '), nickname }
  const [only = ''] = words
  if (inverted) return { ...formatParts, given: only, additional: words.slice(1).join(' '), family: main }
  if (words.length < 2) {
    const [family = '', ...given] = FAMILY_FIRST.test(only) ? [...only] : ['', only]
    return { ...formatParts, given: given.join(''), additional: '', family }
  }
  const from = findFamilyNameStart(words)
  return { ...formatParts, given: only, additional: words.slice(1, from).join(' '), family: words.slice(from).join(' ') }
}

/** Escapes a text for a contact, so that it cannot add a line or a value. */
const escapeText = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/\r\n?|\n|\u2028|\u2029/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[,;]/g, '\\$&')
const parts = (values: readonly (string | null | undefined)[]): string => values.map((value) => escapeText(value ?? '')).join(';')

/** A number to dial. A text without digits stays as it is. */
const formatPhoneNumber = (phone: string): string => (/\d/.test(phone) ? toDialedNumber(phone) : escapeText(phone))

const MAX_LINE_BYTES = 75
const encoder = new TextEncoder()

/** Folds a line at 75 bytes as the format requires, never inside a character. */
const foldLine = (line: string): string => {
  const lines = ['']
  let room = MAX_LINE_BYTES
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (size > room) {
      lines.push(' ')
      room = MAX_LINE_BYTES - 1
    }
    lines[lines.length - 1] += letter
    room -= size
  }
  return lines.join('\r\n')
}

const buildVcard = (lines: readonly (string | null)[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD']
    .filter((line) => line !== null)
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')

type Contact = Pick<PersonWithSites, '_id' | 'slug' | 'name' | 'phone' | 'email' | 'fax' | 'roles' | 'locations' | 'updatedAt'>

/** The URL of a person's page. */
export const getPersonUrl = (origin: string, { slug }: Pick<Contact, 'slug'>): string => `${origin}/staff/${encodeURIComponent(slug)}`

/** The site whose address a contact has: the first open one, otherwise the first. */
const findMainSite = ({ locations }: Contact) => (locations.find(({ site }) => !isClosed(site.status)) ?? locations[0])?.site

const formatNameLines = ({ name }: Contact): (string | null)[] => {
  const { prefix, given, additional, family, suffix, nickname } = parseName(name)
  return [
    `FN:${escapeText(name)}`,
    `N:${parts([family, given, additional, prefix, suffix])}`,
    nickname ? `NICKNAME:${escapeText(nickname)}` : null,
  ]
}
const formatWorkLines = (person: Contact, withNetwork = true): (string | null)[] => {
  const charter = findMainSite(person)?.charter
  return [
    charter ? `ORG:${parts(withNetwork ? [charter.name, charter.brandName] : [charter.name])}` : null,
    person.roles.length > 0 ? `TITLE:${escapeText(person.roles.map((role) => role.name).join(', '))}` : null,
    person.phone ? `TEL;TYPE=WORK,VOICE:${formatPhoneNumber(person.phone)}` : null,
  ]
}
const formatEmailLine = ({ email }: Contact): string | null => (email ? `EMAIL;TYPE=INTERNET,WORK:${escapeText(email)}` : null)

/** A person as a contact; `page` is the URL of their page. */
export const formatVcard = (person: Contact, page: string): string => {
  const address = findMainSite(person)?.address
  const street = [address?.address_1, address?.address_2].filter(Boolean).join(', ')
  return buildVcard([
    ...formatNameLines(person),
    ...formatWorkLines(person),
    person.fax ? `TEL;TYPE=WORK,FAX:${formatPhoneNumber(person.fax)}` : null,
    formatEmailLine(person),
    address && (street || address.city) ? `ADR;TYPE=WORK:${parts(['', '', street, address.city, address.state, address.zip, ''])}` : null,
    `URL:${page}`,
    `UID:${isUuid(person._id) ? 'urn:uuid:' : ''}${person._id}`,
    `REV:${person.updatedAt}`,
  ])
}

/** A shorter contact, for a QR code that a phone can read from a screen. */
export const formatShortVcard = (person: Contact, page: string): string =>
  buildVcard([...formatNameLines(person), ...formatWorkLines(person, false), formatEmailLine(person), `URL:${page}`])
