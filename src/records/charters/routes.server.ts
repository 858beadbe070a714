import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handle, handleCreate, handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { createCharter, listCharters, readCharter, readStudentTotal, updateCharter, viewCharter } from './contract.ts'
import { insertCharter, saveCharter, toCharterColumns, toStoredCharter } from './mutations.server.ts'
import { CHARTER_ROWS, getStudentTotal, toCharter, toCharterWithSites } from './queries.server.ts'

export const charterEdit = defineEdit({
  call: updateCharter,
  table: 'charter',
  findKey: findByIdOrSlug('charter'),
  toInput: toStoredCharter,
  toColumns: toCharterColumns,
  dependentFields: ['name', 'slug', 'brand', 'photo'],
  save: saveCharter,
  respond: toCharter,
})

export const charterRoutes: Route[] = [
  handleList(listCharters, CHARTER_ROWS),
  handle(readStudentTotal, async ({ context: { readModel } }) => {
    await readModel.ready()
    return getStudentTotal(readModel)
  }),
  handleRecord(readCharter, 'charter', 'slug', toCharterWithSites),
  handleRecord(viewCharter, 'charter', 'id', toCharter),
  handleCreate(createCharter, 'charter', insertCharter, toCharter),
  handleEdit(charterEdit),
]
