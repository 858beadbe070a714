import { readFile } from 'node:fs/promises'

import { notFound } from '../../../contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { listHelp, readHelp, readHelpPicture } from './contract.ts'
import { GUIDES_FOLDER } from './guides.server.ts'
import { getGuidesOf, toContents } from './queries.server.ts'

export const helpRoutes: Route[] = [
  handle(listHelp, async ({ user }) => getGuidesOf(user.accessLevel).map(toContents)),
  handle(readHelp, async ({ params, user }) => {
    const guide = getGuidesOf(user.accessLevel).find(({ id }) => id === params.guide)
    if (!guide) throw notFound('Guide')
    const { id, title, sections } = guide
    return { id, title, sections: sections.map(({ id, title, pages, html }) => ({ id, title, pages: [...pages], html })) }
  }),
  handle(readHelpPicture, async ({ params, reply }) => {
    const bytes = await readFile(`${GUIDES_FOLDER}pictures/${params.name}.webp`).catch(() => {
      throw notFound('Picture')
    })
    return reply.header('cache-control', 'private, max-age=86400').type('image/webp').send(bytes)
  }),
]
