import classes from './BarChart.module.css'
import layoutClasses from './Layout.module.css'

/** Width of a slot in the SVG, and of the bar in it. */
const SLOT_WIDTH = 10
const BAR_WIDTH = 8
const HEIGHT = 100
/** A number above zero stays visible, however small it is compared to the others. */
const MIN_HEIGHT = 4

interface BarChartProps {
  values: readonly number[]
  /** Text alternative of the chart. */
  label: string
  /** Tooltip of each bar. */
  titles?: readonly string[]
  /** The value at the top; the largest value by default. */
  max?: number
}

/** A bar chart that fills its container. */
export const BarChart = ({ values, label, titles, max = Math.max(...values, 1) }: BarChartProps) => (
  <svg
    role="img"
    aria-label={label}
    className={`${layoutClasses.block} ${layoutClasses.fullWidth} ${classes.bars}`}
    viewBox={`0 0 ${values.length * SLOT_WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
  >
    {values.map((value, at) => {
      const height = value === 0 ? 0 : Math.max(MIN_HEIGHT, (value / max) * HEIGHT)
      return (
        <g key={at} className={classes.slot}>
          {titles ? (
            <rect x={at * SLOT_WIDTH} y={0} width={SLOT_WIDTH} height={HEIGHT} className={classes.track}>
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
