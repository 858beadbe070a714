import { idOf } from '../../database/lookup.server.ts'
import { pictureAddressOf } from '../../platform/contract/fields.ts'
import { notFound } from '../../platform/contract/problem.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { readPicture, readProfilePhoto, uploadPicture } from './contract.ts'
import { photoInDirectory } from './directory-photo.server.ts'
import { pictureOf } from './encoding.server.ts'
import { fallbackPhoto } from './fallback.server.ts'
import { keepPicture, pictureBy, pictureInWidth } from './queries.server.ts'

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

  on(readProfilePhoto, async ({ params, user, house, reply }) => {
    const { db } = house
    const whose =
      params.person === 'me'
        ? { name: user.name, address: user.azureID }
        : await db
            .selectFrom('person')
            .select(['name', 'email as address'])
            .where('_id', '=', await idOf(db, 'person', params.person))
            .executeTakeFirstOrThrow()
    // `me` is somebody else once another person signs in here: the browser may keep it, but has to ask.
    void reply.header('cache-control', params.person === 'me' ? 'private, no-cache' : 'private, max-age=3600')
    const photo = whose.address === null ? null : await photoInDirectory(house, user.account, whose.address, params.person === 'me')
    if (photo) return reply.type(photo.type).send(photo.bytes)
    return reply
      .type('image/svg+xml')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(fallbackPhoto(whose.name))
  }),
]
