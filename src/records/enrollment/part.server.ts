import { nestFields } from '../../contract/field-definitions.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { type SheetDefinition, toColumns } from '../../platform/server/sheet-definition.ts'
import { ENROLLMENT_FIELDS, enrollmentRequestLabels } from './fields.ts'
import { enrollmentEdit } from './routes.server.ts'

/** The enrollment of a site, as a part of it. */
export const enrollmentPart = createPart(enrollmentEdit, { prefix: 'enrollment_info', labels: enrollmentRequestLabels })

const columns = toColumns(nestFields('enrollment_info', ENROLLMENT_FIELDS))
export const enrollmentSheet: SheetDefinition = { versions: { table: 'enrollment' }, columns: () => columns }
