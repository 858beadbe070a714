import { Link } from '@tanstack/react-router'

import type { SearchParams } from '../search-params.ts'

import classes from './CardHead.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface CardHeadProps {
  readonly id: string
  readonly title: string
  readonly count?: number
  /** A subordinate heading that the page can scroll to. */
  readonly isPart?: boolean
  /** The link to the full list: its URL and text; `label` if the text alone is not descriptive enough. */
  readonly all?: { readonly to: string; readonly search?: SearchParams; readonly text: string; readonly label?: string } | undefined
}

/** The head of a card that shows the first items of a list: its title, the total number, and a link to the full list. */
export const CardHead = ({ id, title, count, isPart = false, all }: CardHeadProps) => {
  const Heading = isPart ? 'h3' : 'h2'
  return (
    <div className={`${layoutClasses.spreadRow} ${layoutClasses.lineBelow} ${classes.head}`}>
      <Heading id={id} className={classes.title} {...(isPart ? { tabIndex: -1 } : {})}>
        {title}
        {count === undefined ? null : (
          <>
            {' '}
            <span className={textClasses.count}>{count.toLocaleString('en-US')}</span>
          </>
        )}
      </Heading>
      {all ? (
        <Link
          to={all.to}
          search={(all.search ?? {}) as never}
          className={`${textClasses.link} ${textClasses.smallFont} ${classes.all}`}
          aria-label={all.label}
        >
          {all.text}
        </Link>
      ) : null}
    </div>
  )
}
