import { findSourceOfPath } from '../../../contract/deadlines.ts'
import type { FieldsByPath } from '../../../platform/web/form/fields.ts'
import type { Values } from '../../../platform/web/form/values.ts'
import { DateHint } from '../../../platform/web/record-features.tsx'
import { buildAffairFields } from './affair-fields.ts'

/** The fields of the form, with a hint below those that have a deadline. Only the form imports this, because other pages do not need it. */
export const buildFieldsWithDateHints = (base: Values): FieldsByPath =>
  Object.fromEntries(
    Object.entries(buildAffairFields(base)).map(([path, field]) => [path, findSourceOfPath(path) ? { ...field, Below: DateHint } : field]),
  )
