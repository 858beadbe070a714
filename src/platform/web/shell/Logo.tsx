import { toPictureUrl, toResizedPictureUrl } from '../../../contract/fields.ts'
import { configuration } from '../configuration.ts'

import classes from './Logo.module.css'

/** The logo: a white house on a blue tile. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg viewBox="0 0 28 28" width={size} height={size} className={classes.logo} aria-hidden>
    <rect width="28" height="28" rx="7" />
    <path d="M14 6.6 6.8 12.8V20a1.4 1.4 0 0 0 1.4 1.4h2.9v-3.9a2.9 2.9 0 0 1 5.8 0v3.9h2.9a1.4 1.4 0 0 0 1.4-1.4v-7.2z" />
  </svg>
)

/** The logo of the organization, for people who are signed in; without one, that of the program. */
export const OwnLogo = () => {
  const { logo, name } = configuration.organization
  if (logo === null) return <Logo />
  return <img className={classes.own} src={toResizedPictureUrl(toPictureUrl(logo), 320)} alt={name ?? ''} height={28} />
}
