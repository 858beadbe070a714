import { useMemo } from 'react'

import { getRoleNames, type RoleOfSites } from '../../../contract/roles.ts'
import { isInStatusGroup } from '../../../contract/status.ts'
import { GROUP_PHRASES, type Phrase } from '../../../platform/web/list/plain-words.ts'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useStatusGroup } from '../../../platform/web/list/use-status-group.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useRoles } from '../../../records/people/web/queries.ts'
import { useRegionFilter } from '../../../records/regions/web/public/region-filter.tsx'
import type { CoveredSite } from '../contract.ts'
import { sortBySiteName, listVacantRoles, countVacancies, sortRoles, parseRoles } from '../rules.ts'
import { useCoverage } from './queries.ts'

const none: readonly CoveredSite[] = []
const noRoles: readonly RoleOfSites[] = []
/** The searched texts of a site. The names of its people are joined into one text for speed. */
const getSearchTexts = ({ displayName, city, charter, people }: CoveredSite) => [
  displayName,
  city,
  charter?.name,
  people.map(({ person }) => person.name).join('\n'),
]
const VACANT_PHRASE: Phrase = { filter: 'empty', value: '1', synonyms: ['empty', 'vacant', 'unfilled', 'vacancy', 'vacancies', 'without'] }

/** The state of the board from the URL: `?region=ohio&role=Regional SRM&empty=1&status=closed&q=lodi`. */
export const useBoard = () => {
  const query = useCoverage()
  const sites = useMemo(() => sortBySiteName(query.data ?? none), [query.data])
  const { data: known = noRoles } = useRoles()
  const [address, change] = useSearchParams()
  const [group, setGroup] = useStatusGroup()
  const region = useRegionFilter()
  const onlyVacant = address['empty'] === '1'

  const allRoles = useMemo(() => sortRoles(known), [known])
  const roles = useMemo(() => parseRoles(address['role'], allRoles), [address, allRoles])
  const phrases = useMemo(
    () => [
      ...GROUP_PHRASES,
      VACANT_PHRASE,
      ...region.phrases,
      ...allRoles.map(({ name }) => ({ filter: 'role', value: name, synonyms: getRoleNames(name) })),
    ],
    [region.phrases, allRoles],
  )
  const typed = useListSearch(usePlainWords(phrases, sites, getSearchTexts))
  const found = useMatchingRecords(sites, getSearchTexts, typed.deferredText)
  /** Before the vacancy filter, for the counts in the column headers. */
  const matching = useMemo(
    () => found.filter((site) => isInStatusGroup(group, site.status) && (region.value === undefined || site.region?.slug === region.value)),
    [found, group, region.value],
  )
  const shown = useMemo(
    () => (onlyVacant ? matching.filter((site) => listVacantRoles(site, roles).length > 0) : matching),
    [matching, onlyVacant, roles],
  )
  const vacant = useMemo(() => countVacancies(matching, roles), [matching, roles])

  return { query, sites, allRoles, roles, region, group, setGroup, onlyVacant, typed, found, asked: matching, shown, vacant, change }
}
