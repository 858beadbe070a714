import type { FieldDefinition, FieldDefinitions } from '../../../contract/field-definitions.ts'
import type { FormSection } from './EditForm.tsx'
import { buildEmailsField } from './emails-field.ts'
import { toChoices, ONLY_DIGITS, STATUS_CHOICES } from './fields.ts'
import type { FormField } from './fields.ts'
import { extensionField, phoneField } from './phone-fields.ts'
import type { FieldValue } from './values.ts'

/** The fields whose input the form supplies. */
type SuppliedName<F extends FieldDefinitions> = {
  [Name in keyof F]: F[Name]['control'] extends 'picture' | 'custom' ? Name : never
}[keyof F]
type SuppliedInputs<F extends FieldDefinitions> = Readonly<Record<SuppliedName<F>, (label: string) => FormField>>

const buildInput = ({ control, label, choices = [] }: FieldDefinition): FormField => {
  switch (control) {
    case 'digits':
      return { kind: 'line', label, keyboard: 'numeric', filter: ONLY_DIGITS }
    case 'url':
    case 'email':
      return { kind: 'line', label, keyboard: control }
    case 'emails':
      return buildEmailsField(label)
    case 'phone':
      return phoneField(label)
    case 'extension':
      return extensionField(label)
    case 'multiline':
      return { kind: 'lines', label, span: 6 }
    case 'choice':
      return { kind: 'choice', label, choices: toChoices(choices) }
    case 'status':
      return { kind: 'choice', label, choices: STATUS_CHOICES }
    case 'day':
      return { kind: 'day', label }
    case 'checkbox':
      return { kind: 'check', label }
    case 'text':
    case 'picture':
    case 'custom':
      return { kind: 'line', label }
  }
}

/** The form's field for each definition; a field whose input is not supplied where it has to be does not compile. */
export const buildFormFields = <F extends FieldDefinitions>(
  definitions: F,
  supplied: SuppliedInputs<F>,
): Record<keyof F & string, FormField> => {
  const inputs: Readonly<Partial<Record<string, (label: string) => FormField>>> = supplied
  const fields = Object.entries(definitions).map(([name, definition]): [string, FormField] => {
    const { label, hint, span } = definition
    const field = inputs[name]?.(label) ?? buildInput(definition)
    return [name, { ...field, ...(hint === undefined ? {} : { hint }), ...(span === undefined ? {} : { span }) }]
  })
  return Object.fromEntries(fields) as Record<keyof F & string, FormField>
}

/** A section of a form, with the fields that are defined to be in it. */
export const buildSection = (definitions: FieldDefinitions, title: string, about?: string): FormSection => ({
  title,
  ...(about === undefined ? {} : { about }),
  fields: Object.keys(definitions).filter((name) => definitions[name]?.section === title),
})

/** What a form for a new record holds at first: no text in place of null, but for a picture. */
export const buildInitialValues = <F extends FieldDefinitions>(definitions: F): Record<keyof F & string, FieldValue> =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, { initial, control }]) => [name, initial ?? (control === 'picture' ? null : '')]),
  ) as Record<keyof F & string, FieldValue>
