import { useState } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { TextButton } from '../../../platform/web/kit/TextButton.tsx'
import type { HeldPosition } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Departure.module.css'

/** The positions of each role, which are shown together. */
export const groupByRole = (positions: readonly HeldPosition[]): HeldPosition[][] => [
  ...Map.groupBy(positions, ({ role }) => role._id).values(),
]

/** More sites are named on request. */
const MAX_NAMED = 12

/** Positions of one role: 'Principal at Lodi', 'Area Superintendent at 7 sites: Lodi, Stockton …' */
export const PositionNames = ({ positions }: { positions: readonly HeldPosition[] }) => {
  const [isWhole, setWhole] = useState(false)
  const names = positions.map(({ site }) => site.displayName)
  const shown = isWhole || names.length <= MAX_NAMED ? names : names.slice(0, 3)
  return (
    <span className={`${textClasses.lines} ${positions.length > 1 ? layoutClasses.fullWidth : classes.text}`}>
      <strong>{positions[0]?.role.name}</strong> at {positions.length > 1 ? `${formatCount(positions.length, 'site')}: ` : ''}
      {shown.join(', ')}{' '}
      {shown.length < names.length ? (
        <TextButton onClick={() => setWhole(true)}>and {names.length - shown.length} others</TextButton>
      ) : null}
    </span>
  )
}
