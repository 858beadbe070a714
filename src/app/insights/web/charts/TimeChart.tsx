import { scaleLinear } from '@visx/scale'
import { AreaStack, LinePath } from '@visx/shape'

import type { InsightSeries } from '../../contract.ts'
import {
  createDayNames,
  createTickNames,
  findBefore,
  formatChange,
  formatShort,
  formatSpoken,
  getLast,
  getLeastMaximum,
  listDays,
} from '../../format.ts'
import { AXIS_WIDTH, LabelsBelow, ValueAxis } from './Axes.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChartKey, getKeyHeight, layOutKey, Swatch } from './ChartKey.tsx'
import { ChartSvg, type Spot } from './ChartSvg.tsx'
import { estimateWidth, LINE_HEIGHT, spreadLabels, thinOut, toColor } from './layout.ts'

import classes from './Charts.module.css'

interface Line {
  readonly key: string
  readonly label: string
  /** The list behind it. */
  readonly link?: InsightSeries['link']
  /** What is written at its end. */
  readonly end: string
  /** Its color; null for the period before. */
  readonly color: number | null
  readonly points: readonly { readonly on: string; readonly value: number; readonly x: string; readonly top: number }[]
}

const TOP = 12
const MIN_PLOT_HEIGHT = 190
const BELOW = 26
/** More labels are too close to each other to be read. */
const MAX_LABELS = 12

const shiftDay = (day: string, from: string, to: string): string =>
  new Date(Date.parse(day) + Date.parse(to) - Date.parse(from)).toISOString().slice(0, 10)

/** The period before would hide more lines than these. */
const MAX_COMPARED = 3

/** The lines, in a stacked picture one upon the other, and those of the period before. */
const buildLines = ({ insight, before }: ChartProps): Line[] => {
  const { series, unit, chart } = insight
  const sums = new Map<string, number>()
  const lines = series.map((one, at): Line => {
    const old = findBefore(before?.series, one)
    const change = old ? formatChange(getLast(one) - getLast(old), unit) : ''
    return {
      key: one.key,
      label: one.label,
      link: one.link,
      color: toColor(at),
      end:
        series.length === 1
          ? `Now ${formatShort(getLast(one), unit)}`
          : `${one.label} ${formatShort(getLast(one), unit)}${change && ` (${change})`}`,
      points: one.points.map(({ on, value }) => {
        const top = chart === 'areas' ? (sums.get(on) ?? 0) + value : value
        sums.set(on, top)
        return { on, value, x: on, top }
      }),
    }
  })
  if (!before || listDays(before.series).length === 0) return lines
  const toLine = (key: string, label: string, of: readonly InsightSeries[]): Line => {
    const points = listDays(before.series).map((on) => {
      const value = of.reduce((sum, { points: own }) => sum + (own.find((point) => point.on === on)?.value ?? 0), 0)
      return { on, value, x: shiftDay(on, before.to, insight.to), top: value }
    })
    return { key, label, color: null, end: `${label} ${formatShort(points.at(-1)?.value ?? 0, unit)}`, points }
  }
  if (chart === 'areas') return series.length > 1 && unit === 'percent' ? lines : [...lines, toLine('before', 'All, before', before.series)]
  if (series.length > MAX_COMPARED) return lines
  const old = series.flatMap((one) => {
    const own = findBefore(before.series, one)
    return own ? [toLine(`before ${one.key}`, series.length === 1 ? 'Before' : `${one.label}, before`, [own])] : []
  })
  return [...lines, ...old]
}

/** Lines or stacked areas over time, with their names and last values at their ends. */
export const TimeChart = (props: ChartProps) => {
  const { insight, width } = props
  const { series, unit, chart } = insight
  const lines = buildLines(props)
  const days = listDays(series)
  const named = lines.length <= MAX_LABELS ? lines : lines.slice(0, MAX_LABELS)
  // An area has its color beside its name; a line ends there.
  const swatch = chart === 'areas' ? 14 : 0
  const needed = Math.max(...named.map(({ end }) => estimateWidth(end))) + swatch + 16
  // Where the names would take half of the picture, they are above it.
  const isBeside = needed <= width * 0.5
  const colorOf = ({ color }: Line): number | 'before' => (color === null ? 'before' : color)
  const key = isBeside
    ? []
    : layOutKey(
        lines.map((line) => ({ text: line.end, color: colorOf(line) })),
        width,
      )
  const top = TOP + (isBeside ? 0 : getKeyHeight(key) + 8)
  const height = Math.max(MIN_PLOT_HEIGHT, isBeside ? named.length * LINE_HEIGHT : 0) + top + BELOW
  const bottom = height - BELOW
  const right = width - (isBeside ? needed : 8)
  const all = lines.flatMap(({ points }) => points)
  const places = all.map((point) => Date.parse(point.x))
  const x = scaleLinear({ domain: [Math.min(...places), Math.max(...places)], range: [AXIS_WIDTH, right] })
  const y = scaleLinear({
    domain: [0, Math.max(...all.map(({ top }) => top), getLeastMaximum(unit))],
    range: [bottom, top],
    nice: unit === 'percent' ? false : 4,
  })
  const getX = (point: { x: string }): number => x(Date.parse(point.x))
  const nameDay = createDayNames(insight)
  const ticks = thinOut(days, Math.floor((right - AXIS_WIDTH) / 58))
  const nameTick = createTickNames(ticks)

  const middleOf = ({ points }: Line): number => {
    const last = points.at(-1)
    return last ? y(chart === 'areas' ? last.top - last.value / 2 : last.value) : bottom
  }
  const labelPlaces = spreadLabels(named.map(middleOf), LINE_HEIGHT, top, bottom)
  const spots = lines.flatMap(({ label, link, points }, row) =>
    points.map(({ on, value, top, x: place }, column): Spot => ({
      row,
      column,
      x: x(Date.parse(place)),
      y: y(top),
      text: `${nameDay(on)}${lines.length === 1 ? '' : `, ${label}`}: ${formatSpoken(value, unit)}`,
      link,
      on,
    })),
  )
  const rows = days.map((on) => ({
    on,
    values: new Map(series.map(({ key, points }) => [key, points.find((point) => point.on === on)?.value ?? 0])),
  }))

  return (
    <ChartSvg label={insight.title} width={width} height={height} spots={spots}>
      <ChartKey entries={key} />
      <ValueAxis scale={y} unit={unit} from={AXIS_WIDTH} to={right} />
      {chart === 'areas' ? (
        <AreaStack
          data={rows}
          keys={series.map(({ key }) => key)}
          value={(row, key) => row.values.get(key) ?? 0}
          x={({ data }) => x(Date.parse(data.on))}
          y0={([from]) => y(from)}
          y1={([, to]) => y(to)}
        >
          {({ stacks, path }) =>
            stacks.map((stack, at) => <path key={stack.key} d={path(stack) ?? ''} className={classes.area} data-series={toColor(at)} />)
          }
        </AreaStack>
      ) : null}
      {lines.toReversed().flatMap((line) => {
        const isOverAreas = chart === 'areas'
        if (isOverAreas && line.color !== null) return []
        const path = { data: [...line.points], x: getX, y: ({ value }: { value: number }) => y(value), className: classes.line }
        return [
          isOverAreas ? <LinePath key={`below ${line.key}`} {...path} data-series="below" /> : null,
          <LinePath key={line.key} {...path} data-series={colorOf(line)} />,
        ]
      })}
      {named.map((line, at) => {
        const last = line.points.at(-1)
        if (!last) return null
        const color = colorOf(line)
        return (
          <g key={line.key}>
            {chart === 'areas' ? null : <circle className={classes.dot} data-series={color} cx={getX(last)} cy={y(last.value)} r={4} />}
            {isBeside && chart === 'areas' ? (
              <g transform={`translate(${right + 8} ${(labelPlaces[at] ?? 0) - 8})`}>
                <Swatch color={color} />
              </g>
            ) : null}
            {isBeside ? (
              <text className={classes.name} data-series={color} x={right + swatch + 10} y={(labelPlaces[at] ?? 0) + 4}>
                {line.end}
              </text>
            ) : null}
          </g>
        )
      })}
      <LabelsBelow labels={ticks.map((day) => ({ x: x(Date.parse(day)), text: nameTick(day) }))} y={bottom} width={width} />
    </ChartSvg>
  )
}
