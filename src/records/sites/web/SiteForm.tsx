import { isClosed } from '../../../contract/status.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { readSite, updateSite } from '../contract.ts'
import { ClosedNotice } from './ClosedNotice.tsx'
import { type SiteFormProps, useSiteForm } from './public/use-site-form.ts'
import { cacheSite } from './queries.ts'
import { SITE_SECTIONS, validateSiteHours, toSiteValues } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

/** The edit form of a site. */
export const SiteForm = ({ record: site, draftKey, onClose }: SiteFormProps) => {
  const form = useSiteForm(site, onClose)
  return (
    <WithSiteFields>
      {({ fields, derivedValues }) => (
        <EditForm
          call={updateSite}
          draftKey={draftKey}
          banner={isClosed(site.status) ? <ClosedNotice /> : null}
          fields={fields}
          sections={SITE_SECTIONS}
          crossFieldRules={validateSiteHours}
          derivedValues={derivedValues}
          record={site}
          toValues={toSiteValues}
          read={() => send(readSite, { params: { slug: site._id } })}
          onSaved={(saved) => {
            cacheSite(saved)
            onClose()
          }}
          {...form}
        />
      )}
    </WithSiteFields>
  )
}
