import { useState } from 'react'

import { toResizedPictureUrl } from '../../../contract/fields.ts'
import { getInitials } from '../../../contract/initials.ts'
import { getAvatarColors } from './Avatar.tsx'

import classes from './BrandMark.module.css'

interface BrandMarkProps {
  /** The brand's name: its initials stand where there is no icon, one of them where there is little room. */
  name: string
  icon: string | null
  size?: number
}

/** Under so many pixels two letters could not be read. */
const MIN_SIZE_FOR_TWO_LETTERS = 40

/** A brand's icon, or its initials on a tile. Always beside a name in words, so it says nothing to a screen reader. */
export const BrandMark = ({ name, icon, size = 72 }: BrandMarkProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  if (icon && icon !== broken)
    return (
      <img
        src={toResizedPictureUrl(icon, 320)}
        alt=""
        width={size}
        height={size}
        className={classes.icon}
        onError={() => setBroken(icon)}
      />
    )
  const letters = size < MIN_SIZE_FOR_TWO_LETTERS ? [...getInitials(name)].slice(0, 1).join('') : getInitials(name)
  const { color, background } = getAvatarColors(name)
  return (
    <span
      className={classes.mark}
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * (letters.length > 1 ? 0.36 : 0.44)),
        color,
        backgroundColor: background,
      }}
      aria-hidden
    >
      {letters}
    </span>
  )
}
