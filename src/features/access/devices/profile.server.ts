import { ADDRESS_BOOKS_PATH } from './rules.ts'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Value = string | number | boolean | readonly Entries[]
type Entries = Readonly<Record<string, Value>>

const writeValue = (value: Value): string => {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return `<${value}/>`
  return `<array>${value.map(writeEntries).join('')}</array>`
}
const writeEntries = (entries: Entries): string =>
  `<dict>${Object.entries(entries)
    .map(([key, value]) => `<key>${key}</key>${writeValue(value)}`)
    .join('\n')}</dict>`

interface ProfileInput {
  readonly publicUrl: string
  readonly _id: string
  readonly account: string
  readonly username: string
  readonly password: string
}

/** A configuration profile with which an Apple device adds the address books: opening it and installing it is all that is left to do. */
export const writeProfile = ({ publicUrl, _id, account: owner, username, password }: ProfileInput): string => {
  const { hostname, port, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  // The identifiers stay the same for a device, so that installing it again replaces it.
  const identifier = `${hostname.split('.').toReversed().join('.')}.homeroom.${_id}`
  const uuid = _id.toUpperCase()
  const account = {
    PayloadType: 'com.apple.carddav.account',
    PayloadVersion: 1,
    PayloadIdentifier: `${identifier}.contacts`,
    PayloadUUID: uuid.replace(/^.{8}/, (start) => [...start].toReversed().join('')),
    PayloadDisplayName: 'Homeroom contacts',
    CardDAVAccountDescription: 'Homeroom',
    CardDAVHostName: hostname,
    CardDAVPort: port === '' ? (isSecure ? 443 : 80) : Number(port),
    CardDAVUseSSL: isSecure,
    CardDAVPrincipalURL: `${ADDRESS_BOOKS_PATH}principals/${owner}/`,
    CardDAVUsername: username,
    CardDAVPassword: password,
  }
  const profile = {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: identifier,
    PayloadUUID: uuid,
    PayloadDisplayName: 'Homeroom contacts',
    PayloadDescription: 'Adds the staff directory to Contacts, read only. Remove this profile to remove the contacts.',
    PayloadOrganization: hostname,
    PayloadContent: [account],
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${writeEntries(profile)}</plist>
`
}
