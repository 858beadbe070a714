import { Anchor } from '@mantine/core'

import classes from './ContactLinks.module.css'

/** Where a stored web address leads; null for any other text, such as a remark or another scheme than http. */
export const toWebUrl = (stored: string): string | null => {
  const text = stored.trim()
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text) ? `https://${text}` : null
  return address !== null && URL.canParse(address) ? address : null
}

/** `https://www.delta.example/` as people say it: `delta.example`. */
export const formatWebUrl = (stored: string): string =>
  stored
    .trim()
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/\/$/, '')

interface WebLinkProps {
  address: string
  /** What it reads; the address itself by default. */
  label?: string
}

/** A stored web address as a link to another site; as plain text where it is none. */
export const WebLink = ({ address, label }: WebLinkProps) => {
  const href = toWebUrl(address)
  const words = label ?? formatWebUrl(address)
  return href === null ? (
    <span className={classes.mail}>{label ? `${label}: ${address}` : address}</span>
  ) : (
    <Anchor inherit href={href} target="_blank" rel="noreferrer" className={classes.mail}>
      {words}
    </Anchor>
  )
}
