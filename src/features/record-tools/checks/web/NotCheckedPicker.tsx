import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import { formatNotChecked } from '../rules.ts'
import type { NotCheckedFilter } from './queries.ts'

const LABEL = 'Not checked for'

/** '180 days' after the label; 'Never checked' says it alone. */
const formatChoice = (filter: string): string => formatNotChecked(filter).replace(`${LABEL} `, '')

/** The filter of a list by the last check; nothing where records of the kind are not checked. */
export const NotCheckedPicker = ({ filter: { value, choices, onChange } }: { filter: NotCheckedFilter }) =>
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
