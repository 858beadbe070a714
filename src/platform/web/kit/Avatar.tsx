import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'

import { getInitials, getTint } from '../../../contract/initials.ts'

import classes from './Avatar.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

/** Text and background in the color of a name, as a style. */
export const getAvatarColors = (name: string): { color: string; background: string } => {
  const { light, dark } = getTint(name)
  return { color: `light-dark(${light.letters}, ${dark.letters})`, background: `light-dark(${light.ground}, ${dark.ground})` }
}

interface AvatarProps {
  name: string
  /** Diameter in pixels. */
  size?: number
  /** URL of a photo; the initials show until it has loaded, or if there is none. */
  photo?: string | null
}

/** Someone's picture. Always next to the name as text, so it is hidden from screen readers. */
export const Avatar = ({ name, size = 44, photo }: AvatarProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span
      className={`${layoutClasses.centered} ${textClasses.strong} ${classes.avatar}`}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4), ...getAvatarColors(name) }}
      aria-hidden
    >
      {getInitials(name)}
      {photo && photo !== broken ? (
        <img
          src={photo}
          alt=""
          className={`${layoutClasses.stretched} ${classes.photo}`}
          decoding="async"
          loading="lazy"
          onError={() => setBroken(photo)}
        />
      ) : null}
    </span>
  )
}

/** The dashed circle of a vacant role. */
export const VacantAvatar = ({ size = 44 }: { size?: number }) => (
  <span
    className={`${layoutClasses.centered} ${textClasses.strong} ${textClasses.dimmed} ${classes.vacant}`}
    style={{ width: size, height: size }}
    aria-hidden
  >
    <IconUser size={Math.round(size * 0.41)} stroke={1.75} />
  </span>
)
