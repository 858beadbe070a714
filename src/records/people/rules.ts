import { isUuid } from '../../contract/slugs.ts'
import { isClosed } from '../../contract/status.ts'
import { type Contact, listVcardProperties, type NameParts, writeVcard } from '../../contract/vcard.ts'
import type { PersonWithSites } from './contract.ts'

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

type ListedPerson = Pick<PersonWithSites, '_id' | 'slug' | 'name' | 'phone' | 'email' | 'fax' | 'roles' | 'locations' | 'updatedAt'>

/** The URL of a person's page. */
export const getPersonUrl = (origin: string, { slug }: Pick<ListedPerson, 'slug'>): string => `${origin}/staff/${encodeURIComponent(slug)}`

/** The site whose address a contact has: the first open one, otherwise the first. */
const findMainSite = ({ locations }: ListedPerson) => (locations.find(({ site }) => !isClosed(site.status)) ?? locations[0])?.site

/** A person as a contact; `page` is the URL of their page. */
const toContact = (person: ListedPerson, page: string): Contact => {
  const { charter, address } = findMainSite(person) ?? {}
  const street = [address?.address_1, address?.address_2].filter(Boolean).join(', ')
  return {
    uid: `${isUuid(person._id) ? 'urn:uuid:' : ''}${person._id}`,
    name: person.name,
    nameParts: parseName(person.name),
    organization: charter ? [charter.name, charter.brandName] : [],
    title: person.roles.map((role) => role.name).join(', ') || null,
    phone: person.phone,
    fax: person.fax,
    email: person.email,
    address: address && (street || address.city) ? { ...address, street } : null,
    url: page,
    categories: [],
    photo: null,
    changedAt: person.updatedAt,
  }
}

/** A person as a contact file; `page` is the URL of their page. */
export const formatVcard = (person: ListedPerson, page: string): string =>
  writeVcard(listVcardProperties(toContact(person, page), '3.0'), '3.0')

/** A shorter contact, for a QR code that a phone can read from a screen. */
export const formatShortVcard = (person: ListedPerson, page: string): string => {
  const contact = toContact(person, page)
  const short = { ...contact, organization: contact.organization.slice(0, 1), fax: null, address: null, uid: '', changedAt: null }
  return writeVcard(listVcardProperties(short, '3.0'), '3.0')
}
