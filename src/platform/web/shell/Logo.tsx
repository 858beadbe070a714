import classes from './Logo.module.css'

/** The logo: a white house on a blue tile. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg viewBox="0 0 28 28" width={size} height={size} className={classes.logo} aria-hidden>
    <rect width="28" height="28" rx="7" />
    <path d="M14 6.6 6.8 12.8V20a1.4 1.4 0 0 0 1.4 1.4h2.9v-3.9a2.9 2.9 0 0 1 5.8 0v3.9h2.9a1.4 1.4 0 0 0 1.4-1.4v-7.2z" />
  </svg>
)
