import type { CellReference } from '../../contract/field-definitions.ts'
import { NAME_COLUMNS, type RecordKind } from '../../contract/records.ts'
import type { ReadModel } from './read-model/read-model.ts'
import type { EditableRecordKind } from './record-editor.ts'

/** The name of a record; undefined if it does not exist. */
export const getNameOf = (model: ReadModel, kind: RecordKind, _id: string): string | undefined => {
  const row: Readonly<Record<string, unknown>> | undefined = model.table(kind).get(_id)
  return row && String(row[NAME_COLUMNS[kind]])
}

type Reference = EditableRecordKind['references'][string] | CellReference

/** What a field refers to, by its path; `roles.*` covers every role at a site. */
export const findReference = ({ references }: EditableRecordKind, path: string): Reference | undefined =>
  references[path] ?? references[`${path.slice(0, path.lastIndexOf('.') + 1)}*`]

const toKey = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && '_id' in value ? String(value._id) : ''
}

/** The name of the record or picture that a value refers to; undefined if it is deleted, null if the value is empty. */
export const nameReference = (model: ReadModel, reference: Reference | undefined, value: unknown): string | null | undefined => {
  if (reference === undefined || value === null || value === undefined || value === '') return null
  if (reference === 'picture') return 'Picture'
  if (Array.isArray(value)) {
    const removed = reference === 'person' ? 'someone who was removed' : `a ${reference.replace('_', ' ')} that was removed`
    return value.length === 0 ? null : value.map((one) => nameReference(model, reference, toKey(one)) ?? removed).join(', ')
  }
  const key = toKey(value)
  return reference === 'program_type' ? model.table(reference).get(key)?.name : getNameOf(model, reference, key)
}
