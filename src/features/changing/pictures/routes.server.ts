import { createHash } from 'node:crypto'

import { toPictureUrl } from '../../../contract/fields.ts'
import { getInitials, getTint } from '../../../contract/initials.ts'
import { readPicture, readProfilePhoto, uploadPicture, uploadSuggestedPicture } from '../../../contract/pictures.ts'
import { notFound } from '../../../contract/problem.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import type { RunEdit } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { toPicture } from '../../../platform/server/picture-encoding.ts'
import { insertPicture } from '../../../platform/server/stored-pictures.ts'
import { getDirectoryPhotos } from './directory-photo.server.ts'
import { type Photo, toEtag } from './photo-cache.server.ts'
import { findPicture, getPictureInWidth, type PictureBytes } from './queries.server.ts'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The fallback image: the initials as an SVG, with a content security policy that allows only its own style. */
const buildFallbackPhoto = (name: string): Photo & { readonly policy: string } => {
  const { light, dark } = getTint(name)
  const style = `rect{fill:${light.ground}}text{fill:${light.letters}}@media(prefers-color-scheme:dark){rect{fill:${dark.ground}}text{fill:${dark.letters}}}`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><style>${style}</style><rect width="96" height="96"/><text x="48" y="49" text-anchor="middle" dominant-baseline="central" font-family="-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif" font-size="38" font-weight="600">${escapeXml(getInitials(name))}</text></svg>`
  const bytes = Buffer.from(drawing)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`
  return { type: 'image/svg+xml', bytes, etag: toEtag(bytes), policy }
}

/** How long browsers cache a photo; shorter for the fallback image, because a photo may be added. */
const PHOTO_SECONDS = 3600
const FALLBACK_SECONDS = 300
/** How long a full-size picture is cached instead of a smaller copy. */
const FULL_SIZE_SECONDS = 60

const storePicture = async ({ file, edit }: { file: Uint8Array; edit: RunEdit }) => {
  const picture = await toPicture(file)
  await edit((tx) => insertPicture(tx, picture))
  const { _id, width, height } = picture
  return { _id, url: toPictureUrl(_id), width, height }
}

export const pictureRoutes: Route[] = [
  handle(uploadPicture, async (input) => storePicture(input)),
  handle(uploadSuggestedPicture, async (input) => storePicture(input)),

  handle(readPicture, async ({ params, query, context, request, reply }) => {
    const { id } = params
    // The id is the SHA-256 of the bytes: the response for this URL never changes.
    const etag = query.width === undefined ? `"${id}"` : `"${id}-${query.width}"`
    void reply.header('cache-control', 'private, max-age=31536000, immutable').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const { width } = query
    const picture: PictureBytes | undefined = await (width === undefined
      ? findPicture(context.db, id)
      : getPictureInWidth(context, id, Number(width)))
    if (!picture) throw notFound('Picture')
    // These are not the bytes of the requested width, so they are cached only briefly.
    if (picture.isFullSize) void reply.header('cache-control', `private, max-age=${FULL_SIZE_SECONDS}`).header('etag', `"${id}"`)
    return reply.type(picture.type).send(picture.bytes)
  }),

  handle(readProfilePhoto, async ({ params, user, context, request, reply }) => {
    const { db } = context
    const whose =
      params.person === 'me'
        ? { name: user.name, address: user.azureID }
        : await db
            .selectFrom('person')
            .select(['name', 'email as address'])
            .where('_id', '=', await findRecordId(db, 'person', params.person))
            .executeTakeFirstOrThrow()
    const isMe = params.person === 'me'
    const photo =
      whose.address === null ? null : await getDirectoryPhotos(context).get({ account: user.account, address: whose.address, isOwn: isMe })
    const sent = photo ?? buildFallbackPhoto(whose.name)
    // `me` is a different person once someone else signs in on this browser.
    if (isMe) void reply.header('cache-control', 'no-store')
    else void reply.header('cache-control', `private, max-age=${photo ? PHOTO_SECONDS : FALLBACK_SECONDS}`).header('etag', sent.etag)
    if (!isMe && request.headers['if-none-match'] === sent.etag) return reply.code(304).send()
    if ('policy' in sent) void reply.header('content-security-policy', sent.policy)
    return reply.type(sent.type).send(sent.bytes)
  }),
]
