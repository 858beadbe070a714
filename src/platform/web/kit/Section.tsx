import { useId } from 'react'
import type { ReactNode } from 'react'

import classes from './Section.module.css'

interface SectionProps {
  title: string
  children: ReactNode
  /** How many there are in it. */
  count?: number
  /** A hairline under the heading, where no list with hairlines of its own follows. */
  ruled?: boolean
}

/** A part of a page under its own heading. */
export const Section = ({ title, children, count, ruled = false }: SectionProps) => {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.title} data-ruled={ruled || undefined}>
        {title}
        {count === undefined ? null : <span className={classes.count}> {count}</span>}
      </h2>
      {children}
    </section>
  )
}

/** Main column and an aside of 320 beside it; under 1100 px the aside goes under (tokens, "Detail page"). */
export const WithAside = ({ children, aside }: { children: ReactNode; aside: ReactNode }) => (
  <div className={classes.columns}>
    <div className={classes.main}>{children}</div>
    <aside className={classes.aside}>{aside}</aside>
  </div>
)
