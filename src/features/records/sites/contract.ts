import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { byIdOrSlug, bySlug, recordFields, text } from '../../../platform/contract/fields.ts'
import { FAX_PATTERN, INVALID_FAX, PHONE_PATTERN, INVALID_PHONE } from '../../../platform/contract/phones.ts'
import { SiteSummary } from '../../../platform/contract/references.ts'
import { STATUSES } from '../../../platform/contract/status.ts'
import {
  choice,
  optionalPattern,
  optionalId,
  optionalLine,
  optionalMultiline,
  requiredEmails,
  requiredPattern,
  requiredId,
  requiredLine,
} from '../../../platform/contract/text-schemas.ts'
import { EnrollmentInfo } from '../enrollment/contract.ts'
import { FacilityInfo } from '../facility/contract.ts'
import { SisSite } from '../sis-sites/contract.ts'
import { SitePerson } from '../site-staff/contract.ts'

/** Facility types; an imported site may have another or none. */
export const FACILITY_TYPES = ['Resource Center', 'Distribution Center', 'Online', 'Administrative Office', 'Partnership'] as const

/** Days of the week and the times a site opens and closes. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const START_TIMES = ['7:00AM', '7:30AM', '8:00AM', '8:30AM', '9:00AM', '9:30AM', '10:00AM', '10:30AM', '11:00AM', '11:30AM', '12:00PM', '12:30PM', '1:00PM', '1:30PM'] as const // prettier-ignore
export const END_TIMES = ['11:00AM', '11:30AM', '12:00PM', '12:30PM', '1:00PM', '1:30PM', '2:00PM', '2:30PM', '3:00PM', '3:30PM', '4:00PM', '4:30PM', '5:00PM', '5:30PM', '6:00PM', '6:30PM', '7:00PM'] as const // prettier-ignore
/** The states of section 9. */
export const STATES = ['CA', 'MI', 'OH', 'SC', 'TX'] as const

/** A site's address and hours. Times are wall-clock times as the choices of section 9 spell them. */
export const Address = SiteSummary.shape.address.extend({
  fax: text,
  start_day: text,
  end_day: text,
  start_time: text,
  end_time: text,
  description: text,
  closures: text,
})

/** A site with everything its pages show. `updatedAt` covers its parts as well. */
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
  capability: 'browse the directory',
  summary: 'All sites with everything their pages show.',
  response: z.array(Site),
})

export const listSiteSummaries = call({
  method: 'GET',
  path: '/locations-api/site_summaries',
  capability: 'browse the directory',
  summary: 'All sites with only the fields that lists and cards show; about a tenth of the size of sites_pop.',
  response: z.array(SiteSummary),
})

export const readSite = call({
  method: 'GET',
  path: '/locations-api/siteslugprograms/:slug',
  capability: 'browse the directory',
  summary: 'One site, by slug or _id, with everything its pages show.',
  params: bySlug,
  response: Site,
})

/** Limits of section 9. */
export const MAX_SITE_NAME_LENGTH = 50
export const MAX_DISPLAY_NAME_LENGTH = 60
const MAX_CITY_LENGTH = 50
const MAX_FINANCE_ID_LENGTH = 20

/** A site's address and hours as they are written. */
export const AddressInput = z.strictObject({
  address_1: requiredLine(),
  address_2: optionalLine(),
  city: requiredLine(MAX_CITY_LENGTH),
  state: choice(STATES),
  zip: requiredPattern(/^\d{5}$/, 'Enter exactly five digits'),
  phone: requiredPattern(PHONE_PATTERN, INVALID_PHONE),
  fax: optionalPattern(FAX_PATTERN, INVALID_FAX),
  start_day: choice(DAYS),
  end_day: choice(DAYS),
  start_time: choice(START_TIMES),
  end_time: choice(END_TIMES),
  description: optionalMultiline(),
  closures: optionalMultiline(),
})

/** The body's own level of a site as it is written: `charter` and `region` are `_id`s, `photo` a picture's. */
export const SiteInput = z.strictObject({
  name: optionalLine(MAX_SITE_NAME_LENGTH),
  displayName: requiredLine(MAX_DISPLAY_NAME_LENGTH),
  status: choice(STATUSES),
  charter: requiredId(),
  region: requiredId(),
  category: choice(FACILITY_TYPES),
  finance_id: optionalPattern(new RegExp(`^\\d{1,${MAX_FINANCE_ID_LENGTH}}$`), `Digits only, at most ${MAX_FINANCE_ID_LENGTH}`),
  photo: optionalId(),
})

/** A new site: everything that is required, with the defaults of section 9 for what is chosen from a list. */
export const NewSite = SiteInput.extend({
  name: requiredLine(MAX_SITE_NAME_LENGTH),
  status: choice(STATUSES).default('ACTIVE'),
  category: choice(FACILITY_TYPES).default('Resource Center'),
  finance_id: SiteInput.shape.finance_id.default(null),
  photo: optionalId().default(null),
  address: AddressInput.extend({
    address_2: optionalLine().default(null),
    fax: AddressInput.shape.fax.default(null),
    state: choice(STATES).default('CA'),
    start_day: choice(DAYS).default('Monday'),
    end_day: choice(DAYS).default('Friday'),
    start_time: choice(START_TIMES).default('9:00AM'),
    end_time: choice(END_TIMES).default('5:00PM'),
    description: optionalMultiline().default(null),
    closures: optionalMultiline().default(null),
  }),
  enrollment_info: z.strictObject({ registrationEmail: requiredEmails(), interestEmail: requiredEmails() }),
})
export type NewSite = z.infer<typeof NewSite>

/** Any part of a site. */
export const SiteChange = SiteInput.extend({ address: AddressInput.partial() }).partial()
export type SiteChange = z.infer<typeof SiteChange>

export const createSite = call({
  method: 'POST',
  path: '/locations-api/site',
  capability: 'edit a site',
  summary: 'Creates a site, with its facility and enrollment records. Its slug is made from the display name.',
  body: NewSite,
  response: Site,
})

export const updateSite = call({
  method: 'PATCH',
  path: '/locations-api/sites/:id',
  capability: 'edit a site',
  summary: 'Changes the given fields of a site and of its address.',
  params: byIdOrSlug,
  body: SiteChange,
  allowUnchangedInvalid: true,
  response: Site,
})
