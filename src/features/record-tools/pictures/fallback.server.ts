import { createHash } from 'node:crypto'

import { getInitials, getTint } from '../../../contract/initials.ts'
import { type Photo, toEtag } from './photo-cache.server.ts'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The fallback image: the initials as an SVG, with a content security policy that allows only its own style. */
export const buildFallbackPhoto = (name: string): Photo & { readonly policy: string } => {
  const { light, dark } = getTint(name)
  const style = `rect{fill:${light.ground}}text{fill:${light.letters}}@media(prefers-color-scheme:dark){rect{fill:${dark.ground}}text{fill:${dark.letters}}}`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><style>${style}</style><rect width="96" height="96"/><text x="48" y="49" text-anchor="middle" dominant-baseline="central" font-family="-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif" font-size="38" font-weight="600">${escapeXml(getInitials(name))}</text></svg>`
  const bytes = Buffer.from(drawing)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`
  return { type: 'image/svg+xml', bytes, etag: toEtag(bytes), policy }
}
