import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'

import { getInitials, getTint } from '../../../contract/initials.ts'

import classes from './Avatar.module.css'

/** Letters and ground in the tint of a name, as a style. */
export const getAvatarColors = (name: string): { color: string; background: string } => {
  const { light, dark } = getTint(name)
  return { color: `light-dark(${light.letters}, ${dark.letters})`, background: `light-dark(${light.ground}, ${dark.ground})` }
}

interface AvatarProps {
  name: string
  /** Pixels across. */
  size?: number
  /** Address of a photo; the initials show until it is there and when there is none. */
  photo?: string | null
}

/** Someone's picture. Always beside the name in words, so it says nothing to a screen reader. */
export const Avatar = ({ name, size = 44, photo }: AvatarProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span
      className={classes.avatar}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4), ...getAvatarColors(name) }}
      aria-hidden
    >
      {getInitials(name)}
      {photo && photo !== broken ? (
        <img src={photo} alt="" className={classes.photo} decoding="async" loading="lazy" onError={() => setBroken(photo)} />
      ) : null}
    </span>
  )
}

/** The dashed circle of a role that no one holds. */
export const VacantAvatar = ({ size = 44 }: { size?: number }) => (
  <span className={classes.nobody} style={{ width: size, height: size }} aria-hidden>
    <IconUser size={Math.round(size * 0.41)} stroke={1.75} />
  </span>
)
