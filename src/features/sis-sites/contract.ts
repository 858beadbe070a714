import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { byIdOrSlug, day, id, idOrSlug, recordFields, text } from '../../platform/contract/fields.ts'

/** A site as the student-information system knows it (section 3, SIS site). Ids are text with their leading zeros (D46). */
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
  needs: 'browse the directory',
  does: 'The SIS sites of one location (`?site=` its slug or _id), or all (D2).',
  query: z.object({ site: idOrSlug.optional() }),
  answer: z.array(SisSite),
})

export const readSisSite = call({
  method: 'GET',
  path: '/locations-api/sis/:id',
  needs: 'browse the directory',
  does: 'One SIS site.',
  params: byIdOrSlug,
  answer: SisSite,
})
