import { Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listPeople } from '../../contract.ts'
import { PersonPicker } from './PersonPicker.tsx'

interface PersonIdPickerProps {
  readonly label: string
  readonly chosen: string | null
  readonly onChoose: (person: string | null) => void
}

/** The person picker, for code that identifies people by `_id`. */
export const PersonIdPicker = ({ label, chosen, onChoose }: PersonIdPickerProps) => {
  const { data: people } = useQuery(callQueryOptions(listPeople))
  const person = people?.find(({ _id }) => _id === chosen) ?? null
  const picker = <PersonPicker label={label} chosen={person} onChoose={(one) => onChoose(one?._id ?? null)} />
  // The picker itself shows its label only while no one is chosen.
  if (person === null) return picker
  return (
    <Input.Wrapper label={label} labelElement="div">
      {picker}
    </Input.Wrapper>
  )
}
