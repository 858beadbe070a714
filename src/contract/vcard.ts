import { readPhone, toDialedNumber } from './phones.ts'

// Contacts as vCards: 3.0 (RFC 2426), which phones, Outlook and address books can all read, and 4.0 (RFC 6350).

export const VCARD_VERSIONS = ['3.0', '4.0'] as const
export type VcardVersion = (typeof VCARD_VERSIONS)[number]

/** The parts of a name. */
export interface NameParts {
  readonly prefix: string
  readonly given: string
  readonly additional: string
  readonly family: string
  readonly suffix: string
  readonly nickname: string
}

/** A picture in a contact: a file of a few kilobytes, or the address of one. */
export type ContactPhoto = { readonly type: 'JPEG' | 'PNG'; readonly base64: string } | { readonly url: string }

/** A person or a place, as an address book has it. */
export interface Contact {
  readonly uid: string
  readonly name: string
  /** Null for an organization or a place. */
  readonly nameParts: NameParts | null
  /** The organization, then its units. */
  readonly organization: readonly string[]
  readonly title: string | null
  readonly phone: string | null
  readonly fax: string | null
  readonly email: string | null
  readonly address: {
    readonly street: string
    readonly city: string | null
    readonly state: string | null
    readonly zip: string | null
  } | null
  readonly url: string
  readonly categories: readonly string[]
  readonly photo: ContactPhoto | null
  /** When it was last changed, as ISO 8601. */
  readonly changedAt: string | null
}

/** A line of a vCard: name, parameters and value as written, and the value as a plain text. */
export interface VcardProperty {
  readonly name: string
  readonly parameters: Readonly<Record<string, readonly string[]>>
  readonly value: string
  readonly text: string
}

/** Escapes a text for a contact, so that it cannot add a line or a value. */
const escapeText = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/\r\n?|\n|\u2028|\u2029/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[,;]/g, '\\$&')

type Parameters = VcardProperty['parameters']
const toProperty = (name: string, parameters: Parameters, value: string, text = value): VcardProperty => ({ name, parameters, value, text })
const toTextProperty = (name: string, text: string, parameters: Parameters = {}): VcardProperty =>
  toProperty(name, parameters, escapeText(text), text)
const toListProperty = (
  name: string,
  texts: readonly (string | null)[],
  separator: ',' | ';',
  parameters: Parameters = {},
): VcardProperty =>
  toProperty(name, parameters, texts.map((text) => escapeText(text ?? '')).join(separator), texts.map((text) => text ?? '').join(separator))

/** A number to dial. A text without digits stays as it is. */
const toPhoneProperty = (phone: string, kind: 'voice' | 'fax', version: VcardVersion): VcardProperty => {
  if (version === '3.0') {
    const parameters = { TYPE: ['WORK', kind.toUpperCase()] }
    return /\d/.test(phone) ? toProperty('TEL', parameters, toDialedNumber(phone)) : toTextProperty('TEL', phone, parameters)
  }
  const parameters = { TYPE: ['work', kind] }
  const { number, extension } = readPhone(phone) ?? {}
  if (number === undefined) return toTextProperty('TEL', phone, parameters)
  const uri = `tel:${toDialedNumber(number)}${extension === undefined ? '' : `;ext=${extension}`}`
  return toProperty('TEL', { VALUE: ['uri'], ...parameters }, uri)
}

const toPhotoProperty = (photo: ContactPhoto, version: VcardVersion): VcardProperty => {
  if ('url' in photo) return toProperty('PHOTO', version === '3.0' ? { VALUE: ['uri'] } : {}, photo.url)
  const { type, base64 } = photo
  return version === '3.0'
    ? toProperty('PHOTO', { ENCODING: ['b'], TYPE: [type] }, base64)
    : toProperty('PHOTO', {}, `data:image/${type.toLowerCase()};base64,${base64}`)
}

/** A moment as the version writes it: 4.0 has neither hyphens nor fractions of a second. */
const toRevision = (moment: string, version: VcardVersion): string =>
  version === '3.0' ? moment : moment.replace(/\.\d+/, '').replace(/[-:]/g, '')

/** The properties of a contact without those of the file itself. */
export const listVcardProperties = (contact: Contact, version: VcardVersion): VcardProperty[] => {
  const { uid, name, nameParts, organization, title, phone, fax, email, address, url, categories, photo, changedAt } = contact
  const { family = '', given = name, additional = '', prefix = '', suffix = '', nickname = '' } = nameParts ?? {}
  const isPlace = nameParts === null
  const work = { TYPE: [version === '3.0' ? 'WORK' : 'work'] }
  return [
    ...(isPlace ? [version === '3.0' ? toProperty('X-ABSHOWAS', {}, 'COMPANY') : toProperty('KIND', {}, 'org')] : []),
    toTextProperty('FN', name),
    toListProperty('N', isPlace ? ['', '', '', '', ''] : [family, given, additional, prefix, suffix], ';'),
    ...(nickname ? [toTextProperty('NICKNAME', nickname)] : []),
    ...(organization.length > 0 ? [toListProperty('ORG', organization, ';')] : []),
    ...(title ? [toTextProperty('TITLE', title)] : []),
    ...(phone ? [toPhoneProperty(phone, 'voice', version)] : []),
    ...(fax ? [toPhoneProperty(fax, 'fax', version)] : []),
    ...(email ? [toTextProperty('EMAIL', email, version === '3.0' ? { TYPE: ['INTERNET', 'WORK'] } : work)] : []),
    ...(address ? [toListProperty('ADR', ['', '', address.street, address.city, address.state, address.zip, ''], ';', work)] : []),
    ...(categories.length > 0 ? [toListProperty('CATEGORIES', categories, ',')] : []),
    ...(photo ? [toPhotoProperty(photo, version)] : []),
    ...(url ? [toProperty('URL', {}, url)] : []),
    ...(uid ? [toProperty('UID', {}, uid)] : []),
    ...(changedAt ? [toProperty('REV', {}, toRevision(changedAt, version))] : []),
  ]
}

const MAX_LINE_BYTES = 75
const encoder = new TextEncoder()

/** Folds a line at 75 bytes as the format requires, never inside a character. */
const foldLine = (line: string): string => {
  if (line.length * 3 <= MAX_LINE_BYTES) return line
  const lines = ['']
  let room = MAX_LINE_BYTES
  for (const letter of line) {
    const size = letter <= '\u007f' ? 1 : encoder.encode(letter).length
    if (size > room) {
      lines.push(' ')
      room = MAX_LINE_BYTES - 1
    }
    lines[lines.length - 1] += letter
    room -= size
  }
  return lines.join('\r\n')
}

/** `TEL;TYPE=WORK,VOICE`; in 4.0 several values are quoted, because some readers would otherwise take them for one. */
const formatName = ({ name, parameters }: VcardProperty, version: VcardVersion): string =>
  [
    name,
    ...Object.entries(parameters).map(([key, values]) => {
      const text = values.join(',')
      return `${key}=${version === '4.0' && values.length > 1 ? `"${text}"` : text}`
    }),
  ].join(';')

/** A vCard of these properties. */
export const writeVcard = (properties: readonly VcardProperty[], version: VcardVersion): string =>
  ['BEGIN:VCARD', `VERSION:${version}`, ...properties.map((property) => `${formatName(property, version)}:${property.value}`), 'END:VCARD']
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')
