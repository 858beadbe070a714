import type { FormField } from './fields.ts'
import { formatValue } from './fields.ts'
import type { FieldValue } from './values.ts'

/** A field's value in reviews and conflicts: as text, or as a preview if text cannot distinguish two values. */
export const FieldValueText = ({ field, value }: { field: FormField | undefined; value: FieldValue | undefined }) =>
  field?.kind === 'own' && field.Preview && value !== undefined && value !== null && value !== '' ? (
    <field.Preview value={value} />
  ) : (
    <>{formatValue(field, value)}</>
  )
