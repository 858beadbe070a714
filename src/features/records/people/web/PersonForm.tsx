import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { readPerson, updatePerson } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_SECTIONS, personFields, toPersonValues } from './person-fields.ts'
import { cachePerson } from './queries.ts'

const toSnapshot = (person: PersonWithSites) => ({
  values: toPersonValues(person),
  version: person.version,
  updatedBy: person.updatedBy,
  updatedAt: person.updatedAt,
})

interface PersonFormProps {
  person: PersonWithSites
  draftKey: string
  onClose: () => void
}

/** The edit form of a person. */
export const PersonForm = ({ person, draftKey, onClose }: PersonFormProps) => {
  const record = useMemo(() => toSnapshot(person), [person])
  return (
    <EditForm
      name={draftKey}
      call={updatePerson}
      title={`Edit ${person.name}`}
      back={person.name}
      fields={personFields}
      sections={PERSON_SECTIONS}
      record={record}
      send={(edit) => send(updatePerson, { params: { id: person._id }, ...edit })}
      reload={async () => toSnapshot(await send(readPerson, { params: { slug: person._id } }))}
      onSaved={(answer, mergedWith) => {
        cachePerson(answer as PersonWithSites)
        showMergedNotice(person.name, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
