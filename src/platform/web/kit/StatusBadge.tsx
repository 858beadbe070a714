import { IconCircleCheckFilled, IconCircleHalf2, IconCircleX, IconClock, IconPlayerPause } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { STATUS_LABELS } from '../../../contract/status.ts'
import type { Status } from '../../../contract/status.ts'

import layoutClasses from './Layout.module.css'
import classes from './StatusBadge.module.css'
import textClasses from './Text.module.css'

const STATUS_STYLES: Record<Status, Pick<BadgeProps, 'icon' | 'tone'>> = {
  ACTIVE: { icon: IconCircleCheckFilled, tone: 'ok' },
  'ACTIVE - TEMPORARY': { icon: IconCircleHalf2, tone: 'temp' },
  PENDING: { icon: IconClock, tone: 'wait' },
  'CLOSED - PERMANENTLY': { icon: IconCircleX, tone: 'off' },
  'CLOSED - TEMPORARILY': { icon: IconPlayerPause, tone: 'off' },
}

interface BadgeProps {
  icon: Icon
  tone: 'ok' | 'temp' | 'wait' | 'off'
  children: string
}

/** A status: icon, word and tint. */
export const Badge = ({ icon: IconComponent, tone, children }: BadgeProps) => (
  <span className={`${layoutClasses.inlineRow} ${textClasses.strong} ${classes.badge}`} data-tone={tone}>
    <IconComponent size={15} stroke={1.75} aria-hidden />
    {children}
  </span>
)

/** Icon, word and tint: once, in the head of a page. */
export const StatusBadge = ({ status }: { status: Status }) => {
  const { icon, tone } = STATUS_STYLES[status]
  return (
    <Badge icon={icon} tone={tone}>
      {STATUS_LABELS[status]}
    </Badge>
  )
}

/** Icon and plain word: in tables, rows and cards. */
export const StatusWord = ({ status }: { status: Status }) => {
  const { icon: IconComponent, tone } = STATUS_STYLES[status]
  return (
    <span className={`${layoutClasses.inlineRow} ${classes.label}`}>
      <IconComponent size={15} stroke={1.75} aria-hidden className={classes.icon} data-tone={tone} />
      {STATUS_LABELS[status]}
    </span>
  )
}
