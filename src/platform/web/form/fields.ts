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

/** What an input of a form's own is given. */
export interface CustomInputProps {
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly value: FieldValue
  readonly values: Values
  readonly error: string | undefined
  /** Ids of the words that belong to it. */
  readonly describedBy: string | undefined
  /** What it was when the form was opened. */
  readonly before: FieldValue
  readonly onChange: (value: FieldValue) => void
  /** Why the form cannot be saved yet: an upload that still runs; null once it can. */
  readonly onBlock: (reason: string | null) => void
}

/** What a component below a field is given. */
export interface BelowFieldProps {
  readonly path: string
  /** What the field is called away from its section. */
  readonly label: string
  readonly value: FieldValue
}

interface CommonOptions {
  readonly label: string
  /** What it is called away from its section, where others are called the same: 'Funding, FEIN'. */
  readonly longLabel?: string
  readonly hint?: string
  /** What is worth saying of what it holds; never an error. */
  readonly note?: (value: FieldValue) => string | null
  /** What is below it and follows what is typed. */
  readonly Below?: ComponentType<BelowFieldProps>
  /** How many of the six columns of a form it takes; three where nothing is said. */
  readonly span?: 1 | 2 | 3 | 4 | 5 | 6
  /** Fields that have nothing to say as others are: a lease that is open-ended has no end. */
  readonly isDisabled?: (values: Values) => boolean
}

/** A line whose rule strips what it does not allow. */
export interface CharacterFilter {
  readonly disallowed: RegExp
  /** What the field says when it has stripped something: 'Other characters were removed'. */
  readonly message: string
}

/** Everything but digits goes. */
export const ONLY_DIGITS: CharacterFilter = { disallowed: /\D/g, message: 'Only digits are allowed. Other characters were removed.' }

/** One field of a form: how it is called and put in. What is right is said by the call's schema alone. */
export type FormField = CommonOptions &
  (
    | {
        readonly kind: 'line'
        readonly filter?: CharacterFilter
        /** What is still wrong while one types; it is checked when the field is left. */
        readonly validateWhileTyping?: (typed: string) => string | null
        /** What becomes of it when the reader leaves the field. */
        readonly format?: (typed: string) => string
        readonly placeholder?: string
        /** Of a line that holds several values, those that are wrong: an error names them. */
        readonly findInvalid?: (typed: string) => readonly string[]
        readonly keyboard?: 'tel' | 'numeric' | 'url' | 'email'
      }
    | { readonly kind: 'lines' }
    /** Free text of one line or many, which is as high as what it holds; light enough for a form of hundreds. */
    | { readonly kind: 'free' }
    | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
    /** One of very many: typed for. */
    | { readonly kind: 'search'; readonly choices: readonly Choice[] }
    | { readonly kind: 'day' }
    | { readonly kind: 'check' }
    | {
        readonly kind: 'own'
        readonly Input: ComponentType<CustomInputProps>
        /** It in words, for 'Was', the review and a conflict. */
        readonly toText: (value: FieldValue) => string
        /** It as it looks, where words do not tell two of them apart. */
        readonly Preview?: ComponentType<{ value: FieldValue }>
        /** What the picture or list is a group of, so that it is no single control. */
        readonly isGroup?: boolean
        /** Its control says its name; the group's own name is for screen readers alone. */
        readonly hasHiddenLabel?: boolean
      }
  )

/** The five statuses, under their labels. */
export const STATUS_CHOICES: readonly Choice[] = STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** Choices whose words are their values. */
export const toChoices = (values: readonly string[]): readonly Choice[] => values.map((value) => ({ value, label: value }))

/** What a field is called where its section is not beside it. */
export const getLabel = (fields: Readonly<Record<string, FormField>>, path: string): string =>
  fields[path]?.longLabel ?? fields[path]?.label ?? path

/** A field's value in words; nothing is 'empty'. */
export const formatValue = (field: FormField | undefined, value: FieldValue | undefined): string => {
  if (field?.kind === 'own') return (value === undefined ? '' : field.toText(value)) || 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string' || value === '') return 'empty'
  if (field?.kind === 'day') return formatDay(value)
  if (field?.kind === 'choice' || field?.kind === 'search') return field.choices.find((choice) => choice.value === value)?.label ?? value
  return value
}

/** Rules over more than one field, which a schema of parts cannot hold; the server follows the same function. `sent` are the paths that are sent. */
export type CrossFieldRules = (values: Values, sent: readonly string[]) => readonly FieldError[]

/** What is wrong with a form, by the path of its field: only fields of `paths` are checked. */
export const validateValues = (
  schema: z.ZodType,
  sent: Values,
  paths: readonly string[],
  across: readonly FieldError[] = [],
): Readonly<Record<string, string>> => {
  const checked = schema.safeParse(toBody(sent))
  return groupErrorsByField(checked.success ? across : [...toFieldErrors(checked.error), ...across], paths)
}

/** Errors beside the field each belongs to: that of an entry of a list beside the list. The first of a field is said. */
export const groupErrorsByField = (errors: readonly FieldError[], paths: readonly string[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const { path, message } of errors) {
    const field = paths.find((one) => path === one || path.startsWith(`${one}.`))
    if (field !== undefined) found[field] ??= message
  }
  return found
}

/** The fields that the schema refuses to be left empty. */
export const findRequiredFields = (schema: z.ZodType, paths: readonly string[]): ReadonlySet<string> => {
  const errors = validateValues(schema, Object.fromEntries(paths.map((path) => [path, ''])), paths)
  return new Set(paths.filter((path) => errors[path] === REQUIRED))
}

/** A value that a call answers or takes, as the field of a form holds it. */
export const toFormValue = (field: FormField | undefined, value: unknown): FieldValue => {
  if (Array.isArray(value) && field?.kind === 'line') return value.join(' ')
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined) return field?.kind === 'check' ? false : ''
  return value as FieldValue
}
