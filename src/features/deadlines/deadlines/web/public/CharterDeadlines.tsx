import { IconCalendarEvent, IconCalendarExclamation } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDay } from '../../../../../contract/dates.ts'
import { formatCount } from '../../../../../contract/format.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import { countOpen } from '../agenda.ts'
import { useDeadlines } from '../queries.ts'
import { useDeadlineCounts } from '../use-deadline-counts.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './CharterDeadlines.module.css'

/** Below the name of a charter: '7 deadlines, next 12/02/2026', '7 deadlines, 1 overdue'; renders nothing if none is open. */
export const CharterDeadlinesLine = ({ slug }: { slug: string }) => {
  const { data: counts } = useDeadlineCounts({ charter: slug })
  const { data: next } = useDeadlines({ charter: slug, state: 'open', from: getToday(), limit: 1 })
  if (!counts || !next) return null
  const count = countOpen(counts) + counts.snoozed
  if (count === 0) return null
  const [{ date } = { date: null }] = next
  return (
    <Link
      to="/deadlines"
      search={{ charter: slug }}
      className={`${layoutClasses.inlineRow} ${textClasses.link} ${layoutClasses.minHeight24}`}
    >
      <IconCalendarEvent size={18} stroke={1.75} aria-hidden />
      {formatCount(count, 'deadline')}
      {counts.overdue > 0 ? `, ${counts.overdue} overdue` : date === null ? null : `, next ${formatDay(date)}`}
    </Link>
  )
}

/** Above the fields of a charter: overdue or unassigned deadlines, and dates to confirm; renders nothing if there are none. */
export const CharterDeadlinesBanner = ({ slug }: { slug: string }) => {
  const { data: counts } = useDeadlineCounts({ charter: slug })
  const unassigned = counts?.responsible.find(({ person }) => person === null)?.count ?? 0
  if (!counts || counts.overdue + unassigned + counts.proposed === 0) return null
  return (
    <section
      aria-label="Deadlines that need someone"
      className={`${layoutClasses.row} ${layoutClasses.band}`}
      data-tone="wait"
      data-print="no"
    >
      <IconCalendarExclamation size={20} stroke={1.75} aria-hidden />
      <p className={textClasses.strong}>
        {counts.overdue > 0 ? (
          <Link to="/deadlines" search={{ charter: slug }} className={`${textClasses.inheritedColor} ${classes.link}`}>
            {formatCount(counts.overdue, ['deadline is overdue', 'deadlines are overdue'])}
          </Link>
        ) : null}
        {counts.overdue > 0 && unassigned > 0 ? ', ' : null}
        {unassigned > 0 ? (
          <Link to="/deadlines" search={{ charter: slug, responsible: 'none' }} className={`${textClasses.inheritedColor} ${classes.link}`}>
            {counts.overdue > 0
              ? formatCount(unassigned, ['has nobody responsible', 'have nobody responsible'])
              : formatCount(unassigned, ['deadline has nobody responsible', 'deadlines have nobody responsible'])}
          </Link>
        ) : null}
        {counts.proposed > 0 && counts.overdue + unassigned > 0 ? ', ' : null}
        {counts.proposed > 0 ? (
          <Link
            to="/deadlines"
            search={{ view: 'sort-out', show: 'to-confirm', charter: slug }}
            className={`${textClasses.inheritedColor} ${classes.link}`}
          >
            {formatCount(counts.proposed, ['date to confirm', 'dates to confirm'])}
          </Link>
        ) : null}
      </p>
    </section>
  )
}
