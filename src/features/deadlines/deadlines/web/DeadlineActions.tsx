import { IconCheck } from '@tabler/icons-react'

import type { Deadline } from '../contract.ts'
import { useDeadlineActions } from './deadline-actions.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineActions.module.css'

/** The actions for an open deadline, as one subtle group. If no one is responsible, Assign is amber. */
export const DeadlineActions = ({ deadline }: { deadline: Deadline }) => {
  const { mayAct, mayManage, busyId, handle, putOff, assign } = useDeadlineActions()
  if (!mayAct(deadline) || deadline.state === 'handled') return null
  const isBusy = busyId === deadline._id
  return (
    <div
      className={`${layoutClasses.outlined} ${layoutClasses.rigid} ${layoutClasses.inlineFlex}`}
      role="group"
      aria-label={`Actions for ${deadline.title}`}
      data-print="no"
    >
      <button
        type="button"
        className={`${layoutClasses.inlineRow} ${layoutClasses.hoverable} ${textClasses.smallerFont} ${textClasses.textColor} ${classes.action}`}
        disabled={isBusy}
        onClick={() => handle(deadline)}
      >
        <IconCheck size={16} stroke={1.75} aria-hidden />
        Handled
      </button>
      <button
        type="button"
        className={`${layoutClasses.inlineRow} ${layoutClasses.hoverable} ${textClasses.smallerFont} ${textClasses.textColor} ${classes.action}`}
        onClick={() => putOff(deadline)}
      >
        Put off
      </button>
      {mayManage ? (
        <button
          type="button"
          className={`${layoutClasses.inlineRow} ${layoutClasses.hoverable} ${textClasses.smallerFont} ${textClasses.textColor} ${classes.action}`}
          data-unassigned={deadline.responsible === null || undefined}
          onClick={() => assign(deadline)}
        >
          Assign
        </button>
      ) : null}
    </div>
  )
}
