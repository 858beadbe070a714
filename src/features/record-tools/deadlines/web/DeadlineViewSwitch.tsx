import { IconCalendar, IconListDetails, IconTimeline } from '@tabler/icons-react'

import { type ViewChoice, ViewSwitch } from '../../../../platform/web/kit/ViewSwitch.tsx'
import type { DeadlinesFilter, DeadlinesView } from './use-deadline-filter.ts'
import { usePageKeys } from './use-page-keys.ts'

const VIEWS: readonly ViewChoice<DeadlinesView>[] = [
  { view: 'agenda', label: 'Agenda', title: 'Agenda (1)', icon: IconListDetails },
  { view: 'month', label: 'Month', title: 'Month (2)', icon: IconCalendar },
  { view: 'year', label: 'Year', title: 'Year (3)', icon: IconTimeline },
]

/** Agenda, month or year, also by the keys 1, 2 and 3. */
export const DeadlineViewSwitch = ({ filter: { view, change } }: { filter: DeadlinesFilter }) => {
  usePageKeys({
    '1': () => change({ view: undefined }),
    '2': () => change({ view: 'month' }),
    '3': () => change({ view: 'year' }),
  })
  return (
    <ViewSwitch
      legend="View"
      choices={VIEWS}
      view={view}
      onChange={(chosen) => change({ view: chosen === 'agenda' ? undefined : chosen })}
    />
  )
}
