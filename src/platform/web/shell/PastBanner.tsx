import { useLocation } from '@tanstack/react-router'

import { createDayFormat } from '../../../contract/dates.ts'
import { pastDay, toDay } from '../past-day.ts'

import textClasses from '../kit/Text.module.css'
import classes from './PastBanner.module.css'

const formatLongDay = createDayFormat({ month: 'long', day: 'numeric', year: 'numeric' })

/** On a page of a past day: says which, and leads back. */
export const PastBanner = () => {
  const href = useLocation({ select: (location) => location.href })
  return pastDay === undefined ? null : (
    <p className={`${textClasses.strong} ${classes.banner}`} data-tone="wait" data-notice role="status">
      As of {formatLongDay(pastDay)}. Nothing can be changed here.{' '}
      <a href={toDay(href, undefined)} className={`${textClasses.inheritedColor} ${textClasses.underlined}`} data-print="no">
        Back to Today
      </a>
    </p>
  )
}
