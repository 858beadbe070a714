import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './IconRow.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface IconRowProps {
  readonly icon: Icon
  readonly name: ReactNode
  readonly badge?: string | null
  /** Whether the badge is a warning. */
  readonly isWarning?: boolean
  /** Each line as its parts, which are stacked on a phone. */
  readonly lines: readonly (readonly string[])[]
  readonly actions?: ReactNode
}

/** A row in a list of sessions, tokens or addresses: an icon, a name, details and actions. */
export const IconRow = ({ icon: IconComponent, name, badge = null, isWarning = false, lines, actions = null }: IconRowProps) => (
  <li className={`${layoutClasses.grid} ${layoutClasses.lineAbove} ${layoutClasses.positioned} ${classes.row}`}>
    <span className={`${textClasses.dimmed} ${layoutClasses.sunkenGround} ${classes.icon}`}>
      <IconComponent size={22} stroke={1.75} aria-hidden />
    </span>
    <span className={`${layoutClasses.column} ${textClasses.lines}`}>
      <span className={`${layoutClasses.wrappingRow} ${classes.nameLine}`}>
        <span className={`${textClasses.strong} ${classes.name}`}>{name}</span>
        {badge === null ? null : (
          <span
            className={`${textClasses.label} ${textClasses.ok} ${textClasses.smallLines} ${classes.badge}`}
            data-warning={isWarning || undefined}
          >
            {badge}
          </span>
        )}
      </span>
      {lines.map((parts) => (
        <span key={parts.join(' ')} className={`${textClasses.detail} ${textClasses.figures} ${classes.line}`}>
          {parts.map((part) => (
            <span key={part}>{part}</span>
          ))}
        </span>
      ))}
    </span>
    <span className={`${layoutClasses.spaced} ${layoutClasses.atEnd} ${classes.actions}`}>{actions}</span>
  </li>
)

/** A list of IconRows. */
export const IconRows = ({ label, children }: { label: string; children: ReactNode }) => <ul aria-label={label}>{children}</ul>
