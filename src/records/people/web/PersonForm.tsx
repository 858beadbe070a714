import { usePlan } from '../../../features/record-tools/changesets/web/queries.ts'
import { useSuggestion } from '../../../features/record-tools/requests/web/queries.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { readPerson, updatePerson } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_SECTIONS, personFields, toPersonValues } from './person-fields.ts'
import { cachePerson } from './queries.ts'

interface PersonFormProps {
  person: PersonWithSites
  draftKey: string
  onClose: () => void
}

/** The edit form of a person. */
export const PersonForm = ({ person, draftKey, onClose }: PersonFormProps) => (
  <EditForm
    call={updatePerson}
    params={{ id: person._id }}
    name={person.name}
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
    onCancel={onClose}
    plan={usePlan({ kind: 'person', _id: person._id })}
    suggestion={useSuggestion({ kind: 'person', _id: person._id, name: person.name, version: person.version })}
  />
)
