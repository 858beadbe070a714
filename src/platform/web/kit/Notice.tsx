import { IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import layoutClasses from './Layout.module.css'
import classes from './Notice.module.css'

interface NoticeProps {
  /** `off` describes a state (closed); `bad` an error. */
  tone: 'off' | 'bad'
  children: ReactNode
  /** Announced when it appears; not for content of the initial page. */
  live?: boolean
}

/** A banner across the page, above the name. */
export const Notice = ({ tone, children, live = false }: NoticeProps) => (
  <div className={`${layoutClasses.row} ${layoutClasses.band} ${classes.notice}`} data-tone={tone} role={live ? 'alert' : undefined}>
    <IconCircleX size={20} stroke={1.75} aria-hidden />
    <div className={`${layoutClasses.iconAndText} ${layoutClasses.breakable} ${classes.text}`}>{children}</div>
  </div>
)
