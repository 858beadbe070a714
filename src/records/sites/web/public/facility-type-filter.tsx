import { useMemo } from 'react'

import type { SiteSummary } from '../../../../contract/references.ts'
import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../../platform/web/list/list-filter.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { FACILITY_TYPE_PHRASES, listFacilityTypes } from '../../rules.ts'

const NO_SITES: readonly SiteSummary[] = []

/** The facility type filter of a list of sites (`?type=Online`). A choice also changes the parameters in `replaced`. */
export const useFacilityTypeFilter = (
  sites: readonly SiteSummary[] = NO_SITES,
  replaced: Readonly<Record<string, undefined>> = {},
): ListFilter => {
  const [{ type }, change] = useSearchParams()
  const value = type || undefined
  const types = useMemo(() => listFacilityTypes(sites), [sites])
  const phrases = useMemo(
    () => types.map((one) => ({ filter: 'type', value: one, synonyms: [one, ...(FACILITY_TYPE_PHRASES[one] ?? [])] })),
    [types],
  )
  return {
    value,
    control: (
      <FilterChoice
        label="Facility Type"
        all="All facility types"
        choices={types}
        chosen={value}
        onChoose={(chosen) => change({ ...(chosen ? replaced : {}), type: chosen })}
        remove={`Remove type ${value}`}
      />
    ),
    phrases,
    condition: value && `of type ${value}`,
  }
}
