import { type ReactNode, useState } from 'react'

import { ShowMore } from '../../../../platform/web/kit/TextButton.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

/** The number of rows shown initially, and added with each press of 'Show more'. */
const FIRST_ROWS = 20
const MORE_ROWS = 200

interface SheetSectionProps<T> {
  readonly id: string
  readonly icon: ReactNode
  readonly title: string
  readonly about?: string
  readonly tools?: ReactNode
  /** The headers of the columns after the cell address. */
  readonly heads: readonly ReactNode[]
  readonly layout: 'errors' | 'conflicts' | 'changes'
  /** The header of the first column. */
  readonly mark?: ReactNode
  readonly rows: readonly T[]
  readonly getKey: (row: T, at: number) => string | number
  readonly children: (row: T) => ReactNode
}

/** One kind of finding; only the first rows are shown initially. */
export const SheetSection = <T,>(props: SheetSectionProps<T>) => {
  const { id, icon, title, about, tools, heads, layout, mark, rows, getKey, children } = props
  const [limit, setLimit] = useState(FIRST_ROWS)
  if (rows.length === 0) return null
  return (
    <section className={classes.section} data-layout={layout} aria-labelledby={id}>
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.gap6By16} ${classes.sectionHead}`}>
        <h2 id={id} tabIndex={-1}>
          {icon}
          {title}
        </h2>
        {tools}
      </div>
      {about === undefined ? null : <p className={`${textClasses.note} ${classes.note}`}>{about}</p>}
      <div className={`${textClasses.label} ${layoutClasses.lineBelow} ${layoutClasses.minHeight36} ${classes.heads}`}>
        <span>{mark}</span>
        <span aria-hidden>Cell</span>
        {heads.map((head, at) => (
          <span key={at} aria-hidden>
            {head}
          </span>
        ))}
      </div>
      <ul className={classes.rows} aria-labelledby={id}>
        {rows.slice(0, limit).map((row, at) => (
          <li key={getKey(row, at)} className={`${layoutClasses.lineBelow} ${classes.record}`}>
            {children(row)}
          </li>
        ))}
      </ul>
      <ShowMore left={rows.length - limit} step={MORE_ROWS} onShow={() => setLimit(limit + MORE_ROWS)} />
    </section>
  )
}
