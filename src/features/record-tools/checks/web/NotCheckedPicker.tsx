import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import { formatNotChecked } from '../rules.ts'
import type { NotCheckedFilter } from './queries.ts'

/** The filter of a list by the last check; nothing where records of the kind are not checked. */
export const NotCheckedPicker = ({ filter: { value, choices, onChange } }: { filter: NotCheckedFilter }) =>
  choices.length === 0 ? null : (
    <FilterChoice
      label="Last check"
      all="All records"
      choices={choices.map(formatNotChecked)}
      chosen={value && formatNotChecked(value)}
      onChoose={(chosen) => onChange(choices.find((one) => formatNotChecked(one) === chosen))}
      remove={`Remove ${value === undefined ? '' : formatNotChecked(value)}`}
    />
  )
