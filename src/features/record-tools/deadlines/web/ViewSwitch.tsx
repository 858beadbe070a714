import { IconCalendar, IconListDetails, IconTimeline } from '@tabler/icons-react'
import { useEffect, useId } from 'react'

import type { DeadlinesFilter, DeadlinesView } from './use-deadline-filter.ts'

import classes from './ViewSwitch.module.css'

const VIEWS = [
  { view: 'agenda', label: 'Agenda', icon: IconListDetails },
  { view: 'month', label: 'Month', icon: IconCalendar },
  { view: 'year', label: 'Year', icon: IconTimeline },
] as const satisfies readonly { view: DeadlinesView; label: string; icon: unknown }[]

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof Element && target.closest('input:not([type="radio"]), textarea, select, [contenteditable]') !== null)

/** Agenda, month or year, by the keys 1, 2 and 3, too. */
export const ViewSwitch = ({ filter: { view, change } }: { filter: DeadlinesFilter }) => {
  const name = useId()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const chosen = VIEWS[Number(event.key) - 1]
      if (!chosen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isElsewhere(event.target)) return
      change({ view: chosen.view === 'agenda' ? undefined : chosen.view })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [change])
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
