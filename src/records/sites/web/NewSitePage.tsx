import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { getRecordPath } from '../../../contract/records.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { NewRecordPage } from '../../../platform/web/form/NewRecordForm.tsx'
import type { Values } from '../../../platform/web/form/values.ts'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import { readSiteDefaults, type SiteDefaults } from '../../settings/contract.ts'
import { createSite } from '../contract.ts'
import { findDistantCharter, groupCharters } from './new-site-charter.ts'
import { useSiteSummaries } from './queries.ts'
import { buildNewSiteValues, NEW_SITE_SECTIONS, type useSiteFields, validateSiteHours } from './site-fields.ts'
import { WithSiteFields } from './WithSiteFields.tsx'

type NewSiteFormProps = { defaults: SiteDefaults; sites: readonly SiteSummary[] } & ReturnType<typeof useSiteFields>

interface Question {
  readonly text: string
  readonly answer: (isYes: boolean) => void
}

const NewSiteForm = ({ defaults, sites, newFields, derivedValues }: NewSiteFormProps) => {
  const [question, setQuestion] = useState<Question | null>(null)
  const fields = useMemo(() => ({ ...newFields, charter: groupCharters(newFields, sites) }), [newFields, sites])
  const confirm = async (values: Values): Promise<boolean> => {
    const distant = findDistantCharter(newFields, sites, values)
    if (distant === null) return true
    const isYes = await new Promise<boolean>((answer) =>
      setQuestion({ text: `${distant.charter} has no site in ${distant.state}.`, answer }),
    )
    setQuestion(null)
    return isYes
  }
  return (
    <>
      <NewRecordPage
        call={createSite}
        draftKey="new site"
        kind="site"
        title="Add Resource Center"
        fields={fields}
        sections={NEW_SITE_SECTIONS}
        crossFieldRules={validateSiteHours}
        derivedValues={derivedValues}
        confirm={confirm}
        initialValues={useMemo(() => buildNewSiteValues(defaults), [defaults])}
        list="/"
        getLink={({ displayName, slug }) => ({ name: displayName, to: getRecordPath({ kind: 'site', slug }) })}
      />
      {question ? (
        <Dialog
          title="Check the charter"
          confirmLabel="Add Anyway"
          focusesCancel
          isBusy={false}
          error={null}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        >
          <p>{question.text} Add the site anyway?</p>
        </Dialog>
      ) : null}
    </>
  )
}

/** `/add_location`, behind the admin guard: creates a site, then goes to the home page with a notice that links to it. */
export const NewSitePage = () => {
  const query = useQuery({ ...callQueryOptions(readSiteDefaults), staleTime: Infinity, gcTime: 0 })
  const sites = useSiteSummaries()
  const skeleton = <DetailSkeleton beside="picture" />
  return (
    <LoadedRecord query={query} what="form" skeleton={skeleton}>
      {(defaults) => (
        <LoadedRecord query={sites} what="list of sites" skeleton={skeleton}>
          {(known) => <WithSiteFields>{(fields) => <NewSiteForm defaults={defaults} sites={known} {...fields} />}</WithSiteFields>}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
