import { type RecordKindWeb, withFields } from '../../platform/web/record-kinds.ts'
import { updatePerson } from './contract.ts'
import { personFields } from './web/person-fields.ts'

export const personKind: RecordKindWeb = {
  groups: [{ title: 'Person', sheet: 'people', schema: updatePerson.body, WithFields: withFields(personFields) }],
}
