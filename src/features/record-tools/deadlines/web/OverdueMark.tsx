import { useDeadlineCounts } from './queries.ts'

import classes from './OverdueMark.module.css'

/** '3 overdue', beside the menu's entry; nothing where none is. */
export const OverdueMark = () => {
  const { data: counts } = useDeadlineCounts()
  return counts && counts.overdue > 0 ? <span className={classes.mark}>{counts.overdue.toLocaleString('en-US')} overdue</span> : null
}
