import { createRecordForm } from '../../pages/web/public/create-record-form.tsx'
import type { Site } from '../../sites/contract.ts'
import { useSitePartForm } from '../../sites/web/public/use-site-form.ts'
import { updateEnrollment } from '../contract.ts'
import { ENROLLMENT_SECTIONS, enrollmentFields, toEnrollmentValues } from './enrollment-fields.ts'

/** The edit form of a site's enrollment. */
export const EnrollmentForm = createRecordForm({
  call: updateEnrollment,
  fields: enrollmentFields,
  sections: ENROLLMENT_SECTIONS,
  toValues: toEnrollmentValues,
  useForm: (site: Site, onClose) => useSitePartForm(site, onClose, 'enrollment_info', 'Enrollment'),
})
