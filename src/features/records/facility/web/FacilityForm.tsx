import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import { tellMerged } from '../../../../platform/web/form/tellMerged.ts'
import { valuesOf } from '../../../../platform/web/form/values.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { readSite } from '../../sites/contract.ts'
import { cacheSite } from '../../sites/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/SiteHeadCard.tsx'
import { updateFacility } from '../contract.ts'
import type { FacilityChange, FacilityInfo } from '../contract.ts'
import { FACILITY_PARTS, facilityFieldNames, facilityFields } from '../rules.ts'

type Path = keyof FacilityChange

const isOpenEnded = (values: Readonly<Record<string, unknown>>): boolean => values['lease_end_open'] === true

/** How each field is put in; all others are a line. */
const SPECIAL_INPUTS: Partial<Record<Path, FormField>> = {
  lease_start: { kind: 'day', label: facilityFields.lease_start.label },
  // An open-ended lease has no end date.
  lease_end: { kind: 'day', label: facilityFields.lease_end.label, isDisabled: isOpenEnded },
  partnership: { kind: 'check', label: facilityFields.partnership.label },
}

const buildField = (name: Exclude<Path, 'lease_end_open'>): FormField => {
  const { label, long } = facilityFields[name]
  return SPECIAL_INPUTS[name] ?? (long ? { kind: 'lines', label, span: 6 } : { kind: 'line', label })
}

/** Every field of the facility, in the order it is read in; Open Ended beside the end of the lease. */
const fields: Readonly<Record<string, FormField>> = Object.fromEntries(
  facilityFieldNames.flatMap((name): [Path, FormField][] =>
    name === 'lease_end'
      ? [
          [name, buildField(name)],
          ['lease_end_open', { kind: 'check', label: 'Open Ended', span: 6, hint: 'The lease has no end date' }],
        ]
      : [[name, buildField(name)]],
  ),
)
const paths = Object.keys(fields) as Path[]
const sections = FACILITY_PARTS.map((title) => ({
  title,
  fields: paths.filter((path) => facilityFields[path === 'lease_end_open' ? 'lease_end' : path].part === title),
}))

const toSnapshot = (facility: FacilityInfo) => ({
  values: valuesOf(paths, (path) => facility[path]),
  version: facility.version,
  updatedBy: facility.updatedBy,
  updatedAt: facility.updatedAt,
})

/** The edit view of a site's facility. */
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
      reread={async () => toSnapshot((await send(readSite, { params: { slug: site._id } })).facility_info)}
      onSaved={(answer, mergedWith) => {
        cacheSite({ ...site, facility_info: answer as FacilityInfo })
        void queryClient.invalidateQueries()
        tellMerged('The facility', mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
