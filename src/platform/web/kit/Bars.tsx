import classes from './Bars.module.css'

/** Width of a bar's place in the drawing, and of the bar in it. */
const PLACE = 10
const BAR = 8
const HEIGHT = 100
/** A number that is not zero is seen, however small it is beside the others. */
const LEAST = 4

interface BarsProps {
  values: readonly number[]
  /** What the picture says, in words. */
  label: string
  /** What each bar stands for, shown where the mouse rests on it. */
  titles?: readonly string[]
  /** The value at the top; the largest one where nothing is said. */
  most?: number
}

/** Numbers as bars, as wide and high as the room they are put in. */
export const Bars = ({ values, label, titles, most = Math.max(...values, 1) }: BarsProps) => (
  <svg role="img" aria-label={label} className={classes.bars} viewBox={`0 0 ${values.length * PLACE} ${HEIGHT}`} preserveAspectRatio="none">
    {values.map((value, at) => {
      const height = value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT)
      return (
        <g key={at} className={classes.place}>
          {titles ? (
            <rect x={at * PLACE} y={0} width={PLACE} height={HEIGHT} className={classes.room}>
              <title>{titles[at]}</title>
            </rect>
          ) : null}
          <rect x={at * PLACE + (PLACE - BAR) / 2} y={HEIGHT - height} width={BAR} height={height} className={classes.bar} />
        </g>
      )
    })}
  </svg>
)
