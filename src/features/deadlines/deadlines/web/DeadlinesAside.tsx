import { IconArrowsLeftRight, IconCalendarCheck, IconCalendarPlus, IconCalendarQuestion, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { openCalendarWindow } from '../../../../platform/web/calendar-window.ts'
import { Avatar, VacantAvatar } from '../../../../platform/web/kit/Avatar.tsx'
import type { DeadlineCounts } from '../contract.ts'
import { type DeadlinesFilter, toCalendar } from './use-deadline-filter.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlinesAside.module.css'

const SORT_OUT = { to: '/deadlines', search: { view: 'sort-out' } } as const

/** Dates to confirm, texts without a date, and contradictions; renders nothing if there are none. */
export const ToSortOut = ({ counts: { proposed, unread, contradictions } }: { counts: DeadlineCounts }) =>
  proposed + unread + contradictions === 0 ? null : (
    <section className={`${layoutClasses.waitGround} ${classes.sortOut}`} aria-labelledby="to-sort-out" data-print="no">
      <h2 id="to-sort-out" className={`${textClasses.smallFont} ${layoutClasses.bottomMargin4} ${classes.sortOutTitle}`}>
        To sort out
      </h2>
      <Link {...SORT_OUT} className={`${layoutClasses.spreadRow} ${textClasses.inheritedColor} ${textClasses.strong} ${classes.whole}`}>
        {(proposed + unread + contradictions).toLocaleString('en-US')} to sort out
        <IconChevronRight size={18} stroke={1.75} aria-hidden />
      </Link>
      {proposed > 0 ? (
        <Link {...SORT_OUT} className={`${layoutClasses.row} ${textClasses.inheritedColor} ${classes.entry}`}>
          <IconCalendarCheck size={20} stroke={1.75} aria-hidden />
          <span className={layoutClasses.fillingColumn}>
            <span className={`${textClasses.smallFont} ${textClasses.strong} ${textClasses.underlined}`}>
              {formatCount(proposed, ['date to confirm', 'dates to confirm'])}
            </span>
            <span className={`${textClasses.smallerFont} ${classes.detail}`}>In no reminder until confirmed</span>
          </span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </Link>
      ) : null}
      {unread > 0 ? (
        <Link {...SORT_OUT} hash="texts" className={`${layoutClasses.row} ${textClasses.inheritedColor} ${classes.entry}`}>
          <IconCalendarQuestion size={20} stroke={1.75} aria-hidden />
          <span className={layoutClasses.fillingColumn}>
            <span className={`${textClasses.smallFont} ${textClasses.strong} ${textClasses.underlined}`}>
              {unread === 1 ? '1 text has no date' : `${unread.toLocaleString('en-US')} texts have no date`}
            </span>
            <span className={`${textClasses.smallerFont} ${classes.detail}`}>In no calendar until it is set</span>
          </span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </Link>
      ) : null}
      {contradictions > 0 ? (
        <Link {...SORT_OUT} className={`${layoutClasses.row} ${textClasses.inheritedColor} ${classes.entry}`}>
          <IconArrowsLeftRight size={20} stroke={1.75} aria-hidden />
          <span className={layoutClasses.fillingColumn}>
            <span className={`${textClasses.smallFont} ${textClasses.strong} ${textClasses.underlined}`}>
              {contradictions === 1 ? '1 contradiction' : `${contradictions.toLocaleString('en-US')} contradictions`}
            </span>
            <span className={`${textClasses.smallerFont} ${classes.detail}`}>Dates that disagree, or have passed</span>
          </span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </Link>
      ) : null}
    </section>
  )

/** The number of people shown initially, including the user. */
const FIRST_PEOPLE = 5

/** The number of deadlines per responsible person, unassigned ones first; each is a filter. */
const People = ({ counts: { responsible, me }, filter }: { counts: DeadlineCounts; filter: DeadlinesFilter }) => {
  const [isAll, setAll] = useState(false)
  const mine = ({ person }: DeadlineCounts['responsible'][number]) => me !== null && person?._id === me
  const rank = (one: DeadlineCounts['responsible'][number]) => (one.person === null ? 0 : mine(one) ? 1 : 2)
  const sorted = responsible.toSorted((a, b) => rank(a) - rank(b))
  const shown = isAll ? sorted : sorted.slice(0, FIRST_PEOPLE)
  const chosen = filter.query.responsible
  if (sorted.length === 0) return null
  return (
    <section aria-labelledby="responsible-people" className={`${layoutClasses.bottomMargin32} ${classes.section}`} data-print="no">
      <h2 id="responsible-people" className={`${layoutClasses.lineBelow} ${textClasses.smallFont} ${classes.title}`}>
        Responsible
      </h2>
      <ul>
        {shown.map((one) => {
          const { person, count } = one
          const value = person === null ? 'none' : mine(one) ? 'me' : person._id
          const isOn = chosen === value
          return (
            <li key={value}>
              <button
                type="button"
                className={`${layoutClasses.row} ${layoutClasses.hoverable} ${layoutClasses.rounded} ${classes.person}`}
                aria-pressed={isOn}
                data-unassigned={person === null || undefined}
                onClick={() => filter.change({ responsible: isOn ? undefined : value })}
              >
                {person === null ? <VacantAvatar size={24} /> : <Avatar name={person.name} size={24} />}
                <span className={`${textClasses.truncated} ${layoutClasses.filling}`}>
                  {person === null ? 'Nobody responsible' : mine(one) ? 'You' : person.name}
                </span>
                <span className={`${textClasses.dimmed} ${textClasses.figures} ${classes.count}`}>{count.toLocaleString('en-US')}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {sorted.length > FIRST_PEOPLE ? (
        <button type="button" className={`${textClasses.link} ${textClasses.smallFont} ${classes.all}`} onClick={() => setAll(!isAll)}>
          {isAll ? 'Fewer people' : `All ${sorted.filter(({ person }) => person !== null).length} people`}
        </button>
      ) : null}
    </section>
  )
}

/** Next to the agenda: what to sort out, the responsible people, and the calendar. */
export const DeadlinesAside = ({ counts, filter }: { counts: DeadlineCounts; filter: DeadlinesFilter }) => (
  <aside className={layoutClasses.shrinkable} aria-label="To sort out, responsible people, calendar">
    <ToSortOut counts={counts} />
    <People counts={counts} filter={filter} />
    <section aria-labelledby="own-calendar" className={`${layoutClasses.bottomMargin32} ${classes.section}`} data-print="no">
      <h2 id="own-calendar" className={`${layoutClasses.lineBelow} ${textClasses.smallFont} ${classes.title}`}>
        In your own calendar
      </h2>
      <p className={`${textClasses.hint} ${layoutClasses.bottomMargin8}`}>
        Outlook, Google and Apple can show these dates and keep them up to date.
      </p>
      <button
        type="button"
        className={`${layoutClasses.inlineRow} ${textClasses.linkColor} ${textClasses.smallFont} ${classes.calendar}`}
        aria-haspopup="dialog"
        onClick={() => openCalendarWindow(toCalendar(filter))}
      >
        <IconCalendarPlus size={18} stroke={1.75} aria-hidden />
        New calendar feed
      </button>
    </section>
  </aside>
)
