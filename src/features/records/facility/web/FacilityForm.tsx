import { useMemo } from 'react'

import { keysOf } from '../../../../contract/field-definitions.ts'
import { send } from '../../../../platform/web/client.ts'
import { buildFormFields, buildSection } from '../../../../platform/web/form/defined-fields.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { type Values, toValues } from '../../../../platform/web/form/values.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { readSite } from '../../sites/contract.ts'
import { cacheSite } from '../../sites/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/SiteHeadCard.tsx'
import { updateFacility } from '../contract.ts'
import type { FacilityInfo } from '../contract.ts'
import { FACILITY_FIELDS, FACILITY_SECTIONS } from '../fields.ts'

/** An open-ended lease has no end date. */
const isOpenEnded = (values: Values): boolean => values['lease_end_open'] === true

const fields = buildFormFields(FACILITY_FIELDS, { lease_end: (label) => ({ kind: 'day', label, isDisabled: isOpenEnded }) })
const paths = keysOf(FACILITY_FIELDS)
const sections = FACILITY_SECTIONS.map((title) => buildSection(FACILITY_FIELDS, title))

const toSnapshot = (facility: FacilityInfo) => ({
  values: toValues(paths, (path) => facility[path]),
  version: facility.version,
  updatedBy: facility.updatedBy,
  updatedAt: facility.updatedAt,
})

/** The edit form of a site's facility. */
export const FacilityForm = ({ site, draftKey, onClose }: SiteFormProps) => {
  const record = useMemo(() => toSnapshot(site.facility_info), [site])
  return (
    <EditForm
      name={draftKey}
      call={updateFacility}
      title={`Edit Facility: ${site.displayName}`}
      back="Facility"
      fields={fields}
      sections={sections}
      record={record}
      send={(edit) => send(updateFacility, { params: { id: site._id }, ...edit })}
      reload={async () => toSnapshot((await send(readSite, { params: { slug: site._id } })).facility_info)}
      onSaved={(answer, mergedWith) => {
        cacheSite({ ...site, facility_info: answer as FacilityInfo })
        void queryClient.invalidateQueries()
        showMergedNotice('The facility', mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
