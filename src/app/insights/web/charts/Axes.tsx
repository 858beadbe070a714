import { formatShort } from '../../format.ts'
import { LINE_HEIGHT } from './layout.ts'

import classes from './Charts.module.css'

/** A scale with its own choice of round values. */
interface ValueScale {
  (value: number): number
  ticks: (count?: number) => number[]
}

interface ValueAxisProps {
  readonly scale: ValueScale
  readonly unit: string
  readonly from: number
  readonly to: number
}

/** How wide the values of an axis are. */
export const AXIS_WIDTH = 40

/** Hairlines with their values at the left. */
export const ValueAxis = ({ scale, unit, from, to }: ValueAxisProps) =>
  scale
    .ticks(4)
    .filter(Number.isInteger)
    .map((value) => (
      <g key={value}>
        <line className={classes.hairline} x1={from} x2={to} y1={scale(value)} y2={scale(value)} />
        <text className={classes.tick} x={from - 8} y={scale(value) + 4} textAnchor="end">
          {formatShort(value, unit)}
        </text>
      </g>
    ))

interface LabelsBelowProps {
  readonly labels: readonly { readonly x: number; readonly text: string }[]
  readonly y: number
  readonly width: number
}

/** The labels below a picture; those at its ends stay inside. */
export const LabelsBelow = ({ labels, y, width }: LabelsBelowProps) =>
  labels.map(({ x, text }) => (
    <text
      key={`${x} ${text}`}
      className={classes.tick}
      x={x}
      y={y + LINE_HEIGHT}
      textAnchor={x < 12 ? 'start' : x > width - 12 ? 'end' : 'middle'}
    >
      {text}
    </text>
  ))
