import { scaleLinear } from '@visx/scale'

import { formatDay } from '../../../../contract/dates.ts'
import { getToday } from '../../../../platform/web/today.ts'
import type { InsightSeries } from '../../contract.ts'
import { LabelsBelow } from './Axes.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChartSvg, type Spot } from './ChartSvg.tsx'
import { estimateWidth, fitText, thinOut } from './layout.ts'

import classes from './Charts.module.css'

type Term = NonNullable<InsightSeries['term']>

const ROW_HEIGHT = 24
const BAR_HEIGHT = 12
const TOP = 20
const BELOW = 24

/** 'Term from 07/01/2022 to 06/30/2027, petition from 10/01/2026 to 01/31/2027'. */
export const formatTerm = ({ from, to, windowFrom, windowTo }: Term): string =>
  [
    `Term ${from === null ? '' : `from ${formatDay(from)} `}to ${formatDay(to)}`,
    windowFrom === null && windowTo === null
      ? ''
      : `petition ${windowFrom === null ? '' : `from ${formatDay(windowFrom)} `}${windowTo === null ? '' : `to ${formatDay(windowTo)}`}`.trim(),
  ]
    .filter(Boolean)
    .join(', ')

/** Terms as bars from their first to their last day, with the window of the petition, and a line for today. */
export const TermsChart = ({ insight, width }: ChartProps) => {
  const rows = insight.series.flatMap((one) => (one.term ? [{ ...one, term: one.term }] : []))
  const today = Date.parse(getToday())
  const ends = rows.flatMap(({ term }) =>
    [term.from, term.to, term.windowFrom, term.windowTo].flatMap((day) => (day === null ? [] : [Date.parse(day)])),
  )
  const names = Math.min(Math.max(...rows.map(({ label }) => estimateWidth(label)), 0), width * 0.4)
  const left = names + 12
  const x = scaleLinear({ domain: [Math.min(...ends, today), Math.max(...ends, today)], range: [left, width - 4] })
  const [first = today, last = today] = x.domain()
  const years = Array.from(
    { length: new Date(last).getUTCFullYear() - new Date(first).getUTCFullYear() },
    (_, at) => new Date(first).getUTCFullYear() + 1 + at,
  )
  const shownYears = thinOut(years, Math.floor((width - left) / 48))
  const bottom = TOP + rows.length * ROW_HEIGHT
  const spots = rows.map(({ label, term, link }, row): Spot => ({
    row,
    column: 0,
    x: (left + width) / 2,
    y: TOP + row * ROW_HEIGHT,
    box: { x: 0, y: TOP + row * ROW_HEIGHT, width, height: ROW_HEIGHT },
    text: `${label}: ${formatTerm(term)}`,
    link,
  }))
  const bar = (from: number, to: number, name: string | undefined, row: number) => (
    <rect className={name} x={x(from)} width={Math.max(x(to) - x(from), 3)} y={TOP + row * ROW_HEIGHT + 6} height={BAR_HEIGHT} rx={3} />
  )
  return (
    <ChartSvg label={insight.title} width={width} height={bottom + BELOW} spots={spots}>
      {shownYears.map((year) => (
        <line key={year} className={classes.hairline} x1={x(Date.UTC(year, 0))} x2={x(Date.UTC(year, 0))} y1={TOP} y2={bottom} />
      ))}
      {rows.map(({ key, label, term: { from, to, windowFrom, windowTo } }, row) => (
        <g key={key}>
          <text className={classes.label} y={TOP + row * ROW_HEIGHT + ROW_HEIGHT / 2 + 4}>
            {fitText(label, names + 2)}
          </text>
          {bar(from === null ? first : Date.parse(from), Date.parse(to), classes.term, row)}
          {windowFrom === null && windowTo === null
            ? null
            : bar(Date.parse(windowFrom ?? windowTo ?? to), Date.parse(windowTo ?? to), classes.window, row)}
        </g>
      ))}
      <line className={classes.today} x1={x(today)} x2={x(today)} y1={TOP - 4} y2={bottom} />
      <text className={classes.tick} x={x(today)} y={TOP - 8} textAnchor={x(today) > width - 20 ? 'end' : 'middle'}>
        Today
      </text>
      <LabelsBelow labels={shownYears.map((year) => ({ x: x(Date.UTC(year, 0)), text: String(year) }))} y={bottom} width={width} />
    </ChartSvg>
  )
}
