import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { AddressBook, Member } from './address-books.server.ts'
import { COLLATIONS } from './card-filter.server.ts'
import { MAX_DAV_BODY_BYTES } from './contract.ts'
import type { PropertyName, PropertyRequest } from './dav-requests.server.ts'
import { escapeXml, writeElement, writeHref, writePropstat } from './dav-responses.server.ts'
import { CALENDAR_SERVER, CARDDAV, DAV } from './dav-xml.server.ts'

/** What a path leads to. */
export type Resource =
  | { readonly kind: 'root' | 'principals' | 'principal' | 'homes' | 'home' }
  | { readonly kind: 'book'; readonly book: AddressBook; readonly token: string }
  | { readonly kind: 'card'; readonly member: Member; readonly data?: string | undefined }

/** Where the resources of a person are. */
export interface Paths {
  readonly root: string
  readonly principals: string
  readonly principal: string
  readonly homes: string
  readonly home: string
}

export const getPaths = (root: string, { account }: SignedIn): Paths => ({
  root,
  principals: `${root}principals/`,
  principal: `${root}principals/${account}/`,
  homes: `${root}addressbooks/`,
  home: `${root}addressbooks/${account}/`,
})

export const getBookPath = ({ home }: Paths, { name }: AddressBook): string => `${home}${name}/`
export const getCardPath = (paths: Paths, book: AddressBook, name: string): string => `${getBookPath(paths, book)}${name}.vcf`

/** Writes the content of a property; undefined if the resource does not have it. */
type Property = (resource: Resource, paths: Paths, user: SignedIn) => string | undefined

const REPORTS = [
  [CARDDAV, 'addressbook-multiget'],
  [CARDDAV, 'addressbook-query'],
  [DAV, 'sync-collection'],
] as const
const writeReports = (reports: readonly (readonly [string, string])[]): string =>
  reports.map(([uri, name]) => `<D:supported-report><D:report>${writeElement({ uri, name })}</D:report></D:supported-report>`).join('')

const COLLECTION = '<D:collection/>'
const TYPES: Readonly<Record<Resource['kind'], string>> = {
  root: COLLECTION,
  principals: COLLECTION,
  principal: `${COLLECTION}<D:principal/>`,
  homes: COLLECTION,
  home: COLLECTION,
  book: `${COLLECTION}<C:addressbook/>`,
  card: '',
}
const TITLES: Readonly<Partial<Record<Resource['kind'], string>>> = { root: 'Homeroom', home: 'Address books' }

const onBook =
  (write: (book: AddressBook, token: string) => string): Property =>
  (resource) =>
    resource.kind === 'book' ? write(resource.book, resource.token) : undefined
const onCard =
  (write: (member: Member) => string): Property =>
  (resource) =>
    resource.kind === 'card' ? write(resource.member) : undefined
const onPrincipal =
  (write: (paths: Paths, user: SignedIn) => string): Property =>
  (resource, paths, user) =>
    resource.kind === 'principal' || resource.kind === 'root' ? write(paths, user) : undefined

const DAV_PROPERTIES: Readonly<Record<string, Property>> = {
  resourcetype: ({ kind }) => TYPES[kind],
  displayname: (resource, _paths, { name }) => {
    if (resource.kind === 'book') return escapeXml(resource.book.title)
    return resource.kind === 'principal' ? escapeXml(name) : TITLES[resource.kind]
  },
  getetag: onCard(({ etag }) => escapeXml(etag)),
  getcontenttype: onCard(() => 'text/vcard; charset=utf-8'),
  'sync-token': onBook((_book, token) => escapeXml(token)),
  'current-user-principal': (_resource, { principal }) => writeHref(principal),
  'principal-collection-set': (_resource, { principals }) => writeHref(principals),
  'principal-URL': onPrincipal(({ principal }) => writeHref(principal)),
  'alternate-URI-set': (resource, _paths, { azureID }) => (resource.kind === 'principal' ? writeHref(`mailto:${azureID}`) : undefined),
  owner: ({ kind }, { principal }) => (kind === 'home' || kind === 'book' || kind === 'card' ? writeHref(principal) : undefined),
  'current-user-privilege-set': () => '<D:privilege><D:read/></D:privilege><D:privilege><D:read-current-user-privilege-set/></D:privilege>',
  'supported-report-set': ({ kind }) => (kind === 'book' ? writeReports(REPORTS) : ''),
}

const CARDDAV_PROPERTIES: Readonly<Record<string, Property>> = {
  'addressbook-home-set': onPrincipal(({ home }) => writeHref(home)),
  'addressbook-description': onBook(({ description }) => escapeXml(description)),
  'supported-address-data': onBook(
    () => '<C:address-data-type content-type="text/vcard" version="3.0"/><C:address-data-type content-type="text/vcard" version="4.0"/>',
  ),
  'supported-collation-set': onBook(() =>
    Object.keys(COLLATIONS)
      .map((name) => `<C:supported-collation>${name}</C:supported-collation>`)
      .join(''),
  ),
  'max-resource-size': onBook(() => String(MAX_DAV_BODY_BYTES)),
  'address-data': (resource) => (resource.kind === 'card' ? resource.data : undefined),
}

const CALENDAR_SERVER_PROPERTIES: Readonly<Record<string, Property>> = { getctag: onBook((_book, token) => escapeXml(token)) }

const PROPERTIES: ReadonlyMap<string, Readonly<Record<string, Property>>> = new Map([
  [DAV, DAV_PROPERTIES],
  [CARDDAV, CARDDAV_PROPERTIES],
  [CALENDAR_SERVER, CALENDAR_SERVER_PROPERTIES],
])

const findProperty = ({ uri, name }: PropertyName): Property | undefined => {
  const ofNamespace = PROPERTIES.get(uri)
  return ofNamespace && Object.hasOwn(ofNamespace, name) ? ofNamespace[name] : undefined
}

/** What `allprop` and `propname` list; a card itself is only in a report. */
const ALL_PROPERTIES: readonly PropertyName[] = [...PROPERTIES].flatMap(([uri, properties]) =>
  Object.keys(properties)
    .filter((name) => name !== 'address-data')
    .map((name) => ({ uri, name })),
)

/** The properties of a resource, found or missing, as the content of its response. */
export const writeProperties = (
  { kind, properties }: PropertyRequest,
  resource: Resource,
  paths: Paths,
  user: SignedIn,
  isMinimal: boolean,
): string => {
  const found: string[] = []
  const missing: string[] = []
  for (const name of kind === 'named' ? properties : ALL_PROPERTIES) {
    const content = findProperty(name)?.(resource, paths, user)
    if (content !== undefined) found.push(writeElement(name, kind === 'names' ? '' : content))
    else if (kind === 'named') missing.push(writeElement(name))
  }
  const all = `${writePropstat(found, 200)}${isMinimal ? '' : writePropstat(missing, 404)}`
  // A response needs at least one status.
  return all === '' ? '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' : all
}
