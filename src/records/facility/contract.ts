import { z } from 'zod'

import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildOutputShape } from '../../contract/field-definitions.ts'
import { recordFields } from '../../contract/fields.ts'
import { FACILITY_FIELDS } from './fields.ts'

/** Lease and premises of a site. An open-ended lease has no `lease_end`. */
export const FacilityInfo = z.strictObject({ ...buildOutputShape(FACILITY_FIELDS), ...recordFields })
export type FacilityInfo = z.infer<typeof FacilityInfo>

export const FacilityChange = z.strictObject(buildInputShape(FACILITY_FIELDS)).partial()
export type FacilityChange = z.infer<typeof FacilityChange>

export const updateFacility = editCall('PATCH', '/locations-api/site_fac_updates/:id', {
  capability: 'edit a site',
  summary:
    'Changes the given fields of a site’s facility record, with or without `facility_info` around them. Open Ended clears the end date.',
  body: FacilityChange.extend({ facility_info: FacilityChange.optional() }),
  response: FacilityInfo,
})
