import { usePlan } from '../../../features/record-tools/changesets/web/queries.ts'
import { useSuggestion } from '../../../features/record-tools/requests/web/queries.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { readSite } from '../../sites/contract.ts'
import type { SiteFormProps } from '../../sites/web/public/SiteLayout.tsx'
import { cacheSite } from '../../sites/web/queries.ts'
import { updateEnrollment } from '../contract.ts'
import { ENROLLMENT_SECTIONS, enrollmentFields, toEnrollmentValues } from './enrollment-fields.ts'

/** The edit form of a site's enrollment. */
export const EnrollmentForm = ({ site, draftKey, onClose }: SiteFormProps) => (
  <EditForm
    call={updateEnrollment}
    params={{ id: site._id }}
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
    onCancel={onClose}
    plan={usePlan({ kind: 'site', _id: site._id, prefix: 'enrollment_info' })}
    suggestion={useSuggestion({
      kind: 'site',
      _id: site._id,
      name: site.displayName,
      version: site.version,
      prefix: 'enrollment_info',
      site: site.slug,
    })}
  />
)
