import { lockForUpdate } from '../../../database/saving.server.ts'
import { REQUIRED } from '../../../platform/contract/messages.ts'
import { invalidFields } from '../../../platform/contract/problem.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { isId } from '../../../platform/contract/slugs.ts'
import type { RunEdit } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import type { SisSite, SisSiteChange } from './contract.ts'
import { createSisSite, deleteSisSite, listSisSites, readSisSite, updateSisSite, updateSisSiteInBody } from './contract.ts'
import { insertSisSite, saveSisSite } from './mutations.server.ts'
import { toSisSiteInput, getSisSite, listSisSitesOfSite } from './queries.server.ts'

const handleUpdate = (edit: RunEdit, _id: string, settled: (stored: object) => SisSiteChange): Promise<SisSite> =>
  edit(async (tx, seen) => {
    if (!isId(_id)) throw notFound('SIS site')
    await lockForUpdate(tx, 'sis_site', _id, seen)
    await saveSisSite(tx, _id, settled(toSisSiteInput(await getSisSite(tx, _id))))
    return getSisSite(tx, _id)
  })

const getBodyId = (body: unknown): string => {
  const { _id } = body as { _id?: unknown }
  if (typeof _id !== 'string' || _id === '') throw invalidFields([{ path: '_id', message: REQUIRED }])
  return _id
}

export const sisSiteRoutes: Route[] = [
  handle(listSisSites, async ({ query, context }) => listSisSitesOfSite(context.db, query.site)),
  handle(readSisSite, async ({ params, context }) => getSisSite(context.db, params.id)),
  handle(createSisSite, async ({ body, edit }) => edit(async (tx) => getSisSite(tx, await insertSisSite(tx, body)))),
  handle(updateSisSite, async ({ params, validateChanges: settled, edit }) => handleUpdate(edit, params.id, settled)),
  handle(updateSisSiteInBody, async ({ body, validateChanges: settled, edit }) =>
    handleUpdate(edit, getBodyId(body), (stored) => {
      const { _id: _named, ...changed } = settled(stored)
      return changed
    }),
  ),
  handle(deleteSisSite, async ({ params, edit }) =>
    edit(async (tx, seen) => {
      if (!isId(params.id)) throw notFound('SIS site')
      await lockForUpdate(tx, 'sis_site', params.id, seen)
      await tx.deleteFrom('sis_site').where('_id', '=', params.id).execute()
    }),
  ),
]
