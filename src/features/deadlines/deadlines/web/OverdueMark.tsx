import { useDeadlineCounts } from './use-deadline-counts.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './OverdueMark.module.css'

/** '3 overdue' of the user's own, as on the home page, next to the menu entry; renders nothing if there are none. */
export const OverdueMark = () => {
  const { data: counts } = useDeadlineCounts({ responsible: 'me' })
  return counts && counts.overdue > 0 ? (
    <span className={`${layoutClasses.badGround} ${textClasses.unbroken} ${classes.mark}`}>
      {counts.overdue.toLocaleString('en-US')} overdue
    </span>
  ) : null
}
