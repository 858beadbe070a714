import { type CheckedKind, NOT_CHECKED_PATTERN } from '../../../../../contract/checks.ts'
import { FilterChoice } from '../../../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../../../platform/web/list/list-filter.ts'
import { useSearchParams } from '../../../../../platform/web/search-params.ts'
import { formatNotChecked, listNotCheckedFilters } from '../../rules.ts'
import { useCheckIntervals } from '../queries.ts'

const LABEL = 'Not checked for'

/** '180 days' after the label; 'Never checked' without it. */
const formatChoice = (filter: string): string => formatNotChecked(filter).replace(`${LABEL} `, '')

/** The filter of a list by the last check (`?unchecked=180`); has no control if this kind is not checked. */
export const useNotCheckedFilter = (kind: CheckedKind): ListFilter => {
  const [{ unchecked }, change] = useSearchParams()
  const interval = useCheckIntervals()[kind]
  const value = unchecked !== undefined && NOT_CHECKED_PATTERN.test(unchecked) ? unchecked : undefined
  const offered = interval === null && value === undefined ? [] : listNotCheckedFilters(interval)
  const choices = value === undefined || offered.includes(value) ? offered : [value, ...offered]
  const condition = value && formatNotChecked(value).toLowerCase()
  return {
    value,
    control:
      choices.length === 0 ? null : (
        <FilterChoice
          label={value === 'never' ? 'Last check' : LABEL}
          all="Any last check"
          choices={choices.map(formatChoice)}
          chosen={value && formatChoice(value)}
          onChoose={(chosen) => change({ unchecked: choices.find((one) => formatChoice(one) === chosen) })}
          remove={`Remove ${condition ?? ''}`}
        />
      ),
    condition,
  }
}
