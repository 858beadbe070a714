import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { FacilityTypeFilter } from './queries.ts'

interface FacilityTypePickerProps {
  filter: FacilityTypeFilter
  onChoose: (type: string | undefined) => void
}

/** The facility type filter of a list of sites. */
export const FacilityTypePicker = ({ filter: { type, types }, onChoose }: FacilityTypePickerProps) => (
  <FilterChoice
    label="Facility Type"
    all="All facility types"
    choices={types}
    chosen={type}
    onChoose={onChoose}
    remove={`Remove type ${type}`}
  />
)
