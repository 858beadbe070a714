import { REQUIRED } from '../../contract/messages.ts'
import { invalidFields, notFound } from '../../contract/problem.ts'
import { isId } from '../../contract/slugs.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import { defineEdit, handleEdit } from '../../platform/server/edit-handler.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { toSisSite } from '../sites/queries.server.ts'
import { createSisSite, deleteSisSite, listSisSites, readSisSite, updateSisSite, updateSisSiteInBody } from './contract.ts'
import { insertSisSite, saveSisSite, removeSisSite } from './mutations.server.ts'
import { toSisSiteInput, getSisSite, listSisSitesOfSite } from './queries.server.ts'

const assertId = (_id: string): string => {
  if (!isId(_id)) throw notFound('SIS site')
  return _id
}

const getBodyId = (body: unknown): string => {
  const { _id } = body as { _id?: unknown }
  if (typeof _id !== 'string' || _id === '') throw invalidFields([{ path: '_id', message: REQUIRED }])
  return _id
}

const editSteps = {
  table: 'sis_site',
  toInput: toSisSiteInput,
  respond: toSisSite,
} as const

export const sisSiteEdit = defineEdit({
  call: updateSisSite,
  ...editSteps,
  findKey: async (_context, { params }) => assertId(params.id),
  save: saveSisSite,
})

export const sisSiteRoutes: Route[] = [
  handle(listSisSites, async ({ query, context }) => listSisSitesOfSite(context.readModel, query.site)),
  handle(readSisSite, async ({ params, context }) => getSisSite(context.readModel, params.id)),
  handle(createSisSite, async ({ body, edit, context }) => {
    const _id = await edit((tx) => insertSisSite(tx, body))
    return getSisSite(context.readModel, _id)
  }),
  handleEdit(sisSiteEdit),
  handleEdit(
    defineEdit({
      call: updateSisSiteInBody,
      ...editSteps,
      findKey: async (_context, { body }) => assertId(getBodyId(body)),
      save: (tx, _id, { _id: _sameId, ...changes }) => saveSisSite(tx, _id, changes),
    }),
  ),
  handle(deleteSisSite, async ({ params, edit }) =>
    edit(async (tx, ifMatchVersion) => {
      await lockForUpdate(tx, 'sis_site', assertId(params.id), ifMatchVersion)
      await removeSisSite(tx, params.id)
    }),
  ),
]
