import { scaleLinear } from '@visx/scale'

import { findBefore, formatChange, formatShort, formatSpoken, getLast } from '../../format.ts'
import type { ChartProps } from './chart-props.ts'
import { ChartSvg, type Spot } from './ChartSvg.tsx'
import { estimateWidth, fitText } from './layout.ts'

import classes from './Charts.module.css'

const ROW_HEIGHT = 30
const BAR_HEIGHT = 18
const GAP = 12

/** One bar for each series, with its name at the left and its value at the end. */
export const RanksChart = ({ insight, before, width }: ChartProps) => {
  const { series, unit } = insight
  const rows = series.map((one) => {
    const value = getLast(one)
    const old = findBefore(before?.series, one)
    const change = old && old.points.length > 0 ? formatChange(value - getLast(old), unit) : ''
    return {
      ...one,
      value,
      change,
      text: [`${formatShort(value, unit)}${change && ` (${change})`}`, ...(one.points.at(-1)?.stakes ?? [])].join(', '),
    }
  })
  const names = Math.min(Math.max(...rows.map(({ label }) => estimateWidth(label))), width * 0.4)
  const left = names + GAP
  const room = Math.max(...rows.map(({ text }) => estimateWidth(text))) + 10
  const values = rows.map(({ value }) => value)
  const x = scaleLinear({
    domain: [Math.min(...values, 0), Math.max(...values, 1)],
    range: [left, Math.max(width - room, left + 20)],
  })
  const height = rows.length * ROW_HEIGHT
  const spots = rows.map(({ label, value, change, link, points }, row): Spot => ({
    row,
    column: 0,
    x: (x(0) + x(value)) / 2,
    y: row * ROW_HEIGHT + 8,
    box: { x: 0, y: row * ROW_HEIGHT, width, height: ROW_HEIGHT },
    text: [`${label}: ${formatSpoken(value, unit)}${change && `, ${change} to the period before`}`, ...(points.at(-1)?.stakes ?? [])].join(
      ', ',
    ),
    link,
  }))
  return (
    <ChartSvg label={insight.title} width={width} height={height} spots={spots}>
      {rows.map(({ key, label, value, text, link }, row) => (
        <g key={key} transform={`translate(0 ${row * ROW_HEIGHT})`}>
          <text className={classes.label} data-link={link ? true : undefined} y={ROW_HEIGHT / 2 + 4}>
            {fitText(label, names + 2)}
          </text>
          <rect
            className={classes.bar}
            data-series={0}
            x={Math.min(x(0), x(value))}
            y={(ROW_HEIGHT - BAR_HEIGHT) / 2}
            width={Math.max(Math.abs(x(value) - x(0)), value === 0 ? 0 : 2)}
            height={BAR_HEIGHT}
            rx={3}
          />
          <text className={classes.value} x={Math.max(x(0), x(value)) + 7} y={ROW_HEIGHT / 2 + 4}>
            {text}
          </text>
        </g>
      ))}
    </ChartSvg>
  )
}
