import { idOf } from '../../database/lookup.server.ts'
import { notFound } from '../../platform/contract/problem.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import { readPicture, readProfilePhoto } from './contract.ts'
import { photoInDirectory } from './directory-photo.server.ts'
import { fallbackPhoto } from './fallback.server.ts'

export const pictureRoutes: Route[] = [
  on(readPicture, async ({ params, house, request, reply }) => {
    // The id is the SHA-256 of the bytes: whoever has the address has the right bytes for ever.
    void reply.header('cache-control', 'private, max-age=31536000, immutable').header('etag', `"${params.id}"`)
    if (request.headers['if-none-match'] === `"${params.id}"`) return reply.code(304).send()
    const picture = await house.db.selectFrom('picture').select(['type', 'bytes']).where('_id', '=', params.id).executeTakeFirst()
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
