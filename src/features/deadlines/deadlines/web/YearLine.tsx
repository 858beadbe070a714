import { layoutTerm, toFraction, type YearMonth, type YearRange, type YearRow } from './year-layout.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearLine.module.css'

const percent = (fraction: number): string => `${(fraction * 100).toFixed(3)}%`

/** The year that a chart shows. */
export interface ShownYear {
  readonly range: YearRange
  readonly months: readonly YearMonth[]
  readonly today: string
}

interface YearLineProps extends ShownYear {
  readonly row: Pick<YearRow, 'termStart' | 'termEnd' | 'isSite'>
}

/** The background of a row's marks: the months, the term, and today. */
export const YearLine = ({ row, range, months, today }: YearLineProps) => {
  const { term, none, hasStart } = layoutTerm(row, range)
  const now = toFraction(today, range)
  return (
    <svg className={layoutClasses.stretched} aria-hidden>
      {months.map(({ fraction, quarter, name }) => (
        <line
          key={name}
          x1={percent(fraction)}
          x2={percent(fraction)}
          y1="0"
          y2="100%"
          className={quarter === null ? classes.month : classes.quarter}
        />
      ))}
      {none && !row.isSite ? <line x1={percent(none[0])} x2={percent(none[1])} y1="50%" y2="50%" className={classes.none} /> : null}
      {term ? <line x1={percent(term[0])} x2={percent(term[1])} y1="50%" y2="50%" className={classes.term} /> : null}
      {term && hasStart ? (
        <svg x={percent(term[0])} y="50%" overflow="visible">
          <line y1={-6} y2={6} className={classes.start} />
        </svg>
      ) : null}
      {now >= 0 && now < 1 ? <line x1={percent(now)} x2={percent(now)} y1="0" y2="100%" className={classes.today} /> : null}
    </svg>
  )
}

/** The months above the rows, with today. */
export const YearHead = ({ range, months, today }: ShownYear) => {
  const now = toFraction(today, range)
  return (
    <div className={`${layoutClasses.positioned} ${classes.head}`} aria-hidden>
      {months.map(({ name, fraction, quarter }) => (
        <span
          key={name}
          className={`${layoutClasses.block} ${textClasses.hint} ${classes.name}`}
          data-quarter={quarter !== null || undefined}
          style={{ left: percent(fraction) }}
        >
          {quarter === null ? null : (
            <span className={`${textClasses.strong} ${textClasses.textColor} ${textClasses.unbroken} ${classes.quarterName}`}>
              {quarter}
            </span>
          )}
          {name}
        </span>
      ))}
      {now >= 0 && now < 1 ? (
        <span className={`${textClasses.strong} ${textClasses.tinyFont} ${classes.pill}`} style={{ left: percent(now) }}>
          Today
        </span>
      ) : null}
    </div>
  )
}
