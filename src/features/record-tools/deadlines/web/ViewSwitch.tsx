import { IconCalendar, IconListDetails, IconTimeline } from '@tabler/icons-react'
import { useId, useMemo } from 'react'

import type { DeadlinesFilter, DeadlinesView } from './use-deadline-filter.ts'
import { usePageKeys } from './use-page-keys.ts'

import classes from './ViewSwitch.module.css'

const VIEWS = [
  { view: 'agenda', label: 'Agenda', icon: IconListDetails },
  { view: 'month', label: 'Month', icon: IconCalendar },
  { view: 'year', label: 'Year', icon: IconTimeline },
] as const satisfies readonly { view: DeadlinesView; label: string; icon: unknown }[]

/** Agenda, month or year, also by the keys 1, 2 and 3. */
export const ViewSwitch = ({ filter: { view, change } }: { filter: DeadlinesFilter }) => {
  const name = useId()
  usePageKeys(
    useMemo(
      () => ({
        '1': () => change({ view: undefined }),
        '2': () => change({ view: 'month' }),
        '3': () => change({ view: 'year' }),
      }),
      [change],
    ),
  )
  return (
    <fieldset className={classes.views} data-print="no">
      <legend className={classes.hidden}>View</legend>
      {VIEWS.map(({ view: one, label, icon: Sign }, at) => (
        <label key={one} className={classes.view} title={`${label} (${at + 1})`}>
          <input
            type="radio"
            name={name}
            className={classes.hidden}
            checked={view === one}
            onChange={() => change({ view: one === 'agenda' ? undefined : one })}
          />
          <Sign size={17} stroke={1.75} aria-hidden />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
