import type { ReactNode } from 'react'

import type { Selection } from './use-selection.ts'

import classes from './SelectionBar.module.css'

interface SelectionBarProps<T> {
  selection: Selection<T>
  /** What can be done with them. */
  children: ReactNode
}

/** How many rows are ticked and what can be done with them; stays at the bottom of the window. */
export const SelectionBar = <T,>({ selection, children }: SelectionBarProps<T>) => {
  const { records, total, selectAll, clear } = selection
  const show = (count: number) => count.toLocaleString('en-US')
  return (
    <div className={classes.bar} role="region" aria-label="Selected rows" data-print="no">
      <div className={classes.words}>
        <p role="status" className={classes.count}>
          {show(records.length)} selected
        </p>
        {records.length < total ? (
          <button type="button" className={classes.link} onClick={selectAll}>
            Select all {show(total)}
          </button>
        ) : null}
        <button type="button" className={classes.link} onClick={clear}>
          Clear
        </button>
      </div>
      <div className={classes.actions}>{children}</div>
    </div>
  )
}
