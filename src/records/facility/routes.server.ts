import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import type { Route } from '../../platform/server/handler.ts'
import { toFacility } from '../sites/queries.server.ts'
import { updateFacility } from './contract.ts'
import { toFacilityColumns, validateFacility } from './mutations.server.ts'

export const facilityEdit = defineEdit({
  call: updateFacility,
  table: 'facility',
  findKey: findByIdOrSlug('site'),
  // A body may have its fields at the top level or in `facility_info`.
  toInput: (stored) => ({ ...stored, facility_info: stored }),
  validate: ({ facility_info, ...own }, stored) => validateFacility({ ...own, ...facility_info }, stored),
  toColumns: ({ facility_info, ...own }, stored) => toFacilityColumns({ ...own, ...facility_info }, stored),
  respond: (_model, row) => toFacility(row),
})

export const facilityRoutes: Route[] = [handleEdit(facilityEdit)]
