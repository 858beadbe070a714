import { useId } from 'react'
import type { ReactNode } from 'react'

import layoutClasses from './Layout.module.css'
import classes from './Section.module.css'
import textClasses from './Text.module.css'

interface SectionProps {
  title: string
  children: ReactNode
  /** The number of items. */
  count?: number
  /** A hairline below the heading, unless a list with its own hairlines follows. */
  ruled?: boolean
}

/** A section of a page with its own heading. */
export const Section = ({ title, children, count, ruled = false }: SectionProps) => {
  const id = useId()
  return (
    <section className={`${layoutClasses.sectionEnd} ${classes.section}`} aria-labelledby={id}>
      <h2 id={id} className={`${textClasses.sectionTitle} ${classes.title}`} data-ruled={ruled || undefined}>
        {title}
        {count === undefined ? null : <span className={textClasses.count}> {count}</span>}
      </h2>
      {children}
    </section>
  )
}

/** Main column with an aside of 320 px; below 1100 px the aside moves under it. */
export const WithAside = ({ children, aside }: { children: ReactNode; aside: ReactNode }) => (
  <div className={classes.columns}>
    <div className={layoutClasses.shrinkable}>{children}</div>
    <aside className={layoutClasses.shrinkable}>{aside}</aside>
  </div>
)
