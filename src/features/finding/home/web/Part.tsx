import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { SearchParams } from '../../../../platform/web/search-params.ts'

import classes from './Part.module.css'

interface PartProps {
  readonly id: string
  readonly title: string
  readonly count: number
  /** Where all of them are. */
  readonly all?: { readonly to: string; readonly search?: SearchParams }
  readonly children: ReactNode
}

/** One part of what needs someone: its name, how many there are, the first of them, and the way to all. */
export const Part = ({ id, title, count, all, children }: PartProps) => (
  <section className={classes.part} aria-labelledby={id}>
    <div className={classes.head}>
      <h3 id={id} className={classes.title} tabIndex={-1}>
        {title} <span className={classes.count}>{count.toLocaleString('en-US')}</span>
      </h3>
      {all ? (
        <Link to={all.to} search={(all.search ?? {}) as never} className={classes.all} aria-label={`All: ${title}`}>
          All
        </Link>
      ) : null}
    </div>
    <ul className={classes.rows} aria-labelledby={id}>
      {children}
    </ul>
  </section>
)

interface PartRowProps {
  readonly mark?: ReactNode
  readonly title: ReactNode
  readonly lines: readonly ReactNode[]
  readonly actions?: ReactNode
}

export const PartRow = ({ mark, title, lines, actions }: PartRowProps) => (
  <li className={classes.row}>
    {mark}
    <span className={classes.words}>
      <span className={classes.name}>{title}</span>
      {lines.map((line, index) => (
        <span key={index} className={classes.line}>
          {line}
        </span>
      ))}
    </span>
    {actions ? <span className={classes.actions}>{actions}</span> : null}
  </li>
)
