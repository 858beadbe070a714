import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { bySlug, recordFields, text } from '../../platform/contract/fields.ts'
import { SiteSummary } from '../../platform/contract/references.ts'
import { EnrollmentInfo } from '../enrollment/contract.ts'
import { FacilityInfo } from '../facility/contract.ts'
import { SisSite } from '../sis-sites/contract.ts'
import { SitePerson } from '../site-staff/contract.ts'

/** Facility types (section 9, D18); an imported site may have another or none. */
export const FACILITY_TYPES = ['Resource Center', 'Distribution Center', 'Online', 'Administrative Office', 'Partnership'] as const

/** A site's address and hours (section 3). Times are wall-clock times as the choices of section 9 spell them. */
export const Address = SiteSummary.shape.address.extend({
  fax: text,
  start_day: text,
  end_day: text,
  start_time: text,
  end_time: text,
  description: text,
  closures: text,
})

/** A site with everything its pages show (section 3). `updatedAt` covers its parts as well (D21). */
export const Site = SiteSummary.extend({
  address: Address,
  /** Degrees north and east, and the id in a public directory; filled by the importer. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  directory_id: text,
  people: z.array(SitePerson),
  facility_info: FacilityInfo,
  enrollment_info: EnrollmentInfo,
  sis_sites: z.array(SisSite),
  ...recordFields,
})
export type Site = z.infer<typeof Site>

export const listSites = call({
  method: 'GET',
  path: '/locations-api/sites_pop',
  needs: 'browse the directory',
  does: 'All sites with everything their pages show.',
  answer: z.array(Site),
})

export const listSiteSummaries = call({
  method: 'GET',
  path: '/locations-api/site_summaries',
  needs: 'browse the directory',
  does: 'All sites with just what lists and cards show: a tenth of sites_pop.',
  answer: z.array(SiteSummary),
})

export const readSite = call({
  method: 'GET',
  path: '/locations-api/siteslugprograms/:slug',
  needs: 'browse the directory',
  does: 'One site, by slug or _id, with everything its pages show.',
  params: bySlug,
  answer: Site,
})
