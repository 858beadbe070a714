import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import { sortByTexts } from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import { toEnrollment } from '../sites/queries.server.ts'
import type { EnrollmentInfo } from './contract.ts'
import type { ProgramType } from './fields.ts'

/** Program types, by name. */
export const toProgramTypes = (model: ReadModel): ProgramType[] =>
  sortByTexts(model.table('program_type').all(), ({ name }) => name).map(({ _id, name }) => ({ _id, name }))

/** The enrollment record of a site; throws 404. */
export const getEnrollment = async (model: ReadModel, site: string): Promise<EnrollmentInfo> => {
  const _id = await findModelId(model, 'site', site)
  return toEnrollment(model, model.table('enrollment').need(_id))
}

/** The record with the field names of an edit. */
export const toEnrollmentInput = (row: ModelRow<'enrollment'>, model: ReadModel) => {
  const { orientation, ...info } = toEnrollment(model, row)
  return {
    ...info,
    orientationLink: orientation.virtual_orientation_link,
    individualDates: orientation.selected_dates,
    recurringDates: orientation.recurring_dates,
    blackoutDates: orientation.blackout_dates,
  }
}
