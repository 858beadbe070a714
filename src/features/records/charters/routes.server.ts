import { readJsonListBytes } from '../../../database/json.server.ts'
import { readRecordJson } from '../../../database/record-statement.server.ts'
import { findByIdOrSlug, handleEdit } from '../../../platform/server/edit-handler.ts'
import { JsonText, handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { createCharter, listCharters, readCharter, readStudentTotal, updateCharter, viewCharter } from './contract.ts'
import { insertCharter, saveCharter, getStoredCharter } from './mutations.server.ts'
import { getCharter, selectCharterList, CHARTER_STATEMENT, getStudentTotal } from './queries.server.ts'

export const charterRoutes: Route[] = [
  handleList(listCharters, {
    reads: ['charter', 'brand', 'site', 'charter_affair'],
    build: ({ db, pool }) => readJsonListBytes(pool, selectCharterList(db)),
  }),
  handle(readStudentTotal, async ({ context }) => getStudentTotal(context.db)),
  handle(readCharter, async ({ params, context }) => new JsonText(await readRecordJson(context.pool, CHARTER_STATEMENT, params.slug))),
  handle(viewCharter, async ({ params, context }) => getCharter(context.db, params.id)),
  handle(createCharter, async ({ body, edit }) => edit(async (tx) => getCharter(tx, await insertCharter(tx, body)))),
  handleEdit(updateCharter, {
    table: 'charter',
    findKey: findByIdOrSlug('charter'),
    getStored: getStoredCharter,
    save: saveCharter,
    read: { inTransaction: getCharter },
  }),
]
