import { z } from 'zod'

import { day, recordFields, text } from '../../platform/contract/fields.ts'

/** Lease and premises of a site (section 3, facility_info). An open-ended lease has no `lease_end` (D35). */
export const Facility = z.strictObject({
  county: text,
  lease_holder: text,
  lease_start: day.nullable(),
  lease_end: day.nullable(),
  lease_end_open: z.boolean(),
  apn: text,
  sq_footage: text,
  phone_2: text,
  partnership: z.boolean(),
  fac_notes: text,
  agreement_type: text,
  signage_language: text,
  original_lease_holder: text,
  base_rent: text,
  option_renew: text,
  lease_notes: text,
  guarantor: text,
  original_lease_holder_released: text,
  original_guarantor_released: text,
  leaseTerm: text,
})

/** `facility_info` of a site as it is answered. */
export const FacilityInfo = Facility.extend(recordFields)
export type FacilityInfo = z.infer<typeof FacilityInfo>
