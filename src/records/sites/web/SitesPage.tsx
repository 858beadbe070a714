import { IconBuilding } from '@tabler/icons-react'
import { useMemo } from 'react'

import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { isClosed, isPending } from '../../../contract/status.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { BulkActions } from '../../../features/record-tools/changesets/web/public/BulkActions.tsx'
import { formatNotChecked } from '../../../features/record-tools/checks/rules.ts'
import { NotCheckedFilter } from '../../../features/record-tools/checks/web/public/NotCheckedFilter.tsx'
import { useNotCheckedFilter } from '../../../features/record-tools/checks/web/queries.ts'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { configuration } from '../../../platform/web/configuration.ts'
import { ChoosingList } from '../../../platform/web/list/ChoosingList.tsx'
import { Chips, Filters, FilterToggle, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { ListTools } from '../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import type { Phrase } from '../../../platform/web/list/plain-words.ts'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useSelection } from '../../../platform/web/list/use-selection.ts'
import { useTable } from '../../../platform/web/list/use-table.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import { RegionFilter } from '../../regions/web/public/RegionFilter.tsx'
import { useRegionFilter } from '../../regions/web/queries.ts'
import { SITE_LIST, buildSiteFilter } from '../list.ts'
import { STATUS_FILTER_PHRASES, STATUS_FILTERS } from '../rules.ts'
import type { StatusFilter } from '../rules.ts'
import { FacilityTypeFilter } from './public/FacilityTypeFilter.tsx'
import { getSiteKey, SiteGrid } from './public/SiteCard.tsx'
import { useSiteSummaries, useFacilityTypeFilter } from './queries.ts'
import { getPrincipalEmail, getSiteLines, SITE_COLUMNS, SITE_COPIES } from './site-columns.tsx'

const FILTER_LABELS: Record<StatusFilter, string> = {
  active: 'Active',
  closed: 'Closed',
  'coming-soon': 'Sites Coming Soon',
  updated: 'Recently Updated',
}
/** The filters in the message of an empty list, after the noun. */
const EMPTY_LIST_PHRASES: Partial<Record<StatusFilter, string>> = {
  'coming-soon': 'coming soon',
  updated: 'updated in the last 7 days',
}
const NO_SITES: readonly SiteSummary[] = []
const TABLE_OPTIONS = { name: 'sites', columns: SITE_COLUMNS, defaultView: 'cards' } as const
const { getSearchTexts } = SITE_LIST

const formatSiteCounts = (sites: readonly SiteSummary[]): string => {
  const closed = sites.filter((site) => isClosed(site.status)).length
  const soon = sites.filter((site) => isPending(site.status)).length
  const show = (n: number) => n.toLocaleString('en-US')
  // The same groups as the filters: a site that is coming soon counts as active.
  const active = `${show(sites.length - closed)} active${soon === 0 ? '' : ` (${show(soon)} coming soon)`}`
  return `${show(sites.length)} ${sites.length === 1 ? 'site' : 'sites'}: ${active}, ${show(closed)} closed`
}

/** The search phrases for the filters. */
const TOGGLE_PHRASES: readonly Phrase[] = STATUS_FILTERS.map((one) => ({
  filter: 'status',
  value: one,
  synonyms: STATUS_FILTER_PHRASES[one],
}))

/**
 * `/locations`: all sites, open ones first. Selecting a status clears the type and vice versa; a URL or search phrases may combine them. The region
 * combines with both.
 */
export const SitesPage = () => {
  const query = useSiteSummaries()
  const [address, change] = useSearchParams()
  const filter = STATUS_FILTERS.find((one) => one === address['status'])
  const region = useRegionFilter()
  const check = useNotCheckedFilter('site')

  const sites = useMemo(() => sortByDefault(SITE_LIST, query.data ?? NO_SITES), [query.data])
  const ofType = useFacilityTypeFilter(sites)
  const { type } = ofType
  const phrases = useMemo(() => [...TOGGLE_PHRASES, ...ofType.phrases, ...region.phrases], [ofType.phrases, region.phrases])
  const typed = useListSearch(usePlainWords(phrases, sites, getSearchTexts))
  const table = useTable(TABLE_OPTIONS, sites)
  const found = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const filters = useMemo(
    () => ({ status: filter, type, region: region.slug, unchecked: check.value }),
    [filter, type, region.slug, check.value],
  )
  const shown = useMemo(() => found.filter(buildSiteFilter(filters, configuration.timeZone)), [found, filters])
  const downloadQuery = { list: 'sites', filters, search: typed.deferredText, sort: table.sort } as const
  const download = useListDownload(downloadQuery)
  const selection = useSelection('sites', shown, getSiteKey, useCan('manage the network'))
  const summary = useMemo(() => query.data && formatSiteCounts(query.data), [query.data])
  const clearFilter = { status: undefined, type: undefined, region: undefined, unchecked: undefined }

  const bulk = (
    <BulkActions kind="site" noun={RECORD_NOUNS.site} selection={selection} columns={table.shownColumns} getEmail={getPrincipalEmail} />
  )
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
      <ListHead title="Resource Centers" summary={summary} failed={query.isError} aside={<ViewMenu />} />
      <Filters>
        <SearchField label="Search by name, address or city" typed={typed} />
        <Chips label="Filters">
          {STATUS_FILTERS.map((one) => (
            <FilterToggle
              key={one}
              label={FILTER_LABELS[one]}
              on={filter === one}
              onToggle={(on) => change(on ? { status: one, type: undefined } : { status: undefined })}
            />
          ))}
          <FacilityTypeFilter
            filter={ofType}
            onChoose={(chosen) => change(chosen ? { status: undefined, type: chosen } : { type: undefined })}
          />
          <RegionFilter region={region} />
          <NotCheckedFilter filter={check} />
        </Chips>
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="Active sites first"
        onDownload={download}
        copies={SITE_COPIES}
        selection={selection}
        editable={selection && { kind: 'site', noun: RECORD_NOUNS.site, shown, total: query.data?.length, request: downloadQuery }}
      >
        <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      </ListTools>
      <LoadedList query={query} skeleton={<CardSkeleton photo least={15.5} />}>
        {() =>
          shown.length > 0 ? (
            table.view === 'table' ? (
              <RecordTable label="Resource Centers" table={table} records={shown} getKey={getSiteKey} selection={selection} />
            ) : (
              <SiteGrid label="Resource Centers" sites={shown} />
            )
          ) : (
            <NothingMatches
              icon={IconBuilding}
              title="No locations to display"
              noun={RECORD_NOUNS.site}
              all={sites.length}
              typed={typed.deferredText.trim()}
              kind={filter === 'active' || filter === 'closed' ? filter : null}
              filters={[
                filter && EMPTY_LIST_PHRASES[filter],
                type && `of type ${type}`,
                region.name && `in ${region.name}`,
                check.value && formatNotChecked(check.value).toLowerCase(),
              ]}
              hidden={found.map(({ displayName, slug }) => ({ name: displayName, to: getRecordPath({ kind: 'site', slug }) }))}
              onClearSearch={() => change({ ...clearFilter, q: undefined })}
              onClearFilter={() => change(clearFilter)}
            />
          )
        }
      </LoadedList>
      {bulk}
    </>
  )
}
