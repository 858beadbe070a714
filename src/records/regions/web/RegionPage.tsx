import { useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { formatCount, formatNumber } from '../../../contract/format.ts'
import type { FilterValues } from '../../../contract/lists.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { isActive } from '../../../contract/status.ts'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { useStatusGroupFilter } from '../../../platform/web/list/status-group-filter.tsx'
import {
  ArchiveAction,
  ArchivedNotice,
  CheckShareCard,
  Comments,
  DeadlinesCard,
  useNotCheckedFilter,
} from '../../../platform/web/record-features.tsx'
import { MapAreaChip, MapSwitch, ListWithMap } from '../../map/web/public/SitesMapCard.tsx'
import { useMapArea, useUnlocatedText } from '../../map/web/queries.ts'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { useRecordList } from '../../pages/web/public/use-record-list.ts'
import { buildRegionSiteFilter, type REGION_SITE_FILTERS } from '../../sites/list.ts'
import { useFacilityTypeFilter } from '../../sites/web/public/facility-type-filter.tsx'
import { SITES } from '../../sites/web/public/site-list.tsx'
import type { RegionWithSites } from '../contract.ts'
import { toAreaFilter } from './map-area-filter.tsx'
import { RegionActions, RegionBack, RegionTabs } from './public/RegionTabs.tsx'
import { useRegion } from './queries.ts'

/** The id of the list, for the map beside it. */
const LIST_ID = 'sites-of-region'

const formatSiteCounts = (sites: readonly SiteSummary[]): string => {
  const active = sites.filter((site) => isActive(site.status)).length
  return `${formatCount(sites.length, 'site')}: ${formatNumber(active)} active, ${formatNumber(sites.length - active)} closed`
}

const GROUP_LABELS = { active: 'Active Sites', closed: 'Closed Sites' }

const Sites = ({ region }: { region: RegionWithSites }) => {
  const map = useMapArea()
  const { shows, pendingQuery } = map
  const list = useRecordList(SITES, {
    query: { data: region.sites },
    name: 'region-sites',
    selectionName: 'sites',
    filters: {
      status: useStatusGroupFilter(GROUP_LABELS),
      type: useFacilityTypeFilter(region.sites),
      // After the others, before the switch of the map.
      area: { ...toAreaFilter(map), control: null },
      unchecked: useNotCheckedFilter('site'),
    },
    buildFilter: useCallback(
      (values: FilterValues<typeof REGION_SITE_FILTERS>) => {
        const matches = buildRegionSiteFilter(values)
        return (site: SiteSummary) => matches(site) && shows(site._id)
      },
      [shows],
    ),
    toRequest: (filters) => ({ list: 'region_sites', of: region._id, filters }),
  })
  const { records, found, shown, values } = list
  const matching = useMemo(() => found.filter(buildRegionSiteFilter(values)), [found, values])
  const unplaced = useUnlocatedText(map, shown)
  const regionShare = useMemo(() => [{ name: region.name, slug: region.slug, sites: region.sites }], [region])
  const regions = useMemo(() => [{ slug: region.slug, name: region.name, count: shown.length }], [region, shown])
  return (
    <RecordListView
      list={list}
      title={`Sites in ${region.name}`}
      head={
        <>
          <ListHead
            title={region.name}
            summary={formatSiteCounts(region.sites)}
            aside={
              <RegionActions region={region}>
                <ArchiveAction record={{ kind: 'region', ...region }} />
              </RegionActions>
            }
          />
          <RegionTabs region={region} />
          <CheckShareCard regions={regionShare} isAlone />
          <DeadlinesCard filter={{ region: region.slug }} />
        </>
      }
      tools={
        <>
          <MapAreaChip map={map} />
          <MapSwitch />
        </>
      }
      more={unplaced}
      isCounting={pendingQuery !== undefined}
      renderAround={(sites, skeleton) => (
        <ListWithMap
          list={LIST_ID}
          label={`Map of the sites in ${region.name}`}
          map={map}
          shown={shown}
          found={matching}
          whole={records}
          regions={regions}
          skeleton={skeleton}
        >
          {sites}
        </ListWithMap>
      )}
    />
  )
}

const back = <RegionBack />

/** `/region/{slug}`: the sites of a region, active ones by default. */
export const RegionPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useRegion(id)
  return (
    <LoadedRecord query={query} what="region" back={back} skeleton={<CardSkeleton photo least={15.5} />}>
      {(region) => (
        <>
          {back}
          <ArchivedNotice record={{ kind: 'region', ...region }} />
          <Sites key={region._id} region={region} />
          <Comments kind="region" _id={region._id} />
        </>
      )}
    </LoadedRecord>
  )
}
