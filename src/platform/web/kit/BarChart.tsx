import classes from './BarChart.module.css'

/** Width of a bar's place in the drawing, and of the bar in it. */
const SLOT_WIDTH = 10
const BAR_WIDTH = 8
const HEIGHT = 100
/** A number that is not zero is seen, however small it is beside the others. */
const MIN_HEIGHT = 4

interface BarChartProps {
  values: readonly number[]
  /** What the picture says, in words. */
  label: string
  /** What each bar shows, as a tooltip. */
  titles?: readonly string[]
  /** The value at the top; the largest one where nothing is said. */
  max?: number
}

/** Numbers as bars, as wide and high as the room they are put in. */
export const BarChart = ({ values, label, titles, max = Math.max(...values, 1) }: BarChartProps) => (
  <svg
    role="img"
    aria-label={label}
    className={classes.bars}
    viewBox={`0 0 ${values.length * SLOT_WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
  >
    {values.map((value, at) => {
      const height = value === 0 ? 0 : Math.max(MIN_HEIGHT, (value / max) * HEIGHT)
      return (
        <g key={at} className={classes.place}>
          {titles ? (
            <rect x={at * SLOT_WIDTH} y={0} width={SLOT_WIDTH} height={HEIGHT} className={classes.room}>
              <title>{titles[at]}</title>
            </rect>
          ) : null}
          <rect
            x={at * SLOT_WIDTH + (SLOT_WIDTH - BAR_WIDTH) / 2}
            y={HEIGHT - height}
            width={BAR_WIDTH}
            height={height}
            className={classes.bar}
          />
        </g>
      )
    })}
  </svg>
)
