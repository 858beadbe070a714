import { Link } from '@tanstack/react-router'

import type { SearchParams } from '../search-params.ts'

import classes from './CardHead.module.css'

interface CardHeadProps {
  readonly id: string
  readonly title: string
  readonly count?: number
  /** A heading below another one of the page, to which the page can scroll. */
  readonly isPart?: boolean
  /** The link to all of them: its address and words; `label` where its words alone would not say enough. */
  readonly all?: { readonly to: string; readonly search?: SearchParams; readonly text: string; readonly label?: string } | undefined
}

/** The head of a card that shows the first of many: its title, how many there are, and a link to all of them. */
export const CardHead = ({ id, title, count, isPart = false, all }: CardHeadProps) => {
  const Heading = isPart ? 'h3' : 'h2'
  return (
    <div className={classes.head}>
      <Heading id={id} className={classes.title} {...(isPart ? { tabIndex: -1 } : {})}>
        {title}
        {count === undefined ? null : (
          <>
            {' '}
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
          </>
        )}
      </Heading>
      {all ? (
        <Link to={all.to} search={(all.search ?? {}) as never} className={classes.all} aria-label={all.label}>
          {all.text}
        </Link>
      ) : null}
    </div>
  )
}
