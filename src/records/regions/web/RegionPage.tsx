import { IconBuilding } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'

import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { isActive } from '../../../contract/status.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { BulkActions } from '../../../features/record-tools/changesets/web/public/BulkActions.tsx'
import { formatNotChecked } from '../../../features/record-tools/checks/rules.ts'
import { CheckShareCard } from '../../../features/record-tools/checks/web/public/CheckShareCard.tsx'
import { NotCheckedFilter } from '../../../features/record-tools/checks/web/public/NotCheckedFilter.tsx'
import { useNotCheckedFilter } from '../../../features/record-tools/checks/web/queries.ts'
import { DeadlinesCard } from '../../../features/record-tools/deadlines/web/public/DeadlinesCard.tsx'
import { formatArea } from '../../../features/record-tools/map/rules.ts'
import { MapAreaChip, MapSwitch, SitesMapCard, ListWithMap } from '../../../features/record-tools/map/web/public/SitesMapCard.tsx'
import { useMapArea, useUnlocatedText } from '../../../features/record-tools/map/web/queries.ts'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { ChoosingList } from '../../../platform/web/list/ChoosingList.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { GroupToggles } from '../../../platform/web/list/GroupToggles.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { ListTools } from '../../../platform/web/list/ListTools.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { GROUP_PHRASES } from '../../../platform/web/list/plain-words.ts'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useSelection } from '../../../platform/web/list/use-selection.ts'
import { useStatusGroup } from '../../../platform/web/list/use-status-group.ts'
import { useTable } from '../../../platform/web/list/use-table.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import { buildRegionSiteFilter, SITE_LIST } from '../../sites/list.ts'
import { FacilityTypeFilter } from '../../sites/web/public/FacilityTypeFilter.tsx'
import { getSiteKey, SiteGrid } from '../../sites/web/public/SiteCard.tsx'
import { useFacilityTypeFilter } from '../../sites/web/queries.ts'
import { getPrincipalEmail, getSiteLines, SITE_COLUMNS, SITE_COPIES } from '../../sites/web/site-columns.tsx'
import type { RegionWithSites } from '../contract.ts'
import { RegionActions, RegionBack, RegionTabs } from './public/RegionTabs.tsx'
import { useRegion } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './public/RegionTabs.module.css'

const { getSearchTexts } = SITE_LIST

const TABLE_OPTIONS = { name: 'region-sites', columns: SITE_COLUMNS, defaultView: 'cards' } as const
/** The id of the list, for the map beside it. */
const LIST_ID = 'sites-of-region'

const formatSiteCounts = (sites: readonly SiteSummary[]): string => {
  const active = sites.filter((site) => isActive(site.status)).length
  const show = (n: number) => n.toLocaleString('en-US')
  return `${show(sites.length)} ${sites.length === 1 ? 'site' : 'sites'}: ${show(active)} active, ${show(sites.length - active)} closed`
}

const Sites = ({ region }: { region: RegionWithSites }) => {
  const [, change] = useSearchParams()
  const [group, setGroup] = useStatusGroup()
  const sites = useMemo(() => sortByDefault(SITE_LIST, region.sites), [region.sites])
  const ofType = useFacilityTypeFilter(sites)
  const { type } = ofType
  const check = useNotCheckedFilter('site')
  const phrases = useMemo(() => [...GROUP_PHRASES, ...ofType.phrases], [ofType.phrases])
  const typed = useListSearch(usePlainWords(phrases, sites, getSearchTexts))
  const table = useTable(TABLE_OPTIONS, sites)
  const found = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const map = useMapArea()
  const { area, shows } = map
  const filters = useMemo(() => ({ status: group, type, unchecked: check.value }), [group, type, check.value])
  const matching = useMemo(() => found.filter(buildRegionSiteFilter(filters)), [found, filters])
  const shown = useMemo(() => matching.filter((site) => shows(site._id)), [matching, shows])
  const downloadQuery = {
    list: 'region_sites',
    of: region._id,
    filters: { ...filters, area: area && formatArea(area) },
    search: typed.deferredText,
    sort: table.sort,
  } as const
  const download = useListDownload(downloadQuery)
  const selection = useSelection('sites', shown, getSiteKey, useCan('manage the network'))
  const bulk = (
    <BulkActions kind="site" noun={RECORD_NOUNS.site} selection={selection} columns={table.shownColumns} getEmail={getPrincipalEmail} />
  )
  const unplaced = useUnlocatedText(map, shown)
  const regionShare = useMemo(() => [{ name: region.name, slug: region.slug, sites: region.sites }], [region])
  const regions = useMemo(() => [{ slug: region.slug, name: region.name, count: shown.length }], [region, shown])

  if (selection?.isChoosing)
    return (
      <>
        <ChoosingList
          title="Select sites"
          shown={shown}
          all={sites.length}
          selection={selection}
          getKey={getSiteKey}
          getLines={getSiteLines}
        />
        {bulk}
      </>
    )
  return (
    <>
      <ListHead
        title={region.name}
        summary={formatSiteCounts(region.sites)}
        aside={
          <div className={`${layoutClasses.toolbar} ${classes.actions}`} data-print="no">
            <ViewMenu />
            <RegionActions region={region} />
          </div>
        }
      />
      <RegionTabs region={region} />
      <CheckShareCard regions={regionShare} isAlone />
      <DeadlinesCard filter={{ region: region.slug }} />
      <Filters>
        <SearchField label="Search by name, address or city" typed={typed} />
        <GroupToggles active="Active Sites" closed="Closed Sites" group={group} onChange={setGroup} />
        <FacilityTypeFilter filter={ofType} onChoose={(chosen) => change({ type: chosen })} />
        <NotCheckedFilter filter={check} />
        <MapAreaChip map={map} />
        <MapSwitch />
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="Active sites first"
        onDownload={download}
        copies={SITE_COPIES}
        selection={selection}
        editable={selection && { kind: 'site', noun: RECORD_NOUNS.site, shown, total: undefined, request: downloadQuery }}
      >
        <MatchCount matching={map.pendingQuery ? undefined : shown.length} all={sites.length} more={unplaced} />
      </ListTools>
      <ListWithMap
        list={LIST_ID}
        map={map}
        skeleton={<CardSkeleton photo least={15.5} />}
        card={
          <SitesMapCard
            label={`Map of the sites in ${region.name}`}
            map={map}
            shown={shown}
            found={matching}
            whole={sites}
            regions={regions}
            list={LIST_ID}
          />
        }
      >
        {shown.length > 0 ? (
          table.view === 'table' ? (
            <RecordTable label={`Sites in ${region.name}`} table={table} records={shown} getKey={getSiteKey} selection={selection} />
          ) : (
            <SiteGrid label={`Sites in ${region.name}`} sites={shown} />
          )
        ) : (
          <NothingMatches
            icon={IconBuilding}
            title="No locations to display"
            noun={RECORD_NOUNS.site}
            all={sites.length}
            typed={typed.deferredText.trim()}
            kind={group === 'all' ? null : group}
            filters={[
              type && `of type ${type}`,
              area ? 'in this area of the map' : null,
              check.value && formatNotChecked(check.value).toLowerCase(),
            ]}
            hidden={found.map(({ displayName, slug }) => ({ name: displayName, to: getRecordPath({ kind: 'site', slug }) }))}
            onClearSearch={() => change({ q: undefined, status: 'all', type: undefined, area: undefined, unchecked: undefined })}
            onClearFilter={() => change({ status: 'all', type: undefined, area: undefined, unchecked: undefined })}
          />
        )}
      </ListWithMap>
      {bulk}
    </>
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
          <Sites key={region._id} region={region} />
        </>
      )}
    </LoadedRecord>
  )
}
