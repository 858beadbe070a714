import { Anchor } from '@mantine/core'

import layoutClasses from './Layout.module.css'

/** The URL of a stored web address; null for any other text, such as a remark or a scheme other than http. */
export const toWebUrl = (stored: string): string | null => {
  const text = stored.trim()
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text) ? `https://${text}` : null
  return address !== null && URL.canParse(address) ? address : null
}

/** `https://www.delta.example/` shortened to `delta.example`. */
export const formatWebUrl = (stored: string): string =>
  stored
    .trim()
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/\/$/, '')

interface WebLinkProps {
  address: string
  /** The link text; the URL itself by default. */
  label?: string
}

/** A stored web address as an external link; plain text if it is not a URL. */
export const WebLink = ({ address, label }: WebLinkProps) => {
  const href = toWebUrl(address)
  const words = label ?? formatWebUrl(address)
  return href === null ? (
    <span className={layoutClasses.breakable}>{label ? `${label}: ${address}` : address}</span>
  ) : (
    <Anchor inherit href={href} target="_blank" rel="noreferrer" className={layoutClasses.breakable}>
      {words}
    </Anchor>
  )
}
