import { idOf } from '../../database/lookup.server.ts'
import { pictureAddressOf } from '../../platform/contract/fields.ts'
import { notFound } from '../../platform/contract/problem.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { readPicture, readProfilePhoto, uploadPicture } from './contract.ts'
import { photosIn } from './directory-photo.server.ts'
import { pictureOf } from './encoding.server.ts'
import { fallbackPhoto } from './fallback.server.ts'
import { keepPicture, pictureBy, pictureInWidth } from './queries.server.ts'

/** How long a browser shows somebody's photo without asking again; the fallback image not as long, since a photo may have come. */
const PHOTO_SECONDS = 3600
const FALLBACK_SECONDS = 300
/** The fallback image is a drawing with a style of its own and nothing else. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export const pictureRoutes: Route[] = [
  on(uploadPicture, async ({ file, edit }) => {
    const picture = await pictureOf(file)
    await edit((tx) => keepPicture(tx, picture))
    const { _id, width, height } = picture
    return { _id, url: pictureAddressOf(_id), width, height }
  }),

  on(readPicture, async ({ params, query, house, request, reply }) => {
    const { id } = params
    // The id is the SHA-256 of the bytes: whoever has the address has the right bytes for ever.
    const etag = query.width === undefined ? `"${id}"` : `"${id}-${query.width}"`
    void reply.header('cache-control', 'private, max-age=31536000, immutable').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const picture = await (query.width === undefined ? pictureBy(house.db, id) : pictureInWidth(house, id, Number(query.width)))
    if (!picture) throw notFound('Picture')
    return reply.type(picture.type).send(picture.bytes)
  }),

  on(readProfilePhoto, async ({ params, user, house, request, reply }) => {
    const { db } = house
    const whose =
      params.person === 'me'
        ? { name: user.name, address: user.azureID }
        : await db
            .selectFrom('person')
            .select(['name', 'email as address'])
            .where('_id', '=', await idOf(db, 'person', params.person))
            .executeTakeFirstOrThrow()
    const isMe = params.person === 'me'
    const photo = whose.address === null ? null : await photosIn(house).of({ account: user.account, address: whose.address, ofMe: isMe })
    const sent = photo ?? fallbackPhoto(whose.name)
    // `me` is somebody else once another person signs in here: the browser may keep it, but has to ask.
    const lasts = `max-age=${photo ? PHOTO_SECONDS : FALLBACK_SECONDS}`
    void reply.header('cache-control', `private, ${isMe ? 'no-cache' : lasts}`).header('etag', sent.etag)
    if (request.headers['if-none-match'] === sent.etag) return reply.code(304).send()
    if (!photo) void reply.header('content-security-policy', DRAWING_POLICY)
    return reply.type(sent.type).send(sent.bytes)
  }),
]
