import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { STATUSES } from '../../../../platform/contract/status.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { newRecord } from '../../../../platform/web/form/useEditForm.ts'
import { useGoBack } from '../../../../platform/web/form/useGoBack.ts'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { showDone } from '../../../../platform/web/notice.ts'
import { queryClient, reading } from '../../../../platform/web/queries.ts'
import { getRegionState } from '../../regions/rules.ts'
import { readSiteDefaults } from '../../settings/contract.ts'
import type { SiteDefaults } from '../../settings/contract.ts'
import { createSite } from '../contract.ts'
import type { NewSite, Site } from '../contract.ts'
import { NEW_SITE_SECTIONS, validateSiteHours } from './site-fields.ts'
import type { NewSitePath, useSiteFields } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

/** What stands in the form before anything is typed. */
const buildDefaultValues = ({ region, charter }: SiteDefaults): Record<NewSitePath, string | null> => ({
  displayName: '',
  name: '',
  status: STATUSES[0],
  category: 'Resource Center',
  charter: charter?._id ?? '',
  region: region?._id ?? '',
  finance_id: '',
  'address.address_1': '',
  'address.address_2': '',
  'address.city': '',
  'address.state': region ? getRegionState(region.name) : 'CA',
  'address.zip': '',
  'address.phone': '',
  'address.fax': '',
  'address.start_day': 'Monday',
  'address.end_day': 'Friday',
  'address.start_time': '9:00AM',
  'address.end_time': '5:00PM',
  'address.description': '',
  'address.closures': '',
  'enrollment_info.registrationEmail': '',
  'enrollment_info.interestEmail': '',
  photo: null,
})

const NewSiteForm = ({ defaults, all, along }: { defaults: SiteDefaults } & ReturnType<typeof useSiteFields>) => {
  const navigate = useNavigate()
  const record = useMemo(() => newRecord(buildDefaultValues(defaults)), [defaults])
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
      across={validateSiteHours}
      along={along}
      record={record}
      send={({ body }) => send(createSite, { body: body as NewSite })}
      onSaved={(answer) => {
        const site = answer as Site
        void queryClient.invalidateQueries()
        const link = { to: `/location/${encodeURIComponent(site.slug)}`, label: 'Open' }
        // On the page it is read on: it goes with that page.
        void navigate({ to: '/', ignoreBlocker: true }).then(() => showDone({ text: `${site.displayName} was added.`, link }))
      }}
      onCancel={useGoBack('/')}
    />
  )
}

/** `/add_location`, behind the admin guard: makes a site, then goes home with a notice that leads to it. */
export const NewSitePage = () => {
  const query = useQuery({ ...reading(readSiteDefaults), staleTime: Infinity, gcTime: 0 })
  return (
    <LoadedRecord query={query} what="form" skeleton={<DetailSkeleton beside="picture" />}>
      {(defaults) => <WithSiteFields>{(fields) => <NewSiteForm defaults={defaults} {...fields} />}</WithSiteFields>}
    </LoadedRecord>
  )
}
