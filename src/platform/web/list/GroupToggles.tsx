import type { StatusGroup } from '../../../contract/status.ts'
import { Chips, FilterToggle } from './Filters.tsx'

interface GroupTogglesProps {
  active: string
  closed: string
  group: StatusGroup
  onChange: (group: StatusGroup) => void
}

/** The two toggles of a list that shows active or closed records; with neither, all. */
export const GroupToggles = ({ active, closed, group, onChange }: GroupTogglesProps) => (
  <Chips label="Filters">
    <FilterToggle label={active} on={group === 'active'} onToggle={(on) => onChange(on ? 'active' : 'all')} />
    <FilterToggle label={closed} on={group === 'closed'} onToggle={(on) => onChange(on ? 'closed' : 'all')} />
  </Chips>
)
