import type { z } from 'zod'

import { compareBytes } from '../../../contract/byte-order.ts'
import { type Archived, toPictureUrl } from '../../../contract/fields.ts'
import type { CharterReference, CharterSummary, PersonReference, RegionReference, SiteSummary } from '../../../contract/references.ts'
import { EXPECTED_ROLES, findVacantRoles } from '../../../contract/roles.ts'
import { isInStatusGroup } from '../../../contract/status.ts'
import type { ReadModel } from './read-model.ts'
import type { ModelRow } from './tables.ts'

// What one record shows of another, in the shapes of contract/references.ts.

/** A moment in JSON format: ISO 8601 in UTC with milliseconds, from PostgreSQL's text of a moment in UTC. */
export const toMoment = <T extends string | null>(text: T): T =>
  (text === null ? null : `${text.slice(0, 19)}.${(/\.(\d{1,3})/.exec(text)?.[1] ?? '').padEnd(3, '0')}Z`) as T

/** A picture's URL from its id, or null. */
export const getPictureUrl = (picture: string | null): string | null => (picture === null ? null : toPictureUrl(picture))

/** Version, time and author of the last change, as every record shows them. */
export const toRecordFields = ({ version, updatedAt, updatedBy }: { version: number; updatedAt: string; updatedBy: string | null }) => ({
  version,
  updatedAt: toMoment(updatedAt),
  updatedBy,
})

/** When, by whom and why a record was archived; nothing for one in use. It does not change as long as it is archived. */
export const toArchived = (row: Pick<ModelRow<'site'>, 'archivedAt' | 'archivedReason' | 'updatedBy'>): { readonly archived?: Archived } =>
  row.archivedAt === null ? {} : { archived: { at: toMoment(row.archivedAt), by: row.updatedBy, reason: row.archivedReason } }

/** When and by whom a record was last checked. */
export const toCheckFields = ({ checkedAt, checkedBy }: { checkedAt: string | null; checkedBy: string | null }) => ({
  checkedAt: toMoment(checkedAt),
  checkedBy,
})

/** Sorts by several texts, compared by code unit: the first difference decides. */
export const sortByTexts = <T>(items: Iterable<T>, ...getTexts: ((item: NoInfer<T>) => string)[]): T[] =>
  [...items].toSorted((a, b) => {
    for (const getText of getTexts) {
      const order = compareBytes(getText(a), getText(b))
      if (order !== 0) return order
    }
    return 0
  })

export const getId = ({ _id }: { readonly _id: string }): string => _id
const sortSites = (sites: readonly ModelRow<'site'>[]) => sortByTexts(sites, ({ displayName }) => displayName, getId)

export const toRegionReference = ({ _id, slug, name }: ModelRow<'region'>): z.infer<typeof RegionReference> => ({ _id, slug, name })

export const toCharterReference = (
  model: ReadModel,
  { _id, slug, name, brand, version }: ModelRow<'charter'>,
): z.infer<typeof CharterReference> => ({ _id, slug, name, brand, brandName: model.table('brand').need(brand).brandName, version })

export const toPersonReference = ({ _id, slug, name, phone, email, version }: ModelRow<'person'>): PersonReference => ({
  _id,
  slug,
  name,
  phone,
  email,
  version,
})

/** The people of a site with their roles, by role and name. */
export const getSiteStaff = (model: ReadModel, site: string) =>
  sortByTexts(
    model
      .table('site_person')
      .where('site', site)
      .map(({ _id, person, role }) => ({ _id, person: model.table('person').need(person), role: model.table('role').need(role) })),
    ({ role }) => role.name,
    ({ person }) => person.name,
    getId,
  )

const findPrincipal = (model: ReadModel, site: string): PersonReference | null => {
  const positions = model.table('site_person').where('site', site)
  const principals = positions.filter(({ role }) => model.table('role').need(role).name === 'Principal')
  const [first] = sortByTexts(
    principals.map(({ person }) => model.table('person').need(person)),
    ({ name }) => name,
    getId,
  )
  return first ? toPersonReference(first) : null
}

/** The vacant ones of the roles that every site of its facility type should have, in their order. */
export const getVacantRoles = (model: ReadModel, { _id, category }: ModelRow<'site'>): string[] => {
  const roles = model.table('role')
  const held = new Set(
    model
      .table('site_person')
      .where('site', _id)
      .map(({ role }) => roles.need(role).name),
  )
  const vacant = new Set(findVacantRoles([...roles.all()], category, (role) => held.has(role)))
  return EXPECTED_ROLES.filter((role) => vacant.has(role))
}

const toShortAddress = ({ address_1, address_2, city, state, zip, phone }: ModelRow<'site'>): SiteSummary['address'] => ({
  address_1,
  address_2,
  city,
  state,
  zip,
  phone,
})

/** A site as lists and cards show it; with a more detailed address if one is given. */
export const toSiteSummary = <A = SiteSummary['address']>(
  model: ReadModel,
  site: ModelRow<'site'>,
  toAddress: (site: ModelRow<'site'>) => A = toShortAddress as unknown as (site: ModelRow<'site'>) => A,
) => {
  const charter = model.table('charter').get(site.charter)
  const region = model.table('region').get(site.region)
  return {
    _id: site._id,
    slug: site.slug,
    name: site.name,
    displayName: site.displayName,
    category: site.category,
    finance_id: site.finance_id,
    status: site.status,
    photo: getPictureUrl(site.photo),
    address: toAddress(site),
    charter: charter ? toCharterReference(model, charter) : null,
    region: region ? toRegionReference(region) : null,
    principal: findPrincipal(model, site._id),
    vacant: getVacantRoles(model, site),
    version: site.version,
    updatedAt: toMoment(site.updatedAt),
    checkedAt: toMoment(site.checkedAt),
  }
}

/** The summaries of sites, sorted by name. */
export const toSiteSummaries = (model: ReadModel, sites: readonly ModelRow<'site'>[]): SiteSummary[] =>
  sortSites(sites).map((site) => toSiteSummary(model, site))

/** Sites with only what counting and grouping needs, sorted by name. */
export const toSiteStatuses = (sites: readonly ModelRow<'site'>[]) =>
  sortSites(sites).map(({ _id, slug, displayName, status, version }) => ({ _id, slug, displayName, status, version }))

/** A charter as a brand lists it. */
export const toCharterSummary = (
  model: ReadModel,
  { _id, slug, name, abbreviation, status, studentCount, photo, version }: ModelRow<'charter'>,
): CharterSummary => {
  const sites = model.table('site').where('charter', _id)
  return {
    _id,
    slug,
    name,
    abbreviation,
    status,
    studentCount,
    photo: getPictureUrl(photo),
    siteCount: sites.length,
    activeSiteCount: sites.filter((site) => isInStatusGroup('active', site.status)).length,
    version,
  }
}
