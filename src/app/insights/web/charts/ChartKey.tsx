import { estimateWidth, fitText, LINE_HEIGHT } from './layout.ts'

import classes from './Charts.module.css'

const SWATCH = 16

interface KeyEntry {
  readonly text: string
  readonly color: number | 'before'
}
interface PlacedEntry extends KeyEntry {
  readonly x: number
  readonly y: number
}

/** The names of the colors in rows above a picture, where there is no room beside its values. */
export const layOutKey = (entries: readonly KeyEntry[], width: number): PlacedEntry[] => {
  let [x, y] = [0, 0]
  return entries.map((entry) => {
    const text = fitText(entry.text, width - SWATCH)
    const size = SWATCH + estimateWidth(text) + 14
    if (x > 0 && x + size > width) [x, y] = [0, y + LINE_HEIGHT + 4]
    const placed = { ...entry, text, x, y }
    x += size
    return placed
  })
}

export const getKeyHeight = (entries: readonly PlacedEntry[]): number => {
  const last = entries.at(-1)
  return last ? last.y + LINE_HEIGHT : 0
}

/** The color of a name. */
export const Swatch = ({ color }: Pick<KeyEntry, 'color'>) =>
  color === 'before' ? (
    <line className={classes.line} data-series="before" x1={0} x2={12} y1={9} y2={9} />
  ) : (
    <rect className={classes.bar} data-series={color} y={3} width={11} height={11} rx={3} />
  )

export const ChartKey = ({ entries }: { entries: readonly PlacedEntry[] }) =>
  entries.map(({ text, color, x, y }) => (
    <g key={text} transform={`translate(${x} ${y})`}>
      <Swatch color={color} />
      <text className={classes.label} x={SWATCH} y={13}>
        {text}
      </text>
    </g>
  ))
