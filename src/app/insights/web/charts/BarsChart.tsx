import { scaleBand, scaleLinear } from '@visx/scale'

import type { InsightSeries } from '../../contract.ts'
import {
  canAddUp,
  createDayNames,
  createTickNames,
  findBefore,
  formatShort,
  formatSpoken,
  getStep,
  getTotal,
  listDays,
} from '../../format.ts'
import { AXIS_WIDTH, LabelsBelow, ValueAxis } from './Axes.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChartKey, getKeyHeight, layOutKey } from './ChartKey.tsx'
import { ChartSvg, type Spot } from './ChartSvg.tsx'
import { estimateWidth, thinOut, toColor } from './layout.ts'

import classes from './Charts.module.css'

/** Up to this number of series, bars are side by side; those of more are stacked. */
const MAX_BESIDE = 3
const PLOT_HEIGHT = 190
const BELOW = 26
interface Bar {
  readonly series: number
  readonly day: string
  readonly x: number
  readonly width: number
  readonly from: number
  readonly to: number
  readonly value: number
  readonly link: InsightSeries['link']
}

const findPoint = ({ points }: InsightSeries, day: string) => points.find(({ on }) => on === day)
const findValue = (series: InsightSeries, day: string): number => findPoint(series, day)?.value ?? 0

/** Bars of months, quarters or years; the value above each if there is room. */
export const BarsChart = ({ insight, before, width }: ChartProps) => {
  const { series, unit } = insight
  const days = listDays(series)
  const [only] = series
  const isSingle = series.length === 1
  const isStacked = series.length > MAX_BESIDE
  const oldDays = listDays(before?.series ?? [])
  /** The bars of the period before that those of a day are compared with, each in its place; of stacked ones the sum. */
  const listOld = (day: string): number[] => {
    const oldDay = oldDays[days.indexOf(day) - days.length + oldDays.length]
    if (!before || oldDay === undefined) return []
    const values = (isStacked ? before.series : series).map((one) =>
      findValue(findBefore(before.series, one) ?? { ...one, points: [] }, oldDay),
    )
    return isStacked ? [values.reduce((sum, value) => sum + value, 0)] : values
  }
  const key = layOutKey(
    isSingle
      ? oldDays.length > 0
        ? [
            { text: 'Now', color: 0 },
            { text: 'Before', color: 'before' },
          ]
        : []
      : [
          ...series.map((one, at) => ({
            text: canAddUp(unit) ? `${one.label} ${formatShort(getTotal(one), unit)}` : one.label,
            color: toColor(at),
          })),
          ...(oldDays.length > 0 ? [{ text: isStacked ? 'All, before' : 'Before', color: 'before' as const }] : []),
        ],
    width,
  )
  const top = getKeyHeight(key) + 22
  const bottom = top + PLOT_HEIGHT
  const totals = days.map((day) => series.map((one) => findValue(one, day)))
  const most = Math.max(
    ...totals.map((values) => (isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values))),
    ...days.flatMap(listOld),
    1,
  )
  const roomy = scaleBand({ domain: days, range: [0, width], padding: 0.24 })
  const hasValues = isSingle && days.every((day) => estimateWidth(formatShort(only ? findValue(only, day) : 0, unit)) < roomy.step())
  const x = hasValues ? roomy : scaleBand({ domain: days, range: [AXIS_WIDTH, width], padding: 0.24 })
  const y = scaleLinear({ domain: [0, most], range: [bottom, top], nice: hasValues ? false : 4 })
  const nameDay = createDayNames(insight)
  const step = getStep(days)
  const ticks = thinOut(days, Math.floor((width - AXIS_WIDTH) / (step === 'month' ? 50 : 58)))
  const nameTick = step === 'month' ? createTickNames(ticks) : nameDay

  const bars = days.flatMap((day) => {
    let sum = 0
    return series.map((one, at): Bar => {
      const value = findValue(one, day)
      const from = isStacked ? sum : 0
      sum += value
      const band = isStacked ? x.bandwidth() : x.bandwidth() / series.length
      return {
        series: at,
        day,
        value,
        link: findPoint(one, day)?.link ?? one.link,
        x: (x(day) ?? 0) + (isStacked ? 0 : band * at),
        width: Math.max(band - (isStacked || isSingle ? 0 : 1), 1),
        from,
        to: from + value,
      }
    })
  })
  const spots = bars.map((bar): Spot => {
    const earlier = isStacked ? undefined : listOld(bar.day)[bar.series]
    const box = { x: bar.x, y: Math.min(y(bar.to), bottom - 4), width: bar.width, height: Math.max(y(bar.from) - y(bar.to), 4) }
    return {
      row: bar.series,
      column: days.indexOf(bar.day),
      x: bar.x + bar.width / 2,
      y: box.y,
      box,
      text: `${nameDay(bar.day)}${isSingle ? '' : `, ${series[bar.series]?.label}`}: ${formatSpoken(bar.value, unit)}${
        earlier === undefined ? '' : `, ${formatShort(earlier, unit)} before`
      }`,
      link: bar.link,
    }
  })

  return (
    <ChartSvg label={insight.title} width={width} height={bottom + BELOW} spots={spots}>
      <ChartKey entries={key} />
      {hasValues ? (
        <line className={classes.hairline} x1={0} x2={width} y1={bottom} y2={bottom} />
      ) : (
        <ValueAxis scale={y} unit={unit} from={AXIS_WIDTH} to={width} />
      )}
      {bars.map((bar) =>
        bar.value === 0 ? null : (
          <rect
            key={`${bar.day} ${bar.series}`}
            className={classes.bar}
            data-series={toColor(bar.series)}
            x={bar.x}
            width={bar.width}
            y={y(bar.to)}
            height={y(bar.from) - y(bar.to)}
            rx={isStacked ? 0 : Math.min(3, bar.width / 2)}
          />
        ),
      )}
      {hasValues
        ? bars.map((bar) => (
            <text key={bar.day} className={classes.value} x={bar.x + bar.width / 2} y={y(bar.to) - 6} textAnchor="middle">
              {formatShort(bar.value, unit)}
            </text>
          ))
        : null}
      {days.flatMap((day) => {
        const values = listOld(day)
        const band = x.bandwidth() / values.length
        return values.map((value, at) => {
          const left = (x(day) ?? 0) + band * at
          const [x1, x2] = [left - (isSingle ? 2 : 0), left + band + (isSingle ? 2 : -1)]
          // A mark on the axis would say nothing.
          return (value === 0 ? [] : ['below', 'before']).map((name) => (
            <line
              key={`${name} ${day} ${series[at]?.key}`}
              className={classes.line}
              data-series={name}
              x1={x1}
              x2={x2}
              y1={y(value)}
              y2={y(value)}
            />
          ))
        })
      })}
      <LabelsBelow labels={ticks.map((day) => ({ x: (x(day) ?? 0) + x.bandwidth() / 2, text: nameTick(day) }))} y={bottom} width={width} />
    </ChartSvg>
  )
}
