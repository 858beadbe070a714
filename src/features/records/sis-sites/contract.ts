import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { byIdOrSlug, day, id, idOrSlug, recordFields, text } from '../../../platform/contract/fields.ts'
import { optionalPattern, optionalLine, requiredId, requiredLine, optionalDay } from '../../../platform/contract/text-schemas.ts'

/** A site as the student-information system knows it. Ids are text with their leading zeros. */
export const SisSite = z.strictObject({
  _id: id,
  name: z.string(),
  /** The location it belongs to. */
  site: z.strictObject({ _id: id, slug: z.string(), name: text, displayName: z.string(), version: z.int() }),
  sislc_id: text,
  charterId: text,
  charterName: text,
  status: z.boolean(),
  activeDate: day.nullable(),
  inactiveDate: day.nullable(),
  type_array: z.array(z.string()),
  siteId: text,
  summer_district: z.boolean(),
  intersession: z.boolean(),
  home_study: z.boolean(),
  nonAdaStudents: z.boolean(),
  online_education: z.boolean(),
  activeSite: z.boolean(),
  sgi: z.boolean(),
  homeSiteId: text,
  ...recordFields,
})
export type SisSite = z.infer<typeof SisSite>

export const listSisSites = call({
  method: 'GET',
  path: '/locations-api/sis',
  capability: 'browse the directory',
  summary: 'The SIS sites of one site (`?site=` its slug or _id), or all.',
  query: z.object({ site: idOrSlug.optional() }),
  response: z.array(SisSite),
})

export const readSisSite = call({
  method: 'GET',
  path: '/locations-api/sis/:id',
  capability: 'browse the directory',
  summary: 'One SIS site.',
  params: byIdOrSlug,
  response: SisSite,
})

const numeric = () => optionalPattern(/^\d{1,20}$/, 'Digits only, at most 20')

/** A SIS site as it is written: four ids are numeric, the rest is text, dates and checkboxes. `site` is the location's `_id` or slug. */
const SisSiteInput = z.strictObject({
  name: requiredLine(),
  site: requiredId(),
  sislc_id: numeric(),
  charterId: numeric(),
  charterName: optionalLine(),
  status: z.boolean(),
  activeDate: optionalDay(),
  inactiveDate: optionalDay(),
  type_array: z.array(requiredLine(100)).max(50),
  siteId: numeric(),
  summer_district: z.boolean(),
  intersession: z.boolean(),
  home_study: z.boolean(),
  nonAdaStudents: z.boolean(),
  online_education: z.boolean(),
  activeSite: z.boolean(),
  sgi: z.boolean(),
  homeSiteId: numeric(),
})
export const SisSiteChange = SisSiteInput.partial()
export type SisSiteChange = z.infer<typeof SisSiteChange>
/** A new SIS site needs its location and a name. */
const NewSisSite = SisSiteChange.extend({ name: SisSiteInput.shape.name, site: SisSiteInput.shape.site })

export const createSisSite = call({
  method: 'POST',
  path: '/locations-api/sis',
  capability: 'edit a site',
  summary: 'Adds a SIS site to a site.',
  body: NewSisSite,
  response: SisSite,
})

export const updateSisSite = call({
  method: 'PUT',
  path: '/locations-api/sis/:id',
  capability: 'edit a site',
  summary: 'Changes the given fields of a SIS site. A different `site` moves it to that site.',
  params: byIdOrSlug,
  body: SisSiteChange,
  allowUnchangedInvalid: true,
  response: SisSite,
})

export const updateSisSiteInBody = call({
  method: 'PUT',
  path: '/locations-api/sis',
  capability: 'edit a site',
  summary: 'The same, with the SIS site’s `_id` in the body.',
  body: SisSiteChange.extend({ _id: idOrSlug }),
  allowUnchangedInvalid: true,
  response: SisSite,
})

export const deleteSisSite = call({
  method: 'DELETE',
  path: '/locations-api/sis/:id',
  capability: 'edit a site',
  summary: 'Deletes a SIS site. It can be restored from the history.',
  params: byIdOrSlug,
  response: 'nothing',
})
