import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { readSite } from '../../sites/contract.ts'
import { cacheSite } from '../../sites/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/SiteHeadCard.tsx'
import { updateEnrollment } from '../contract.ts'
import type { EnrollmentInfo } from '../contract.ts'
import { ENROLLMENT_SECTIONS, enrollmentFields, toEnrollmentValues } from './enrollment-fields.ts'

const toSnapshot = (enrollment: EnrollmentInfo) => ({
  values: toEnrollmentValues(enrollment),
  version: enrollment.version,
  updatedBy: enrollment.updatedBy,
  updatedAt: enrollment.updatedAt,
})

/** The edit form of a site's enrollment. */
export const EnrollmentForm = ({ site, draftKey, onClose }: SiteFormProps) => {
  const record = useMemo(() => toSnapshot(site.enrollment_info), [site])
  return (
    <EditForm
      name={draftKey}
      call={updateEnrollment}
      title={`Edit Enrollment: ${site.displayName}`}
      back="Enrollment"
      fields={enrollmentFields}
      sections={ENROLLMENT_SECTIONS}
      record={record}
      send={(edit) => send(updateEnrollment, { params: { id: site._id }, ...edit })}
      reload={async () => toSnapshot((await send(readSite, { params: { slug: site._id } })).enrollment_info)}
      onSaved={(answer, mergedWith) => {
        cacheSite({ ...site, enrollment_info: answer as EnrollmentInfo })
        void queryClient.invalidateQueries()
        showMergedNotice('The enrollment', mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
