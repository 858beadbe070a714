import { claim } from '../../../database/saving.server.ts'
import { REQUIRED } from '../../../platform/contract/messages.ts'
import { badFields } from '../../../platform/contract/problem.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { isId } from '../../../platform/contract/slugs.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { Edit } from '../../../platform/server/house.ts'
import type { SisSite, SisSiteChange } from './contract.ts'
import { createSisSite, deleteSisSite, listSisSites, readSisSite, updateSisSite, updateSisSiteInBody } from './contract.ts'
import { addSisSite, asWritten, saveSisSite, sisSiteBy, sisSitesOf } from './queries.server.ts'

const update = (edit: Edit, _id: string, settled: (stored: object) => SisSiteChange): Promise<SisSite> =>
  edit(async (tx, seen) => {
    if (!isId(_id)) throw notFound('SIS site')
    await claim(tx, 'sis_site', _id, seen)
    await saveSisSite(tx, _id, settled(asWritten(await sisSiteBy(tx, _id))))
    return sisSiteBy(tx, _id)
  })

const idIn = (body: unknown): string => {
  const { _id } = body as { _id?: unknown }
  if (typeof _id !== 'string' || _id === '') throw badFields([{ path: '_id', message: REQUIRED }])
  return _id
}

export const sisSiteRoutes: Route[] = [
  on(listSisSites, async ({ query, house }) => sisSitesOf(house.db, query.site)),
  on(readSisSite, async ({ params, house }) => sisSiteBy(house.db, params.id)),
  on(createSisSite, async ({ body, edit }) => edit(async (tx) => sisSiteBy(tx, await addSisSite(tx, body)))),
  on(updateSisSite, async ({ params, settled, edit }) => update(edit, params.id, settled)),
  on(updateSisSiteInBody, async ({ body, settled, edit }) =>
    update(edit, idIn(body), (stored) => {
      const { _id: _named, ...changed } = settled(stored)
      return changed
    }),
  ),
  on(deleteSisSite, async ({ params, edit }) =>
    edit(async (tx, seen) => {
      if (!isId(params.id)) throw notFound('SIS site')
      await claim(tx, 'sis_site', params.id, seen)
      await tx.deleteFrom('sis_site').where('_id', '=', params.id).execute()
    }),
  ),
]
