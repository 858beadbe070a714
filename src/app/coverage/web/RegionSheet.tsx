import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { PrintLine } from '../../../platform/web/kit/PrintLine.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { RegionActions, RegionBack, RegionTabs } from '../../../records/regions/web/public/RegionTabs.tsx'
import { useRegions } from '../../../records/regions/web/queries.ts'
import type { CoveredSite } from '../contract.ts'
import { useCoverageOfRegion } from './queries.ts'

interface RegionSheetProps {
  /** 'Org chart' */
  page: string
  summary: (sites: readonly CoveredSite[]) => string
  /** Buttons at the right of the head. */
  actions: ReactNode
  /** Which sites are shown, for the printed page. */
  of: string
  children: (sites: readonly CoveredSite[], region: string) => ReactNode
}

/** The head of a region's pages, with the loaded content below. */
export const RegionSheet = ({ page, summary, actions, of, children }: RegionSheetProps) => {
  const { id = '' } = useParams({ strict: false })
  const query = useCoverageOfRegion(id)
  const { data: regions } = useRegions()
  const region = useMemo(
    () =>
      // If the URL has a former slug, only the sites identify the region.
      regions?.find((one) => one._id === id || one.slug.toLowerCase() === id.toLowerCase()) ??
      query.data?.[0]?.region ?? { _id: id, slug: id, name: id },
    [regions, id, query.data],
  )
  const back = <RegionBack />
  return (
    <LoadedRecord query={query} what="region" back={back} skeleton={<RowSkeleton />}>
      {(sites) => (
        <>
          {back}
          <ListHead
            title={`${region.name}: ${page}`}
            summary={summary(sites)}
            aside={<RegionActions region={region}>{actions}</RegionActions>}
          />
          <PrintLine of={of} />
          <RegionTabs region={region} />
          {children(sites, region.name)}
        </>
      )}
    </LoadedRecord>
  )
}
