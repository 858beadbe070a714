import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDay } from '../../../contract/dates.ts'
import { formatDistance } from '../../../features/deadlines/deadlines/rules.ts'
import { getToday } from '../../../platform/web/today.ts'
import type { Home } from '../response.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './NothingNeeded.module.css'

/** Shown if nothing needs attention, with the next deadline. */
export const NothingNeeded = ({ deadlines: { next } }: Pick<Home, 'deadlines'>) => (
  <div className={`${layoutClasses.row} ${classes.message}`}>
    <span className={`${layoutClasses.centered} ${layoutClasses.rigidFlex} ${layoutClasses.okGround} ${classes.check}`} aria-hidden>
      <IconCheck size={22} stroke={2} />
    </span>
    <div>
      <p className={textClasses.strong}>Nothing needs you today</p>
      {next ? (
        <p className={textClasses.dimmed}>
          Your next deadline is{' '}
          <Link to="/deadlines" search={{ responsible: 'me' } as never} className={textClasses.link}>
            {next.title}
          </Link>{' '}
          on {formatDay(next.date)}, {formatDistance(next.date, getToday())}.
        </p>
      ) : null}
    </div>
  </div>
)
