import { FilterChoice } from '../../../../../platform/web/list/Filters.tsx'
import { formatNotChecked } from '../../rules.ts'
import type { NotCheckedFilterState } from '../queries.ts'

const LABEL = 'Not checked for'

/** '180 days' after the label; 'Never checked' without it. */
const formatChoice = (filter: string): string => formatNotChecked(filter).replace(`${LABEL} `, '')

/** The list filter by the last check; renders nothing if this kind is not checked. */
export const NotCheckedFilter = ({ filter: { value, choices, onChange } }: { filter: NotCheckedFilterState }) =>
  choices.length === 0 ? null : (
    <FilterChoice
      label={value === 'never' ? 'Last check' : LABEL}
      all="Any last check"
      choices={choices.map(formatChoice)}
      chosen={value && formatChoice(value)}
      onChoose={(chosen) => onChange(choices.find((one) => formatChoice(one) === chosen))}
      remove={`Remove ${value === undefined ? '' : formatNotChecked(value).toLowerCase()}`}
    />
  )
