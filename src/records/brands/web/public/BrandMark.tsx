import { useState } from 'react'
import type { ReactNode } from 'react'

import { toResizedPictureUrl } from '../../../../contract/fields.ts'
import { getInitials } from '../../../../contract/initials.ts'
import { getAvatarColors } from '../../../../platform/web/kit/Avatar.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './BrandMark.module.css'

interface BrandMarkProps {
  /** The brand's name: its initials are shown if there is no icon, only one if there is little room. */
  name: string
  icon: string | null
  size?: number
}

/** Below this size two letters are not readable. */
const MIN_SIZE_FOR_TWO_LETTERS = 40

/** A brand's icon, or its initials on a tile. Always next to a name as text, so it is hidden from screen readers. */
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
      className={`${layoutClasses.centered} ${classes.mark}`}
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

/** The link of a brand or charter in a table, after the brand's mark. */
export const MarkedName = ({ brandName, icon, children }: { brandName: string; icon: string | null; children: ReactNode }) => (
  <span className={`${layoutClasses.iconAndText} ${classes.withName}`}>
    <BrandMark name={brandName} icon={icon} size={32} />
    {children}
  </span>
)
