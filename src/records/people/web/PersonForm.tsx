import { send } from '../../../platform/web/client.ts'
import { createRecordForm } from '../../pages/web/public/create-record-form.tsx'
import { useRecordForm } from '../../pages/web/public/use-record-form.ts'
import { readPerson, updatePerson } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_SECTIONS, personFields, toPersonValues } from './person-fields.ts'
import { cachePerson } from './queries.ts'

/** The edit form of a person. */
export const PersonForm = createRecordForm({
  call: updatePerson,
  fields: personFields,
  sections: PERSON_SECTIONS,
  toValues: toPersonValues,
  useForm: (person: PersonWithSites, onClose) => ({
    ...useRecordForm({ kind: 'person', _id: person._id, name: person.name, version: person.version }, onClose),
    record: person,
    read: () => send(readPerson, { params: { slug: person._id } }),
    onSaved: (saved) => {
      cachePerson(saved)
      onClose()
    },
  }),
})
