import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildNewShape, buildOutputShape } from '../../contract/field-definitions.ts'
import { archivedFields, bySlug, checkFields, recordFields, text } from '../../contract/fields.ts'
import { SiteSummary } from '../../contract/references.ts'
import { EnrollmentInfo } from '../enrollment/contract.ts'
import { FacilityInfo } from '../facility/contract.ts'
import { SisSite } from '../sis-sites/contract.ts'
import { SitePerson } from '../site-staff/contract.ts'
import { ADDRESS_FIELDS, NEW_SITE_EMAIL_FIELDS, SITE_FIELDS } from './fields.ts'

/** A site's address, contact and hours in a response. */
export const Address = SiteSummary.shape.address.extend(buildOutputShape(ADDRESS_FIELDS))

/** A site with everything its pages show. `updatedAt` covers its parts as well. */
export const Site = SiteSummary.extend({
  address: Address,
  /** Decimal degrees, and the id in a public directory; set by the importer. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  directory_id: text,
  people: z.array(SitePerson),
  facility_info: FacilityInfo,
  enrollment_info: EnrollmentInfo,
  sis_sites: z.array(SisSite),
  ...recordFields,
  ...checkFields,
  ...archivedFields,
})
export type Site = z.infer<typeof Site>

export const listSites = call('GET', '/locations-api/sites_pop', {
  shows: ['site', 'charter', 'brand', 'region', 'person'],
  capability: 'browse the directory',
  summary: 'All sites with everything their pages show.',
  response: z.array(Site),
})

export const listSiteSummaries = call('GET', '/locations-api/site_summaries', {
  shows: ['site', 'charter', 'brand', 'region', 'person'],
  capability: 'browse the directory',
  summary: 'All sites with only the fields that lists and cards show; about a tenth of the size of sites_pop.',
  response: z.array(SiteSummary),
})

export const readSite = call('GET', '/locations-api/siteslugprograms/:slug', {
  capability: 'browse the directory',
  summary: 'One site, by slug or _id, with everything its pages show.',
  params: bySlug,
  response: Site,
})

export const AddressInput = z.strictObject(buildInputShape(ADDRESS_FIELDS))
export const SiteInput = z.strictObject(buildInputShape(SITE_FIELDS))

export const NewSite = z.strictObject({
  ...buildNewShape(SITE_FIELDS),
  address: z.strictObject(buildNewShape(ADDRESS_FIELDS)),
  enrollment_info: z.strictObject(buildInputShape(NEW_SITE_EMAIL_FIELDS)),
})
export type NewSite = z.infer<typeof NewSite>

/** A change of any fields of a site. */
export const SiteChange = SiteInput.extend({ address: AddressInput.partial() }).partial()
export type SiteChange = z.infer<typeof SiteChange>

export const createSite = call('POST', '/locations-api/site', {
  capability: 'edit a site',
  summary: 'Creates a site, with its facility and enrollment records. Its slug is made from the display name.',
  body: NewSite,
  response: Site,
})

export const updateSite = editCall('PATCH', '/locations-api/sites/:id', {
  capability: 'edit a site',
  summary: 'Changes the given fields of a site and of its address.',
  body: SiteChange,
  response: Site,
})
