import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { byIdOrSlug, day, recordFields, text } from '../../../platform/contract/fields.ts'
import { optionalLine, optionalMultiline, optionalDay } from '../../../platform/contract/text-schemas.ts'

/** The fields of `facility_info`, each once: as they are answered, and as they are written. */
const buildShape = <Line extends z.ZodType, Lines extends z.ZodType, Day extends z.ZodType>(
  oneLine: Line,
  moreLines: Lines,
  date: Day,
) => ({
  county: oneLine,
  lease_holder: oneLine,
  lease_start: date,
  lease_end: date,
  lease_end_open: z.boolean(),
  apn: oneLine,
  sq_footage: oneLine,
  phone_2: oneLine,
  partnership: z.boolean(),
  fac_notes: moreLines,
  agreement_type: oneLine,
  signage_language: moreLines,
  original_lease_holder: oneLine,
  base_rent: oneLine,
  option_renew: moreLines,
  lease_notes: moreLines,
  guarantor: oneLine,
  original_lease_holder_released: oneLine,
  original_guarantor_released: oneLine,
  leaseTerm: oneLine,
})

/** Lease and premises of a site as they are answered. An open-ended lease has no `lease_end`. */
export const FacilityInfo = z.strictObject({ ...buildShape(text, text, day.nullable()), ...recordFields })
export type FacilityInfo = z.infer<typeof FacilityInfo>

/** Any part of it, as it is written. */
export const FacilityChange = z.strictObject(buildShape(optionalLine(), optionalMultiline(), optionalDay())).partial()
export type FacilityChange = z.infer<typeof FacilityChange>

export const updateFacility = call({
  method: 'PATCH',
  path: '/locations-api/site_fac_updates/:id',
  capability: 'edit a site',
  summary:
    'Changes the given fields of a site’s facility record, with or without `facility_info` around them. Open Ended clears the end date.',
  params: byIdOrSlug,
  body: FacilityChange.extend({ facility_info: FacilityChange.optional() }),
  allowUnchangedInvalid: true,
  response: FacilityInfo,
})
