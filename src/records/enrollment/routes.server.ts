import type { Tx } from '../../database/connection.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { AppContext, RunEdit } from '../../platform/server/app-context.ts'
import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handle, handleList, type Route } from '../../platform/server/handler.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import { toEnrollment } from '../sites/queries.server.ts'
import type { EnrollmentInfo } from './contract.ts'
import { addService, listProgramTypes, removeService, replaceService, updateEnrollment } from './contract.ts'
import {
  insertProgramType,
  assertHasProgramType,
  deleteProgramType,
  buildDuplicateProgramError,
  saveEnrollment,
} from './mutations.server.ts'
import { toEnrollmentInput, getEnrollment, toProgramTypes } from './queries.server.ts'

/** Locks the enrollment record of a site and changes its program types. */
const updateProgramTypes = async (
  { edit, context: { readModel } }: { readonly edit: RunEdit; readonly context: AppContext },
  idOrSlug: string,
  change: (tx: Tx, site: string) => Promise<void>,
): Promise<EnrollmentInfo> => {
  const site = await findModelId(readModel, 'site', idOrSlug)
  await edit(async (tx, ifMatchVersion) => {
    await lockForUpdate(tx, 'enrollment', site, ifMatchVersion)
    await change(tx, site)
  })
  return getEnrollment(readModel, site)
}

export const enrollmentEdit = defineEdit({
  call: updateEnrollment,
  table: 'enrollment',
  findKey: findByIdOrSlug('site'),
  toInput: toEnrollmentInput,
  save: saveEnrollment,
  respond: toEnrollment,
})

export const enrollmentRoutes: Route[] = [
  handleList(listProgramTypes, { reads: ['program_type'], build: toProgramTypes }),
  handleEdit(enrollmentEdit),
  handle(addService, async ({ params, body, ...input }) =>
    updateProgramTypes(input, params.id, (tx, site) => insertProgramType(tx, site, body._id ?? body.id)),
  ),
  handle(replaceService, async ({ params, body: { _id, to }, ...input }) =>
    updateProgramTypes(input, params.id, async (tx, site) => {
      await assertHasProgramType(tx, site, _id)
      if (to === _id) throw buildDuplicateProgramError()
      await deleteProgramType(tx, site, _id)
      await insertProgramType(tx, site, to)
    }),
  ),
  handle(removeService, async ({ params, ...input }) =>
    updateProgramTypes(input, params.id, (tx, site) => deleteProgramType(tx, site, params.serviceId)),
  ),
]
