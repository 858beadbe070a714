import { useMemo } from 'react'

import { isClosed } from '../../../../contract/status.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { readSite, updateSite } from '../contract.ts'
import type { Site } from '../contract.ts'
import { ClosedNotice } from './ClosedNotice.tsx'
import { cacheSite } from './queries.ts'
import { SITE_SECTIONS, validateSiteHours, toSiteValues } from './site-fields.ts'
import type { SitePath, useSiteFields } from './site-fields.ts'
import type { SiteFormProps } from './SiteHeadCard.tsx'
import { WithSiteFields } from './WithSiteFields.tsx'

const toSnapshot = (site: Site) => ({
  values: toSiteValues(site),
  version: site.version,
  updatedBy: site.updatedBy,
  updatedAt: site.updatedAt,
})

const EditSiteForm = ({ site, draftKey, onClose, all, along }: SiteFormProps & ReturnType<typeof useSiteFields>) => {
  const record = useMemo(() => toSnapshot(site), [site])
  const fields = useMemo(
    () => Object.fromEntries(SITE_SECTIONS.flatMap((section) => section.fields).map((path) => [path, all[path as SitePath]])),
    [all],
  )
  return (
    <EditForm
      name={draftKey}
      call={updateSite}
      title={`Edit ${site.displayName}`}
      back={site.displayName}
      banner={isClosed(site.status) ? <ClosedNotice /> : null}
      fields={fields}
      sections={SITE_SECTIONS}
      crossFieldRules={validateSiteHours}
      derivedValues={along}
      record={record}
      send={(edit) => send(updateSite, { params: { id: site._id }, ...edit })}
      reload={async () => toSnapshot(await send(readSite, { params: { slug: site._id } }))}
      onSaved={(answer, mergedWith) => {
        cacheSite(answer as Site)
        void queryClient.invalidateQueries()
        showMergedNotice(site.displayName, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** The edit form of a site. */
export const SiteForm = (props: SiteFormProps) => <WithSiteFields>{(fields) => <EditSiteForm {...props} {...fields} />}</WithSiteFields>
