import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { tellMerged } from '../../../../platform/web/form/tellMerged.ts'
import { readPerson, updatePerson } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_SECTIONS, personFields, personValues } from './personForm.ts'
import { putPerson } from './queries.ts'

const snapshot = (person: PersonWithSites) => ({
  values: personValues(person),
  version: person.version,
  updatedBy: person.updatedBy,
  updatedAt: person.updatedAt,
})

interface PersonFormProps {
  person: PersonWithSites
  keptAs: string
  onClose: () => void
}

/** Edit Info of a person (section 2). */
export const PersonForm = ({ person, keptAs, onClose }: PersonFormProps) => {
  const record = useMemo(() => snapshot(person), [person])
  return (
    <EditForm
      name={keptAs}
      call={updatePerson}
      title={`Edit ${person.name}`}
      back={person.name}
      fields={personFields}
      sections={PERSON_SECTIONS}
      record={record}
      send={(edit) => send(updatePerson, { params: { id: person._id }, ...edit })}
      reread={async () => snapshot(await send(readPerson, { params: { slug: person._id } }))}
      onSaved={(answer, mergedWith) => {
        putPerson(answer as PersonWithSites)
        tellMerged(person.name, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
