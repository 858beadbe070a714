import type { Deadline } from '../contract.ts'
import { useDeadlineActions } from './deadline-actions.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineHistoryButton.module.css'

/** Opens the history of a deadline. */
export const DeadlineHistoryButton = ({ deadline }: { deadline: Deadline }) => {
  const { showHistory } = useDeadlineActions()
  return (
    <button
      type="button"
      className={`${textClasses.caption} ${textClasses.underlined} ${layoutClasses.smallTargetHeight} ${classes.button}`}
      aria-label={`History of ${deadline.title}`}
      data-print="no"
      onClick={() => showHistory(deadline)}
    >
      History
    </button>
  )
}
