import { formatDay } from '../../../../contract/dates.ts'
import { Legend } from './Legend.tsx'
import { layoutMarks, YEAR_ORDERS, type YearOrder, type YearRow } from './year-layout.ts'
import { NextDeadline, RecordName } from './YearGrid.tsx'
import { type ShownYear, YearHead, YearLine } from './YearLine.tsx'
import { YearPicture } from './YearMarks.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearSheets.module.css'

const ROWS_OF_SHEET = 14
const SIGN_SIZE = 17
/** The width of the year on a landscape sheet, in pixels. */
const SHEET_WIDTH = 600

interface YearSheetsProps extends ShownYear {
  readonly rows: readonly YearRow[]
  readonly order: YearOrder
  readonly summary: string
}

/** The year on paper: landscape, fourteen rows per sheet, each sheet with the legend and the sort order. */
export const YearSheets = ({ rows, range, months, today, order, summary }: YearSheetsProps) => {
  const count = Math.max(1, Math.ceil(rows.length / ROWS_OF_SHEET))
  const sheets = Array.from({ length: count }, (_, at) => rows.slice(at * ROWS_OF_SHEET, (at + 1) * ROWS_OF_SHEET))
  return (
    <div data-paper="landscape">
      {sheets.map((sheet, at) => (
        <section key={sheet[0]?._id ?? 'none'} className={classes.sheet}>
          <h2 className={textClasses.largeFont}>Deadlines</h2>
          <p className={`${textClasses.smallFont} ${layoutClasses.topMargin2} ${classes.summary}`}>{summary}</p>
          <Legend hasLines />
          <div className={`${textClasses.smallerFont} ${textClasses.strong} ${classes.head}`}>
            <span>Charter</span>
            <span>Next deadline</span>
            <YearHead range={range} months={months} today={today} />
            <span className={classes.term}>Term ends</span>
          </div>
          {sheet.map((row) => (
            <div key={row._id} className={`${textClasses.smallerFont} ${classes.row}`}>
              <span>
                <RecordName row={row} />
              </span>
              <span>
                <NextDeadline row={row} today={today} />
              </span>
              <span className={`${layoutClasses.positioned} ${classes.year}`}>
                <YearLine row={row} range={range} months={months} today={today} />
                <YearPicture
                  marks={layoutMarks(row.deadlines, { range, width: SHEET_WIDTH, markWidth: SIGN_SIZE + 2 })}
                  today={today}
                  size={SIGN_SIZE}
                />
              </span>
              <span className={classes.term}>{row.termEnd === null ? '' : formatDay(row.termEnd)}</span>
            </div>
          ))}
          <p className={`${layoutClasses.spaceBetween} ${layoutClasses.topMargin8} ${textClasses.tinyFont} ${classes.foot}`}>
            <span>Homeroom, Deadlines by charter, printed {formatDay(today)}</span>
            <span>
              Sorted by {YEAR_ORDERS[order]}. Sheet {at + 1} of {count}
            </span>
          </p>
        </section>
      ))}
    </div>
  )
}
