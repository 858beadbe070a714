import type { FilterValues } from '../../../contract/lists.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { FilterToggle } from '../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../platform/web/list/list-filter.ts'
import type { Phrase } from '../../../platform/web/list/plain-words.ts'
import { useNotCheckedFilter } from '../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { useListed } from '../../pages/web/public/use-listed.ts'
import { useRecordList } from '../../pages/web/public/use-record-list.ts'
import { useRegionFilter } from '../../regions/web/public/region-filter.tsx'
import { listSiteSummaries } from '../contract.ts'
import { buildSiteFilter, type SITE_FILTERS } from '../list.ts'
import { STATUS_FILTER_PHRASES, STATUS_FILTERS, type StatusFilter } from '../rules.ts'
import { useFacilityTypeFilter } from './public/facility-type-filter.tsx'
import { SITES } from './public/site-list.tsx'

const FILTER_LABELS: Record<StatusFilter, string> = {
  active: 'Active',
  closed: 'Closed',
  'coming-soon': 'Sites Coming Soon',
  updated: 'Recently Updated',
}
/** The filters in the message of an empty list: before the noun, or after it. */
const EMPTY_LIST_WORDS: Record<StatusFilter, Pick<ListFilter, 'adjective' | 'condition'>> = {
  active: { adjective: 'active' },
  closed: { adjective: 'closed' },
  'coming-soon': { condition: 'coming soon' },
  updated: { condition: 'updated in the last 7 days' },
}
/** The search phrases for the filters. */
const STATUS_PHRASES: readonly Phrase[] = STATUS_FILTERS.map((value) => ({
  filter: 'status',
  value,
  synonyms: STATUS_FILTER_PHRASES[value],
}))

const useStatusFilter = (): ListFilter<StatusFilter> => {
  const [{ status }, change] = useSearchParams()
  const value = STATUS_FILTERS.find((one) => one === status)
  return {
    value,
    control: STATUS_FILTERS.map((one) => (
      <FilterToggle
        key={one}
        label={FILTER_LABELS[one]}
        on={value === one}
        onToggle={(on) => change(on ? { status: one, type: undefined } : { status: undefined })}
      />
    )),
    phrases: STATUS_PHRASES,
    ...(value ? EMPTY_LIST_WORDS[value] : {}),
  }
}

const buildFilter = (values: FilterValues<typeof SITE_FILTERS>) => buildSiteFilter(values, configuration.timeZone)

/**
 * `/locations`: all sites, open ones first. Selecting a status clears the type and vice versa; a URL or search phrases may combine them. The region
 * combines with both.
 */
export const SitesPage = () => {
  const query = useListed(listSiteSummaries)
  const list = useRecordList(SITES, {
    query,
    name: 'sites',
    isWhole: true,
    hasArchived: true,
    filters: {
      status: useStatusFilter(),
      type: useFacilityTypeFilter(query.data, { status: undefined }),
      region: useRegionFilter(),
      unchecked: useNotCheckedFilter('site'),
    },
    buildFilter,
    toRequest: (filters) => ({ list: 'sites', filters }),
  })
  return <RecordListView list={list} title="Resource Centers" />
}
