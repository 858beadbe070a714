import { nestFields } from '../../contract/field-definitions.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { type SheetDefinition, toColumns } from '../../platform/server/sheet-definition.ts'
import { FACILITY_FIELDS, facilityLabels } from './fields.ts'
import { facilityEdit } from './routes.server.ts'

/** The facility of a site, as a part of it. */
export const facilityPart = createPart(facilityEdit, { prefix: 'facility_info', labels: facilityLabels })

const columns = toColumns(nestFields('facility_info', FACILITY_FIELDS))
export const facilitySheet: SheetDefinition = { versions: { table: 'facility' }, columns: () => columns }
