import type { ReactNode } from 'react'

import { useTitle } from '../title.ts'

import classes from './ListHead.module.css'

interface ListHeadProps {
  title: string
  /** One line of counts, once they are known. */
  summary: string | undefined
  /** They will not be known: the list could not be loaded. */
  failed?: boolean
  /** What is alone at the right. */
  aside?: ReactNode
}

/** The head of a list: its name, how many there are, and what is alone at the right. */
export const ListHead = ({ title, summary, failed = false, aside }: ListHeadProps) => {
  useTitle(title)
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <h1 tabIndex={-1}>{title}</h1>
        <p className={classes.summary}>{summary ?? (failed ? '\u00a0' : 'Loading...')}</p>
      </div>
      {aside}
    </div>
  )
}
