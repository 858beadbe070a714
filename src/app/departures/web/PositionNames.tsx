import { formatCount } from '../../../contract/format.ts'
import type { HeldPosition } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Departure.module.css'

/** The positions of each role, which are shown together. */
export const groupByRole = (positions: readonly HeldPosition[]): HeldPosition[][] => [
  ...Map.groupBy(positions, ({ role }) => role._id).values(),
]

/** Positions of one role: 'Principal at Lodi', 'Area Superintendent at 7 sites: Lodi, Stockton …' */
export const PositionNames = ({ positions }: { positions: readonly HeldPosition[] }) => (
  <span className={`${textClasses.lines} ${positions.length > 1 ? layoutClasses.fullWidth : classes.text}`}>
    <strong>{positions[0]?.role.name}</strong> at {positions.length > 1 ? `${formatCount(positions.length, 'site')}: ` : ''}
    {positions.map(({ site }) => site.displayName).join(', ')}
  </span>
)
