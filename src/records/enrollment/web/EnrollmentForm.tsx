import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { type SiteFormProps, useSitePartForm } from '../../sites/web/public/use-site-form.ts'
import { updateEnrollment } from '../contract.ts'
import { ENROLLMENT_SECTIONS, enrollmentFields, toEnrollmentValues } from './enrollment-fields.ts'

/** The edit form of a site's enrollment. */
export const EnrollmentForm = ({ record: site, draftKey, onClose }: SiteFormProps) => (
  <EditForm
    call={updateEnrollment}
    draftKey={draftKey}
    fields={enrollmentFields}
    sections={ENROLLMENT_SECTIONS}
    toValues={toEnrollmentValues}
    {...useSitePartForm(site, onClose, 'enrollment_info', 'Enrollment')}
  />
)
