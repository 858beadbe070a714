import type { Tx } from '../../../database/connection.server.ts'
import { readJsonListBytes } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { lockForUpdate } from '../../../database/update-record.server.ts'
import type { RunEdit } from '../../../platform/server/app-context.ts'
import { findByIdOrSlug, handleEdit } from '../../../platform/server/edit-handler.ts'
import { handle, handleList, type Route } from '../../../platform/server/handler.ts'
import type { EnrollmentInfo } from './contract.ts'
import { addService, listProgramTypes, removeService, replaceService, updateEnrollment } from './contract.ts'
import {
  insertProgramType,
  assertHasProgramType,
  deleteProgramType,
  buildDuplicateProgramError,
  saveEnrollment,
} from './mutations.server.ts'
import { toEnrollmentInput, getEnrollment, selectProgramTypes } from './queries.server.ts'

/** Locks the enrollment record of a site and changes its program types. */
const updateProgramTypes = (edit: RunEdit, idOrSlug: string, change: (tx: Tx, site: string) => Promise<void>): Promise<EnrollmentInfo> =>
  edit(async (tx, seen) => {
    const site = await findRecordId(tx, 'site', idOrSlug)
    await lockForUpdate(tx, 'enrollment', site, seen)
    await change(tx, site)
    return getEnrollment(tx, site)
  })

export const enrollmentRoutes: Route[] = [
  handleList(listProgramTypes, { reads: ['program_type'], build: ({ db, pool }) => readJsonListBytes(pool, selectProgramTypes(db)) }),
  handleEdit(updateEnrollment, {
    table: 'enrollment',
    findKey: findByIdOrSlug('site'),
    getStored: getEnrollment,
    toInput: toEnrollmentInput,
    save: saveEnrollment,
    read: { inTransaction: getEnrollment },
  }),
  handle(addService, async ({ params, body, edit }) =>
    updateProgramTypes(edit, params.id, (tx, site) => insertProgramType(tx, site, body._id ?? body.id)),
  ),
  handle(replaceService, async ({ params, body: { _id, to }, edit }) =>
    updateProgramTypes(edit, params.id, async (tx, site) => {
      await assertHasProgramType(tx, site, _id)
      if (to === _id) throw buildDuplicateProgramError()
      await deleteProgramType(tx, site, _id)
      await insertProgramType(tx, site, to)
    }),
  ),
  handle(removeService, async ({ params, edit }) =>
    updateProgramTypes(edit, params.id, (tx, site) => deleteProgramType(tx, site, params.serviceId)),
  ),
]
