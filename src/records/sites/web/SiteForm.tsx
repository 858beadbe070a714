import { isClosed } from '../../../contract/status.ts'
import { usePlan } from '../../../features/record-tools/changesets/web/queries.ts'
import { useSuggestion } from '../../../features/record-tools/requests/web/queries.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { readSite, updateSite } from '../contract.ts'
import { ClosedNotice } from './ClosedNotice.tsx'
import type { SiteFormProps } from './public/SiteLayout.tsx'
import { cacheSite } from './queries.ts'
import { SITE_SECTIONS, validateSiteHours, toSiteValues } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

/** The edit form of a site. */
export const SiteForm = ({ site, draftKey, onClose }: SiteFormProps) => {
  const { _id, displayName, version, slug } = site
  const suggestion = useSuggestion({ kind: 'site', _id, name: displayName, version, site: slug })
  const plan = usePlan({ kind: 'site', _id })
  return (
    <WithSiteFields>
      {({ fields, derivedValues }) => (
        <EditForm
          call={updateSite}
          params={{ id: site._id }}
          name={site.displayName}
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
          onCancel={onClose}
          suggestion={suggestion}
          plan={plan}
        />
      )}
    </WithSiteFields>
  )
}
