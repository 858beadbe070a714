import type { z } from 'zod'

import { type FieldControl, type FieldDefinition, type FieldDefinitions, keysOf } from '../../../contract/field-definitions.ts'
import { getPictureId } from '../../../contract/fields.ts'
import { isObject } from '../../../contract/objects.ts'
import { formatPhone } from '../../../contract/phones.ts'
import type { Typed } from './body-fields.ts'
import { buildEmailsField } from './emails-field.ts'
import { toChoices, ONLY_DIGITS, STATUS_CHOICES } from './fields.ts'
import type { FormField } from './fields.ts'
import type { FormSection } from './FormPage.tsx'
import { extensionField, phoneField } from './phone-fields.ts'
import type { FieldValue } from './values.ts'

/** Fields whose input component the form supplies. */
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
    case 'fax':
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

/** Builds the form's field for each definition; does not compile if a required input is missing. */
export const buildFormFields = <F extends FieldDefinitions>(
  definitions: F,
  supplied: SuppliedInputs<F>,
): Record<keyof F & string, FormField> => {
  const inputs: Readonly<Partial<Record<string, (label: string) => FormField>>> = supplied
  const fields = Object.entries(definitions).map(([name, definition]): [string, FormField] => {
    const { label, fullLabel, hint, span, together, synonyms = [] } = definition
    const field = inputs[name]?.(label) ?? buildInput(definition)
    const words = fullLabel === undefined ? synonyms : [fullLabel, ...synonyms]
    return [
      name,
      {
        ...field,
        ...(hint === undefined ? {} : { hint }),
        ...(span === undefined ? {} : { span }),
        ...(together === undefined ? {} : { together }),
        ...(words.length === 0 ? {} : { synonyms: words }),
      },
    ]
  })
  return Object.fromEntries(fields) as Record<keyof F & string, FormField>
}

/** A form section with the fields that are defined to be in it. */
export const buildSection = <F extends FieldDefinitions>(definitions: F, title: string, about?: string): FormSection<keyof F & string> => ({
  title,
  ...(about === undefined ? {} : { about }),
  fields: keysOf(definitions).filter((name) => definitions[name]?.section === title),
})

type NewInput<D extends FieldDefinition> = D extends { readonly newInput: infer Input extends z.ZodType } ? Input : D['input']
/** The form values for definitions: values that each schema accepts, empty text for missing values. */
type DefinedValues<F extends FieldDefinitions> = { readonly [Name in keyof F & string]: Typed<z.input<F[Name]['input']>> }
type InitialValues<F extends FieldDefinitions> = { readonly [Name in keyof F & string]: Typed<z.input<NewInput<F[Name]>>> }

/** The initial values of a form for a new record: empty text instead of null, except for pictures. */
export const buildInitialValues = <F extends FieldDefinitions>(definitions: F) =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, { initial, control }]) => [name, initial ?? (control === 'picture' ? null : '')]),
  ) as InitialValues<F>

/** The stored value at a path; for a referenced record its id, which a form holds. */
export const getStored = (record: object, path: string): unknown => {
  const stored = path.split('.').reduce<unknown>((of, name) => (isObject(of) ? of[name] : undefined), record)
  return isObject(stored) && '_id' in stored ? stored['_id'] : stored
}

const toFormValue = (control: FieldControl, stored: unknown): FieldValue => {
  if (control === 'picture') return getPictureId(stored as string | null) ?? ''
  if (control === 'emails') return (stored as readonly string[]).join(' ')
  // A fax number is stored as digits.
  if (control === 'fax' && typeof stored === 'string') return formatPhone(stored)
  if (typeof stored === 'number') return String(stored)
  return (stored ?? '') as FieldValue
}

/** The defined fields of a record as form values. */
export const toDefinedValues = <F extends FieldDefinitions>(definitions: F, record: object) =>
  Object.fromEntries(
    Object.entries(definitions).map(([path, { control }]) => [path, toFormValue(control, getStored(record, path))]),
  ) as DefinedValues<F>
