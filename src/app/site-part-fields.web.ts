import type { FieldsByPath } from '../platform/web/form/fields.ts'
import { enrollmentFields } from '../records/enrollment/web/enrollment-fields.ts'
import { facilityFields } from '../records/facility/web/FacilityForm.tsx'

const addPrefix = (prefix: string, fields: FieldsByPath): FieldsByPath =>
  Object.fromEntries(Object.entries(fields).map(([path, field]) => [`${prefix}.${path}`, field]))

/** The fields of a site's parts, by their paths in the site. */
export const siteFacilityFields = addPrefix('facility_info', facilityFields)
export const siteEnrollmentFields = addPrefix('enrollment_info', enrollmentFields)
