import type { FormField } from './fields.ts'
import { formatValue } from './fields.ts'
import type { FieldValue } from './values.ts'

/** A field's value as a review and a conflict show it: in words, or as it looks where words do not tell two of them apart. */
export const FieldValueText = ({ field, value }: { field: FormField | undefined; value: FieldValue | undefined }) =>
  field?.kind === 'own' && field.Preview && value !== undefined && value !== null && value !== '' ? (
    <field.Preview value={value} />
  ) : (
    <>{formatValue(field, value)}</>
  )
