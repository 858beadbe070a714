import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import type { RecordFormProps } from '../../pages/web/public/RecordPage.tsx'
import { useRecordForm } from '../../pages/web/public/use-record-form.ts'
import { readPerson, updatePerson } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_SECTIONS, personFields, toPersonValues } from './person-fields.ts'
import { cachePerson } from './queries.ts'

/** The edit form of a person. */
export const PersonForm = ({ record: person, draftKey, onClose }: RecordFormProps<PersonWithSites>) => (
  <EditForm
    call={updatePerson}
    draftKey={draftKey}
    fields={personFields}
    sections={PERSON_SECTIONS}
    record={person}
    toValues={toPersonValues}
    read={() => send(readPerson, { params: { slug: person._id } })}
    onSaved={(saved) => {
      cachePerson(saved)
      onClose()
    }}
    {...useRecordForm({ kind: 'person', _id: person._id, name: person.name, version: person.version }, onClose)}
  />
)
