import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { readSite } from '../../sites/contract.ts'
import { type SiteFormProps, useSiteForm } from '../../sites/web/public/use-site-form.ts'
import { cacheSite } from '../../sites/web/queries.ts'
import { updateEnrollment } from '../contract.ts'
import { ENROLLMENT_SECTIONS, enrollmentFields, toEnrollmentValues } from './enrollment-fields.ts'

/** The edit form of a site's enrollment. */
export const EnrollmentForm = ({ record: site, draftKey, onClose }: SiteFormProps) => (
  <EditForm
    call={updateEnrollment}
    name="The enrollment"
    draftKey={draftKey}
    title={`Edit Enrollment: ${site.displayName}`}
    back="Enrollment"
    fields={enrollmentFields}
    sections={ENROLLMENT_SECTIONS}
    record={site.enrollment_info}
    toValues={toEnrollmentValues}
    read={async () => (await send(readSite, { params: { slug: site._id } })).enrollment_info}
    onSaved={(saved) => {
      cacheSite({ ...site, enrollment_info: saved })
      onClose()
    }}
    {...useSiteForm(site, onClose, 'enrollment_info')}
  />
)
