import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'

interface EmptyStateProps {
  icon: Icon
  /** The specification's words. */
  title: string
  /** One sentence why, then the way out. */
  children: ReactNode
  /** The title is the page's own. */
  isPage?: boolean
}

/** Nothing to show: what, why, and the way out. */
export const EmptyState = ({ icon: Sign, title, children, isPage = false }: EmptyStateProps) => (
  <div className={classes.empty} data-page={isPage || undefined}>
    <span className={classes.tile}>
      <Sign size={28} stroke={1.75} aria-hidden />
    </span>
    {isPage ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
    {children}
  </div>
)

/** The ways out, side by side. */
export const EmptyStateActions = ({ children }: { children: ReactNode }) => <div className={classes.ways}>{children}</div>
