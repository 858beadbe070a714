import { Link } from '@tanstack/react-router'
import { useId } from 'react'

import { formatDay } from '../../../../../contract/dates.ts'
import { DEADLINE_KINDS, DEADLINE_OWNERS } from '../../../../../contract/deadlines.ts'
import { CardHead } from '../../../../../platform/web/kit/CardHead.tsx'
import type { DeadlinesCardProps } from '../../../../../platform/web/record-features.tsx'
import { getToday } from '../../../../../platform/web/today.ts'
import type { Deadline } from '../../contract.ts'
import { formatDistance } from '../../rules.ts'
import { getSourceAddress } from '../deadline-records.ts'
import { DeadlineIcon } from '../DeadlineIcon.tsx'
import { useDeadlines } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './DeadlinesCard.module.css'

const MAX_SHOWN = 5

/** A record's own page does not repeat its name. */
type ShownRecord = (typeof DEADLINE_OWNERS)[number]

const Row = ({ deadline, today, of }: { deadline: Deadline; today: string; of: ShownRecord | undefined }) => {
  const { title, kind, date, state, charter, site } = deadline
  const isOverdue = date < today
  const record = (of === 'charter' ? undefined : charter?.name) ?? (of === 'site' ? undefined : site?.name)
  return (
    <li className={`${layoutClasses.row} ${classes.row}`}>
      <DeadlineIcon kind={kind} state={state} isOverdue={isOverdue} size={20} />
      <span className={layoutClasses.fillingColumn}>
        <Link {...getSourceAddress(deadline)} className={`${textClasses.name} ${textClasses.truncated} ${classes.title}`}>
          {title}
        </Link>
        <span className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>
          {[DEADLINE_KINDS[kind].name, record].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className={`${layoutClasses.rigid} ${layoutClasses.vertical} ${textClasses.figures} ${layoutClasses.alignEnd}`}>
        <time dateTime={date}>{formatDay(date)}</time>
        <span className={`${textClasses.detail} ${classes.distance}`} data-overdue={isOverdue || undefined}>
          {formatDistance(date, today)}
        </span>
      </span>
    </li>
  )
}

/** The next five unhandled deadlines, overdue ones first, and a link to all of them; renders nothing if there are none. */
export const DeadlinesCard = ({ title = 'Deadlines', filter }: DeadlinesCardProps) => {
  const id = useId()
  const { data: deadlines } = useDeadlines({ ...filter, state: 'open', limit: MAX_SHOWN })
  if (!deadlines || deadlines.length === 0) return null
  const today = getToday()
  const of = DEADLINE_OWNERS.find((one) => filter[one] !== undefined)
  return (
    <section className={layoutClasses.sectionEnd} aria-labelledby={id} data-print="no">
      <CardHead id={id} title={title} all={{ to: '/deadlines', search: filter, text: 'All deadlines' }} />
      <ul aria-labelledby={id}>
        {deadlines.map((deadline) => (
          <Row key={deadline._id} deadline={deadline} today={today} of={of} />
        ))}
      </ul>
    </section>
  )
}
