import { useDeadlineCounts } from './queries.ts'

import classes from './OverdueMark.module.css'

/** '3 overdue', next to the menu entry; renders nothing if there are none. */
export const OverdueMark = () => {
  const { data: counts } = useDeadlineCounts()
  return counts && counts.overdue > 0 ? <span className={classes.mark}>{counts.overdue.toLocaleString('en-US')} overdue</span> : null
}
