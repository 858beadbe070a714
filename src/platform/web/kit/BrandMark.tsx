import { useState } from 'react'

import { pictureSize } from '../../contract/fields.ts'
import { coloursOf } from './Avatar.tsx'

import classes from './BrandMark.module.css'

interface BrandMarkProps {
  /** The brand's name: its first letter stands where there is no icon. */
  name: string
  icon: string | null
  size?: number
}

/** A brand's icon, or its first letter. Always beside a name in words, so it says nothing to a screen reader. */
export const BrandMark = ({ name, icon, size = 72 }: BrandMarkProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  if (icon && icon !== broken)
    return <img src={pictureSize(icon, 320)} alt="" width={size} height={size} className={classes.icon} onError={() => setBroken(icon)} />
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: Math.round(size * 0.42), ...coloursOf(name) }} aria-hidden>
      {[...name.trim()][0]?.toLocaleUpperCase('en')}
    </span>
  )
}
