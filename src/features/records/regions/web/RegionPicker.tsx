import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { RegionFilter } from './queries.ts'

/** The region filter of a list. */
export const RegionPicker = ({ region: { regions, name, onChange: choose } }: { region: RegionFilter }) => (
  <FilterChoice
    label="Region"
    all="All regions"
    choices={regions.map((region) => region.name).toSorted()}
    chosen={name}
    onChoose={(chosen) => choose(regions.find((region) => region.name === chosen)?.slug)}
    remove={`Remove region ${name}`}
  />
)
