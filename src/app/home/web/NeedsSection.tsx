import type { ReactNode } from 'react'

import { CardHead } from '../../../platform/web/kit/CardHead.tsx'
import type { SearchParams } from '../../../platform/web/search-params.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './NeedsSection.module.css'

interface NeedsSectionProps {
  readonly id: string
  readonly title: string
  readonly count: number
  /** A link to all of them. */
  readonly all?: { readonly to: string; readonly search?: SearchParams }
  readonly children: ReactNode
}

/** A section of tasks: its title, their number, the first of them, and a link to all. */
export const NeedsSection = ({ id, title, count, all, children }: NeedsSectionProps) => (
  <section className={layoutClasses.bottomMargin32} aria-labelledby={id}>
    <CardHead id={id} title={title} count={count} isPart all={all && { ...all, text: 'All', label: `All: ${title}` }} />
    <ul aria-labelledby={id}>{children}</ul>
  </section>
)

interface NeedsRowProps {
  readonly mark?: ReactNode
  readonly title: ReactNode
  readonly lines: readonly ReactNode[]
  readonly actions?: ReactNode
}

export const NeedsRow = ({ mark, title, lines, actions }: NeedsRowProps) => (
  <li className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${classes.row}`}>
    {mark}
    <span className={`${layoutClasses.fillingColumn} ${classes.text}`}>
      <span className={`${textClasses.strong} ${classes.name}`}>{title}</span>
      {lines.map((line, index) => (
        <span key={index} className={`${textClasses.note} ${classes.line}`}>
          {line}
        </span>
      ))}
    </span>
    {actions ? <span className={`${layoutClasses.rigidFlex} ${layoutClasses.gap6} ${classes.actions}`}>{actions}</span> : null}
  </li>
)
