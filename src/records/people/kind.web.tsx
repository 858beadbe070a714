import { send } from '../../platform/web/client.ts'
import { type RecordKindWeb, withFields } from '../../platform/web/record-kinds.ts'
import { readPerson, updatePerson } from './contract.ts'
import { personFields } from './web/person-fields.ts'

export const personKind: RecordKindWeb = {
  groups: [
    {
      title: 'Person',
      sheet: 'people',
      schema: updatePerson.body,
      WithFields: withFields(personFields),
      edit: { call: updatePerson, read: (slug) => send(readPerson, { params: { slug } }) },
    },
  ],
}
