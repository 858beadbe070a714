import { IconHistory } from '@tabler/icons-react'

import { formatDaysAgo } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'

import classes from './LastChanged.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface LastChangedProps {
  updatedAt: string
  updatedBy: string | null
  /** The record's name, if a page shows more than one: 'Facility changed 3 days ago'. */
  what?: string
}

/** When and by whom a record was last changed. */
export const LastChanged = ({ updatedAt, updatedBy, what }: LastChangedProps) => (
  <p className={`${layoutClasses.breakable} ${layoutClasses.spaced} ${textClasses.caption} ${classes.changed}`}>
    <IconHistory size={17} stroke={1.75} aria-hidden className={classes.icon} />
    <span>
      {what ? `${what} changed` : 'Changed'} <time dateTime={updatedAt}>{formatDaysAgo(updatedAt, configuration.timeZone)}</time>
      {updatedBy ? ` by ${updatedBy}` : null}
    </span>
  </p>
)
