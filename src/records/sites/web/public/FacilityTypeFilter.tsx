import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { FacilityTypeFilterState } from '../queries.ts'

interface FacilityTypeFilterProps {
  filter: FacilityTypeFilterState
  onChoose: (type: string | undefined) => void
}

/** The facility type filter of a list of sites. */
export const FacilityTypeFilter = ({ filter: { type, types }, onChoose }: FacilityTypeFilterProps) => (
  <FilterChoice
    label="Facility Type"
    all="All facility types"
    choices={types}
    chosen={type}
    onChoose={onChoose}
    remove={`Remove type ${type}`}
  />
)
