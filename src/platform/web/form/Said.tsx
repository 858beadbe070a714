import type { FormField } from './fields.ts'
import { sayValue } from './fields.ts'
import type { FieldValue } from './values.ts'

/** A field's value as a review and a conflict show it: in words, or as it looks where words do not tell two of them apart. */
export const Said = ({ field, value }: { field: FormField | undefined; value: FieldValue | undefined }) =>
  field?.kind === 'own' && field.Look && value !== undefined && value !== null && value !== '' ? (
    <field.Look value={value} />
  ) : (
    <>{sayValue(field, value)}</>
  )
