import { IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './Notice.module.css'

interface NoticeProps {
  /** `off` says how things are (closed); `bad` that something went wrong. */
  tone: 'off' | 'bad'
  children: ReactNode
  /** Read out when it appears; not for what is there from the start. */
  live?: boolean
}

/** A band across the page, above the name. */
export const Notice = ({ tone, children, live = false }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone} role={live ? 'alert' : undefined}>
    <IconCircleX size={20} stroke={1.75} aria-hidden className={classes.sign} />
    <div className={classes.words}>{children}</div>
  </div>
)
