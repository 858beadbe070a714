import { useMemo } from 'react'

import { isClosed } from '../../../../platform/contract/status.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { tellMerged } from '../../../../platform/web/form/tellMerged.ts'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { queryClient } from '../../../../platform/web/queries.ts'
import { readSite, updateSite } from '../contract.ts'
import type { Site } from '../contract.ts'
import { putSite } from './queries.ts'
import { SITE_SECTIONS, siteAcross, siteValues } from './siteFields.ts'
import type { SitePath, useSiteFields } from './siteFields.ts'
import type { SiteFormProps } from './SiteHeadCard.tsx'
import { WithSiteFields } from './WithSiteFields.tsx'

const snapshot = (site: Site) => ({
  values: siteValues(site),
  version: site.version,
  updatedBy: site.updatedBy,
  updatedAt: site.updatedAt,
})

const FilledForm = ({ site, keptAs, onClose, all, along }: SiteFormProps & ReturnType<typeof useSiteFields>) => {
  const record = useMemo(() => snapshot(site), [site])
  const fields = useMemo(
    () => Object.fromEntries(SITE_SECTIONS.flatMap((section) => section.fields).map((path) => [path, all[path as SitePath]])),
    [all],
  )
  return (
    <EditForm
      name={keptAs}
      call={updateSite}
      title={`Edit ${site.displayName}`}
      back={site.displayName}
      banner={
        isClosed(site.status) ? (
          <Notice tone="off">
            <strong>This Location is Closed</strong>
          </Notice>
        ) : null
      }
      fields={fields}
      sections={SITE_SECTIONS}
      across={siteAcross}
      along={along}
      record={record}
      send={(edit) => send(updateSite, { params: { id: site._id }, ...edit })}
      reread={async () => snapshot(await send(readSite, { params: { slug: site._id } }))}
      onSaved={(answer, mergedWith) => {
        putSite(answer as Site)
        void queryClient.invalidateQueries()
        tellMerged(site.displayName, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** The edit view of a site (section 2). */
export const SiteForm = (props: SiteFormProps) => <WithSiteFields>{(fields) => <FilledForm {...props} {...fields} />}</WithSiteFields>
