import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface EmptyStateProps {
  icon: Icon
  /** The message. */
  title: string
  /** One sentence explaining why, then what to do. */
  children: ReactNode
  /** The title is the page's h1. */
  isPage?: boolean
}

/** An empty state: what is missing, why, and what to do. */
export const EmptyState = ({ icon: IconComponent, title, children, isPage = false }: EmptyStateProps) => (
  <div className={`${layoutClasses.row} ${textClasses.centeredText} ${classes.empty}`} data-page={isPage || undefined}>
    <span className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.sunkenGround} ${classes.tile}`}>
      <IconComponent size={28} stroke={1.75} aria-hidden />
    </span>
    {isPage ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
    {children}
  </div>
)

/** The possible actions, side by side. */
export const EmptyStateActions = ({ children }: { children: ReactNode }) => (
  <div className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin12} ${layoutClasses.justifyCenter}`}>{children}</div>
)
