import { send } from '../../../platform/web/client.ts'
import { buildFormFields, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import type { Values } from '../../../platform/web/form/values.ts'
import { DayHint } from '../../../platform/web/record-features.tsx'
import { readSite } from '../../sites/contract.ts'
import { type SiteFormProps, useSiteForm } from '../../sites/web/public/use-site-form.ts'
import { cacheSite } from '../../sites/web/queries.ts'
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
export const FacilityForm = ({ record: site, draftKey, onClose }: SiteFormProps) => (
  <EditForm
    call={updateFacility}
    name="The facility"
    draftKey={draftKey}
    title={`Edit Facility: ${site.displayName}`}
    back="Facility"
    fields={facilityFields}
    sections={sections}
    record={site.facility_info}
    toValues={toValues}
    read={async () => (await send(readSite, { params: { slug: site._id } })).facility_info}
    onSaved={(saved) => {
      cacheSite({ ...site, facility_info: saved })
      onClose()
    }}
    {...useSiteForm(site, onClose, 'facility_info')}
  />
)
