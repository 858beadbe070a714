import type { ComponentType } from 'react'
import type { z } from 'zod'

import { formatDay } from '../../../contract/dates.ts'
import { REQUIRED } from '../../../contract/messages.ts'
import { toFieldErrors } from '../../../contract/problem.ts'
import type { FieldError } from '../../../contract/problem.ts'
import { STATUS_LABELS, STATUSES } from '../../../contract/status.ts'
import { toBody } from './values.ts'
import type { FieldValue, Values } from './values.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface ChoiceGroup {
  readonly group: string
  readonly items: Choice[]
}

/** Props of a form's custom input. */
export interface CustomInputProps {
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly value: FieldValue
  readonly values: Values
  readonly error: string | undefined
  /** Ids of the elements that describe it. */
  readonly describedBy: string | undefined
  /** The value when the form was opened. */
  readonly before: FieldValue
  readonly onChange: (value: FieldValue) => void
  /** Reports why the form cannot be saved yet, such as a running upload; null once it can. */
  readonly onBlock: (reason: string | null) => void
}

/** Props of an input that finds one record by typing: its value is the `_id`, or what was typed instead. */
export type PickerProps = Pick<CustomInputProps, 'id' | 'label' | 'required' | 'value' | 'error' | 'describedBy' | 'onChange'>

/** Props of a component below a field. */
export interface BelowFieldProps {
  readonly path: string
  /** The field's label inside its section. */
  readonly label: string
  readonly value: FieldValue
}

interface CommonOptions {
  readonly label: string
  /** The label outside its section, if others have the same: 'Funding, FEIN'. */
  readonly longLabel?: string
  /** Other words by which people look for it: 'closing time'. */
  readonly synonyms?: readonly string[]
  /** The name of what it is a part of, as which several fields of many records are changed: 'Hours'. */
  readonly together?: string
  readonly hint?: string
  /** A remark about the value; never an error. */
  readonly note?: (value: FieldValue) => string | null
  /** A component below the field that follows its value. */
  readonly Below?: ComponentType<BelowFieldProps>
  /** How many of the form's six columns it spans; 3 by default. */
  readonly span?: 1 | 2 | 3 | 4 | 5 | 6
  /** Fields that do not apply given the other values: an open-ended lease has no end. */
  readonly isDisabled?: (values: Values) => boolean
}

/** Removes characters that a text field does not allow. */
export interface CharacterFilter {
  readonly disallowed: RegExp
  /** Whether a text stays as a whole, because the format of the field reads it. */
  readonly keeps?: (typed: string) => boolean
  /** The message when characters were removed: 'Other characters were removed'. */
  readonly message: string
}

/** Keeps only digits. */
export const ONLY_DIGITS: CharacterFilter = { disallowed: /\D/g, message: 'Only digits are allowed. Other characters were removed.' }

/** One field of a form: its label and input. Only the call's schema decides validity. */
export type FormField = CommonOptions &
  (
    | {
        readonly kind: 'line'
        readonly filter?: CharacterFilter
        /** Validates while typing; otherwise a field is validated on blur. */
        readonly validateWhileTyping?: (typed: string) => string | null
        /** Formats the value on blur. */
        readonly format?: (typed: string) => string
        readonly placeholder?: string
        /** The invalid parts of a line that holds several values; the error names them. */
        readonly findInvalid?: (typed: string) => readonly string[]
        readonly keyboard?: 'tel' | 'numeric' | 'url' | 'email'
      }
    | { readonly kind: 'lines' }
    /** Free text that grows with its content; cheap enough for a form with hundreds of fields. */
    | { readonly kind: 'free' }
    | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
    /** A choice from a long list, found by typing. */
    | {
        readonly kind: 'search'
        readonly choices: readonly Choice[]
        /** The choices under headings, which may depend on other values. */
        readonly groupChoices?: (values: Values) => readonly ChoiceGroup[]
        /** The input that shows more of each choice than its label, in place of a list. */
        readonly Picker?: ComponentType<PickerProps>
      }
    | { readonly kind: 'day' }
    | { readonly kind: 'check' }
    | {
        readonly kind: 'own'
        readonly Input: ComponentType<CustomInputProps>
        /** The value as text, for 'Was', the review and conflicts. */
        readonly toText: (value: FieldValue) => string
        /** A preview, if text cannot distinguish two values. */
        readonly Preview?: ComponentType<{ value: FieldValue }>
        /** Set if the input is a group of controls rather than a single one. */
        readonly isGroup?: boolean
        /** The control names itself; the group label is for screen readers only. */
        readonly hasHiddenLabel?: boolean
      }
  )

/** The fields of a form by the path of their value. */
export type FieldsByPath = Readonly<Record<string, FormField>>

/** The five statuses with their labels. */
export const STATUS_CHOICES: readonly Choice[] = STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** Choices whose labels equal their values. */
export const toChoices = (values: readonly string[]): readonly Choice[] => values.map((value) => ({ value, label: value }))

/** A field's label outside its section. */
export const getLabel = (fields: FieldsByPath, path: string): string => fields[path]?.longLabel ?? fields[path]?.label ?? path

/** A field's value as text; a missing value reads 'empty'. */
export const formatValue = (field: FormField | undefined, value: FieldValue | undefined): string => {
  if (field?.kind === 'own') return (value === undefined ? '' : field.toText(value)) || 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string' || value === '') return 'empty'
  if (field?.kind === 'day') return formatDay(value)
  if (field?.kind === 'choice' || field?.kind === 'search') return field.choices.find((choice) => choice.value === value)?.label ?? value
  return value
}

/** Rules over several fields, which per-field schemas cannot express; the server uses the same function. `sent` are the paths that are sent. */
export type CrossFieldRules = (values: Values, sent: readonly string[]) => readonly FieldError[]

/** The errors of a form, by field path; only the fields in `paths` are checked. */
export const validateValues = (
  schema: z.ZodType,
  sent: Values,
  paths: readonly string[],
  across: readonly FieldError[] = [],
): Readonly<Record<string, string>> => {
  const checked = schema.safeParse(toBody(sent))
  return groupErrorsByField(checked.success ? across : [...toFieldErrors(checked.error), ...across], paths)
}

/** Errors by the field they are shown at: an error of a list entry is shown at the list. Only the first of each field is kept. */
export const groupErrorsByField = (errors: readonly FieldError[], paths: readonly string[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const { path, message } of errors) {
    const field = paths.find((one) => path === one || path.startsWith(`${one}.`))
    if (field !== undefined) found[field] ??= message
  }
  return found
}

/** The fields that the schema does not allow to be empty. */
export const findRequiredFields = (schema: z.ZodType, paths: readonly string[]): ReadonlySet<string> => {
  const errors = validateValues(schema, Object.fromEntries(paths.map((path) => [path, ''])), paths)
  return new Set(paths.filter((path) => errors[path] === REQUIRED))
}

/** Converts a value of a call's body or response to the field's form value. */
export const toFormValue = (field: FormField | undefined, value: unknown): FieldValue => {
  if (Array.isArray(value) && field?.kind === 'line') return value.join(' ')
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string' && field?.kind === 'line' && field.format) return field.format(value)
  if (value === null || value === undefined) return field?.kind === 'check' ? false : ''
  return value as FieldValue
}
