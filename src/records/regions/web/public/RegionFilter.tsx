import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { RegionFilterState } from '../queries.ts'

/** The region filter of a list. */
export const RegionFilter = ({ region: { regions, name, onChange: choose } }: { region: RegionFilterState }) => (
  <FilterChoice
    label="Region"
    all="All regions"
    choices={regions.map((region) => region.name).toSorted()}
    chosen={name}
    onChoose={(chosen) => choose(regions.find((region) => region.name === chosen)?.slug)}
    remove={`Remove region ${name}`}
  />
)
