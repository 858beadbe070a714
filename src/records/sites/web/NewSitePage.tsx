import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { getRecordPath } from '../../../contract/records.ts'
import { NewRecordPage } from '../../../platform/web/form/NewRecordForm.tsx'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import { readSiteDefaults, type SiteDefaults } from '../../settings/contract.ts'
import { createSite } from '../contract.ts'
import { buildNewSiteValues, NEW_SITE_SECTIONS, type useSiteFields, validateSiteHours } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

type NewSiteFormProps = { defaults: SiteDefaults } & ReturnType<typeof useSiteFields>

const NewSiteForm = ({ defaults, newFields, derivedValues }: NewSiteFormProps) => (
  <NewRecordPage
    call={createSite}
    draftKey="new site"
    title="Add Resource Center"
    fields={newFields}
    sections={NEW_SITE_SECTIONS}
    crossFieldRules={validateSiteHours}
    derivedValues={derivedValues}
    initialValues={useMemo(() => buildNewSiteValues(defaults), [defaults])}
    list="/"
    getLink={({ displayName, slug }) => ({ name: displayName, to: getRecordPath({ kind: 'site', slug }) })}
  />
)

/** `/add_location`, behind the admin guard: creates a site, then goes to the home page with a notice that links to it. */
export const NewSitePage = () => {
  const query = useQuery({ ...callQueryOptions(readSiteDefaults), staleTime: Infinity, gcTime: 0 })
  return (
    <LoadedRecord query={query} what="form" skeleton={<DetailSkeleton beside="picture" />}>
      {(defaults) => <WithSiteFields>{(fields) => <NewSiteForm defaults={defaults} {...fields} />}</WithSiteFields>}
    </LoadedRecord>
  )
}
