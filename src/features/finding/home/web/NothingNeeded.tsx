import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDay } from '../../../../contract/dates.ts'
import { getToday } from '../../../../platform/web/today.ts'
import { formatDistance } from '../../../record-tools/deadlines/rules.ts'
import type { Home } from '../contract.ts'

import classes from './NothingNeeded.module.css'

/** Shown if nothing needs attention, with the next deadline. */
export const NothingNeeded = ({ deadlines: { next } }: Pick<Home, 'deadlines'>) => (
  <div className={classes.message}>
    <span className={classes.check} aria-hidden>
      <IconCheck size={22} stroke={2} />
    </span>
    <div>
      <p className={classes.title}>Nothing needs you today</p>
      {next ? (
        <p className={classes.next}>
          Your next deadline is{' '}
          <Link to="/deadlines" search={{ responsible: 'me' } as never} className={classes.link}>
            {next.title}
          </Link>{' '}
          on {formatDay(next.date)}, {formatDistance(next.date, getToday())}.
        </p>
      ) : null}
    </div>
  </div>
)
