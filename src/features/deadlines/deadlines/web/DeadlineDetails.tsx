import { Link } from '@tanstack/react-router'

import { createDayFormat } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import type { Deadline } from '../contract.ts'
import { formatDistance } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { getRecordAddress, getSourceAddress } from './deadline-records.ts'
import { DeadlineActions } from './DeadlineActions.tsx'
import { DeadlineDescription } from './DeadlineDescription.tsx'
import { DeadlineHistoryButton } from './DeadlineHistoryButton.tsx'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { ResponsiblePerson } from './ResponsiblePerson.tsx'
import { isOverdue } from './year-layout.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineDetails.module.css'

const formatShortDay = createDayFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const formatWeekday = createDayFormat({ weekday: 'long' })

interface DeadlineDetailsProps {
  readonly deadline: Deadline
  readonly today: string
  /** Whether to show the day, which the context may show already. */
  readonly hasDate?: boolean
  /** An additional remark: 'The term ends 107 days later, on 06/30/2027.' */
  readonly remark?: string | undefined
}

/** All details of a deadline: in a day of the month view, and in the card of a mark. */
export const DeadlineDetails = ({ deadline, today, hasDate = false, remark }: DeadlineDetailsProps) => {
  const { title, kind, charter, site, state } = deadline
  const record = charter ?? site
  const shown = getShownDate(deadline)
  const overdue = isOverdue(deadline, today)
  return (
    <div
      className={`${layoutClasses.topRow} ${layoutClasses.shrinkable} ${layoutClasses.downward} ${layoutClasses.gap6} ${classes.details}`}
      data-handled={state === 'handled' || undefined}
    >
      <div>
        <Link {...getSourceAddress(deadline)} className={`${textClasses.name} ${classes.title}`}>
          {title}
        </Link>
      </div>
      <div className={`${textClasses.detail} ${layoutClasses.topRow} ${classes.line}`}>
        <DeadlineIcon kind={kind} state={state} size={20} />
        <span>
          {DEADLINE_KINDS[kind].name}
          {record ? (
            <>
              {' · '}
              <Link {...getRecordAddress(deadline)} className={textClasses.link}>
                {record.name}
              </Link>
            </>
          ) : null}
        </span>
      </div>
      {hasDate ? (
        <p>
          <time dateTime={shown} className={`${textClasses.strong} ${classes.date}`}>
            {formatShortDay(shown)}
          </time>{' '}
          <span data-overdue={overdue || undefined} className={`${textClasses.note} ${classes.distance}`}>
            {formatWeekday(shown)}
            {state === 'handled' ? ', handled' : `, ${formatDistance(shown, today)}`}
          </span>
        </p>
      ) : null}
      <p className={textClasses.hint}>
        <DeadlineDescription deadline={deadline} />
      </p>
      {remark === undefined ? null : <p className={textClasses.hint}>{remark}</p>}
      {state === 'handled' ? null : (
        <div className={classes.responsible}>
          <ResponsiblePerson person={deadline.responsible} />
        </div>
      )}
      <DeadlineActions deadline={deadline} />
      <DeadlineHistoryButton deadline={deadline} />
    </div>
  )
}
