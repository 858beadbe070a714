import type { ReactNode } from 'react'

import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import type { Charter } from '../../charters/contract.ts'
import { useCharters } from '../../charters/web/queries.ts'
import type { Region } from '../../regions/contract.ts'
import { useRegions } from '../../regions/web/queries.ts'
import { useSiteFields } from './site-fields.ts'

interface Lists {
  readonly charters: readonly Charter[]
  readonly regions: readonly Region[]
}
type Children = (fields: ReturnType<typeof useSiteFields>) => ReactNode

const SiteFields = ({ charters, regions, children }: Lists & { children: Children }) => <>{children(useSiteFields(charters, regions))}</>

/** Loads the charters and regions to choose from, then renders the form. */
export const WithSiteFields = ({ children }: { children: Children }) => {
  const regions = useRegions()
  const skeleton = <DetailSkeleton beside="picture" />
  return (
    <LoadedRecord query={useCharters()} what="list of charters" skeleton={skeleton}>
      {(charters) => (
        <LoadedRecord query={regions} what="list of regions" skeleton={skeleton}>
          {(known) => (
            <SiteFields charters={charters} regions={known}>
              {children}
            </SiteFields>
          )}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
