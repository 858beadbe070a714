import { idOf } from '../../../database/lookup.server.ts'
import { toPictureUrl } from '../../../platform/contract/fields.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { readPicture, readProfilePhoto, uploadPicture } from './contract.ts'
import { photosIn } from './directory-photo.server.ts'
import { pictureOf } from './encoding.server.ts'
import { fallbackPhoto } from './fallback.server.ts'
import { keepPicture, pictureBy, pictureInWidth, type Sent } from './queries.server.ts'

/** How long a browser shows somebody's photo without asking again; the fallback image not as long, since a photo may have come. */
const PHOTO_SECONDS = 3600
const FALLBACK_SECONDS = 300
/** How long a whole picture serves in place of a smaller copy. */
const STAND_IN_SECONDS = 60

export const pictureRoutes: Route[] = [
  handle(uploadPicture, async ({ file, edit }) => {
    const picture = await pictureOf(file)
    await edit((tx) => keepPicture(tx, picture))
    const { _id, width, height } = picture
    return { _id, url: toPictureUrl(_id), width, height }
  }),

  handle(readPicture, async ({ params, query, context, request, reply }) => {
    const { id } = params
    // The id is the SHA-256 of the bytes: whoever has the address has the right bytes for ever.
    const etag = query.width === undefined ? `"${id}"` : `"${id}-${query.width}"`
    void reply.header('cache-control', 'private, max-age=31536000, immutable').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const { width } = query
    const picture: Sent | undefined = await (width === undefined ? pictureBy(context.db, id) : pictureInWidth(context, id, Number(width)))
    if (!picture) throw notFound('Picture')
    // Other bytes than those of the address: they go by their own name, and not for long.
    if (picture.isStandIn) void reply.header('cache-control', `private, max-age=${STAND_IN_SECONDS}`).header('etag', `"${id}"`)
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
            .where('_id', '=', await idOf(db, 'person', params.person))
            .executeTakeFirstOrThrow()
    const isMe = params.person === 'me'
    const photo = whose.address === null ? null : await photosIn(context).of({ account: user.account, address: whose.address, ofMe: isMe })
    const sent = photo ?? fallbackPhoto(whose.name)
    // `me` is somebody else once another person signs in here.
    if (isMe) void reply.header('cache-control', 'no-store')
    else void reply.header('cache-control', `private, max-age=${photo ? PHOTO_SECONDS : FALLBACK_SECONDS}`).header('etag', sent.etag)
    if (!isMe && request.headers['if-none-match'] === sent.etag) return reply.code(304).send()
    if ('policy' in sent) void reply.header('content-security-policy', sent.policy)
    return reply.type(sent.type).send(sent.bytes)
  }),
]
