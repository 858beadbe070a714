import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { newRecord } from '../../../../platform/web/form/use-edit-form.ts'
import { useGoBack } from '../../../../platform/web/form/use-go-back.ts'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { readSiteDefaults } from '../../settings/contract.ts'
import type { SiteDefaults } from '../../settings/contract.ts'
import { createSite } from '../contract.ts'
import type { NewSite, Site } from '../contract.ts'
import { buildNewSiteValues, NEW_SITE_SECTIONS, validateSiteHours } from './site-fields.ts'
import type { useSiteFields } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

const NewSiteForm = ({ defaults, all, along }: { defaults: SiteDefaults } & ReturnType<typeof useSiteFields>) => {
  const navigate = useNavigate()
  const record = useMemo(() => newRecord(buildNewSiteValues(defaults)), [defaults])
  return (
    <EditForm
      name="new site"
      call={createSite}
      title="Add Resource Center"
      back="Back"
      saveLabel="Add Resource Center"
      cancelLabel="Cancel"
      fields={all}
      sections={NEW_SITE_SECTIONS}
      crossFieldRules={validateSiteHours}
      derivedValues={along}
      record={record}
      send={({ body }) => send(createSite, { body: body as NewSite })}
      onSaved={(answer) => {
        const site = answer as Site
        void queryClient.invalidateQueries()
        const link = { to: `/location/${encodeURIComponent(site.slug)}`, label: 'Open' }
        // After the navigation, which would close the notice.
        void navigate({ to: '/', ignoreBlocker: true }).then(() => showSuccess({ text: `${site.displayName} was added.`, link }))
      }}
      onCancel={useGoBack('/')}
    />
  )
}

/** `/add_location`, behind the admin guard: creates a site, then goes to the home page with a notice that links to it. */
export const NewSitePage = () => {
  const query = useQuery({ ...callQueryOptions(readSiteDefaults), staleTime: Infinity, gcTime: 0 })
  return (
    <LoadedRecord query={query} what="form" skeleton={<DetailSkeleton beside="picture" />}>
      {(defaults) => <WithSiteFields>{(fields) => <NewSiteForm defaults={defaults} {...fields} />}</WithSiteFields>}
    </LoadedRecord>
  )
}
