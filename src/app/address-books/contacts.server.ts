import { getRecordPath } from '../../contract/records.ts'
import { isUuid } from '../../contract/slugs.ts'
import { isClosed } from '../../contract/status.ts'
import type { BookContact } from '../../features/exchange/address-books/address-books.server.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { getId, sortByTexts } from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import { parseName } from '../../records/people/rules.ts'

type SiteRow = ModelRow<'site'>

const toUid = (_id: string): string => `${isUuid(_id) ? 'urn:uuid:' : ''}${_id}`

const toAddress = ({ address_1, address_2, city, state, zip }: SiteRow): BookContact['address'] => {
  const street = [address_1, address_2].filter(Boolean).join(', ')
  return street || city ? { street, city, state, zip } : null
}

const getRegionNames = (model: ReadModel, sites: readonly SiteRow[]): string[] =>
  [...new Set(sites.flatMap(({ region }) => model.table('region').get(region)?.name ?? []))].toSorted()

/** A role at more sites says how many they are. */
const MAX_NAMED_SITES = 3

/** 'Principal, Lodi Resource Center; Area Superintendent, 14 sites' */
const formatTitle = (roles: ReadonlyMap<string, readonly SiteRow[]>): string | null =>
  [...roles]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, sites]) => {
      const names = sites.map(({ displayName }) => displayName)
      return `${role}, ${names.length > MAX_NAMED_SITES ? `${names.length} sites` : names.join(' and ')}`
    })
    .join('; ') || null

/** A person with their roles, and the address of their first open site. */
const toPersonContact = (model: ReadModel, person: ModelRow<'person'>, publicUrl: string, photo: BookContact['photo']): BookContact => {
  const positions = sortByTexts(
    model
      .table('site_person')
      .where('person', person._id)
      .map(({ _id, site, role }) => ({ _id, site: model.table('site').need(site), role: model.table('role').need(role).name })),
    ({ site }) => site.displayName,
    ({ role }) => role,
    getId,
  )
  const roles = new Map<string, SiteRow[]>()
  for (const { role, site } of positions) roles.set(role, [...(roles.get(role) ?? []), site])
  const sites = [...new Set(positions.map(({ site }) => site))]
  const main = sites.find(({ status }) => !isClosed(status)) ?? sites[0]
  const charter = main && model.table('charter').get(main.charter)
  return {
    uid: toUid(person._id),
    name: person.name,
    nameParts: parseName(person.name),
    organization: charter ? [charter.name, model.table('brand').need(charter.brand).brandName] : [],
    title: formatTitle(roles),
    phone: person.phone,
    fax: person.fax,
    email: person.email,
    address: main ? toAddress(main) : null,
    url: `${publicUrl}${getRecordPath({ kind: 'person', slug: person.slug })}`,
    categories: getRegionNames(model, sites),
    photo,
    // Without it, a change of something that the card does not have does not change the card.
    changedAt: null,
  }
}

/** A site with the number of its front desk. */
const toSiteContact = (model: ReadModel, site: SiteRow, publicUrl: string): BookContact => {
  const charter = model.table('charter').get(site.charter)
  return {
    uid: toUid(site._id),
    name: site.displayName,
    nameParts: null,
    organization: [site.displayName, ...(charter ? [charter.name] : [])],
    title: null,
    phone: site.phone,
    fax: site.fax,
    email: null,
    address: toAddress(site),
    url: `${publicUrl}${getRecordPath({ kind: 'site', slug: site.slug })}`,
    categories: getRegionNames(model, [site]),
    photo: site.photo === null ? null : { picture: site.photo },
    changedAt: null,
  }
}

/** The kinds of records that are contacts. */
export const CONTACT_KINDS = ['person', 'site'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]
export interface ContactRecord {
  readonly kind: ContactKind
  readonly _id: string
}

/** Ids of records that were imported may have characters that a path does not. */
const isPlain = (_id: string): boolean => /^[a-z\d][\w.-]*$/i.test(_id)

/** The name of a record's card: `person-{_id}`. */
export const toMemberName = ({ kind, _id }: ContactRecord): string =>
  `${kind}-${isPlain(_id) ? _id : `-${Buffer.from(_id).toString('base64url')}`}`

export const readMemberName = (name: string): ContactRecord | undefined => {
  const kind = CONTACT_KINDS.find((one) => name.startsWith(`${one}-`))
  if (!kind) return undefined
  const key = name.slice(kind.length + 1)
  return { kind, _id: key.startsWith('-') ? Buffer.from(key.slice(1), 'base64url').toString('utf8') : key }
}

/** Where the photos of contacts are read that are not in the database. */
export interface ContactUrls {
  readonly publicUrl: string
  readonly getPhotoUrl: (member: string) => string | null
}

/** A record as a contact; undefined if it is gone or archived, or for someone who is no longer employed. */
export const findContact = (model: ReadModel, record: ContactRecord, { publicUrl, getPhotoUrl }: ContactUrls): BookContact | undefined => {
  if (record.kind === 'site') {
    const site = model.table('site').getListed(record._id)
    return site && toSiteContact(model, site, publicUrl)
  }
  const person = model.table('person').getListed(record._id)
  if (!person || person.leftAt !== null) return undefined
  const url = person.email === null ? null : getPhotoUrl(toMemberName(record))
  return toPersonContact(model, person, publicUrl, url === null ? null : { url })
}
