import { buildFormFields, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { Values } from '../../../platform/web/form/values.ts'
import { DayHint } from '../../../platform/web/record-features.tsx'
import { createRecordForm } from '../../pages/web/public/create-record-form.tsx'
import type { Site } from '../../sites/contract.ts'
import { useSitePartForm } from '../../sites/web/public/use-site-form.ts'
import { updateFacility, type FacilityInfo } from '../contract.ts'
import { FACILITY_FIELDS, FACILITY_SECTIONS } from '../fields.ts'

/** An open-ended lease has no end date. */
const isOpenEnded = (values: Values): boolean => values['lease_end_open'] === true

export const facilityFields = buildFormFields(FACILITY_FIELDS, {
  lease_end: (label) => ({ kind: 'day', label, isDisabled: isOpenEnded, Below: DayHint }),
})
const sections = FACILITY_SECTIONS.map((title) => buildSection(FACILITY_FIELDS, title))
const toValues = (facility: FacilityInfo) => toDefinedValues(FACILITY_FIELDS, facility)

/** The edit form of a site's facility. */
export const FacilityForm = createRecordForm({
  call: updateFacility,
  fields: facilityFields,
  sections,
  toValues,
  useForm: (site: Site, onClose) => useSitePartForm(site, onClose, 'facility_info', 'Facility'),
})
