import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { useRegions } from '../../../records/regions/web/queries.ts'
import { readSettings } from '../../../records/settings/contract.ts'
import { OrganizationForm } from '../../../records/settings/web/public/OrganizationForm.tsx'
import type { Setup } from '../contract.ts'

import textClasses from '../../../platform/web/kit/Text.module.css'

/** Name, time zone, states, home region and logo. */
export const OrganizationStep = ({ setup, onDone }: { setup: Setup; onDone: () => void }) => {
  const { data: settings } = useQuery(callQueryOptions(readSettings))
  const { data: regions } = useRegions()
  const { timeZone, isTimeZoneFixed } = setup.organization
  if (!settings || !regions) return null
  return (
    <>
      <p className={textClasses.note}>
        {isTimeZoneFixed
          ? `The server’s environment has TIME_ZONE=${timeZone}, which counts whatever is chosen here.`
          : `The time zone is now ${timeZone}.`}
      </p>
      <OrganizationForm settings={settings} regions={regions} submitLabel="Save and Continue" onSaved={onDone} />
    </>
  )
}
