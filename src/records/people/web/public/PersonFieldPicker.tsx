import { useQuery } from '@tanstack/react-query'

import type { PickerProps } from '../../../../platform/web/form/fields.ts'
import { toText } from '../../../../platform/web/form/values.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listPeople } from '../../contract.ts'
import { PersonPicker } from './PersonPicker.tsx'

/** The person picker as the input of a field. A name that is no one's is searched for. */
export const PersonFieldPicker = ({ id, label, required, value, error, describedBy, onChange }: PickerProps) => {
  const { data: people = [] } = useQuery(callQueryOptions(listPeople))
  const chosen = people.find(({ _id }) => _id === value) ?? null
  const field = { id, required, error: error !== undefined, 'aria-describedby': describedBy }
  return (
    <PersonPicker label={label} field={field} text={toText(value)} chosen={chosen} onChoose={(person) => onChange(person?._id ?? '')} />
  )
}
