import type { StatusGroup } from '../../../contract/status.ts'
import { FilterToggle } from './Filters.tsx'
import type { ListFilter } from './list-filter.ts'
import { GROUP_PHRASES } from './plain-words.ts'
import { useStatusGroup } from './use-status-group.ts'

const LABELS = { active: 'Active', closed: 'Closed' }

/** The two toggles of a list that shows active or closed records; with neither, all. */
export const useStatusGroupFilter = (labels = LABELS): ListFilter<StatusGroup> => {
  const [group, setGroup] = useStatusGroup()
  return {
    value: group,
    control: (
      <>
        <FilterToggle label={labels.active} on={group === 'active'} onToggle={(on) => setGroup(on ? 'active' : 'all')} />
        <FilterToggle label={labels.closed} on={group === 'closed'} onToggle={(on) => setGroup(on ? 'closed' : 'all')} />
      </>
    ),
    phrases: GROUP_PHRASES,
    adjective: group === 'all' ? undefined : group,
    allValue: 'all',
  }
}
