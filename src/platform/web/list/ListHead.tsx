import type { ReactNode } from 'react'

import { AsOfAction } from '../kit/AsOfAction.tsx'
import { useTitle } from '../title.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListHead.module.css'

interface ListHeadProps {
  title: string
  /** One line of counts, once known. */
  summary?: string | undefined
  /** A MatchCount in place of the summary. */
  count?: ReactNode
  /** The list could not be loaded, so there will be no counts. */
  failed?: boolean
  /** Content at the right. */
  aside?: ReactNode
  /** False if As Of… is somewhere else. */
  hasAsOf?: boolean
}

/** The head of a list: its name, counts, and content at the right. */
export const ListHead = ({ title, summary, count, failed = false, aside, hasAsOf = true }: ListHeadProps) => {
  useTitle(title)
  return (
    <div className={`${layoutClasses.pageHead} ${classes.head}`}>
      <div className={`${layoutClasses.shrinkable} ${classes.text}`}>
        <h1 tabIndex={-1}>{title}</h1>
        {count ?? <p className={textClasses.dimmed}>{summary ?? (failed ? '\u00a0' : 'Loading...')}</p>}
      </div>
      <div className={layoutClasses.wrappingRow}>
        {aside}
        {hasAsOf ? <AsOfAction /> : null}
      </div>
    </div>
  )
}
