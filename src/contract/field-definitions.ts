import { z } from 'zod'

import { text } from './fields.ts'
import type { RecordKind } from './records.ts'

/** The input of a field; for 'picture' and 'custom' the form supplies it. */
export type FieldControl =
  | 'text'
  | 'digits'
  | 'url'
  | 'email'
  | 'emails'
  | 'phone'
  | 'extension'
  | 'fax'
  | 'multiline'
  | 'choice'
  | 'status'
  | 'day'
  | 'checkbox'
  | 'picture'
  | 'custom'

/** The control and the schemas of a field that is true or false. */
export const CHECKBOX = { control: 'checkbox', input: z.boolean(), output: z.boolean() } as const

/** What a cell of a workbook contains: a value, or the name of a record. */
export type CellType = 'text' | 'day' | 'boolean' | 'list' | 'number' | 'people' | CellReference
/** The kinds of records that a cell may name. */
export type CellReference = Exclude<RecordKind, 'person'>

/** One field of a record: its rule, its label everywhere, its input, and its default in a new record. */
export interface FieldDefinition {
  readonly label: string
  /** The label outside its section, in the history and in workbooks, if the short label is ambiguous there. */
  readonly fullLabel?: string
  /** The schema of the field in a request. */
  readonly input: z.ZodType
  /** The schema of the field in a response; nullable text by default. */
  readonly output?: z.ZodType
  /** The schema for a new record, if it differs. */
  readonly newInput?: z.ZodType
  /** The default in a new record. A field without one is required there if its schema says so. */
  readonly initial?: unknown
  /** The title of its form section. */
  readonly section: string
  readonly control: FieldControl
  /** What its cells in a workbook contain, if its control does not say; null if it has no column. */
  readonly cell?: CellType | null
  /** The options of a 'choice'. */
  readonly choices?: readonly string[]
  readonly hint?: string
  /** Other words by which people look for it: 'closing time'. */
  readonly synonyms?: readonly string[]
  /** The name of what it is a part of, as which several fields of many records are changed: 'Hours'. */
  readonly together?: string
  /** How many of the form's six columns it spans; 3 by default. */
  readonly span?: 1 | 2 | 3 | 4 | 5 | 6
}
export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>

/** The keys of an object, with their types. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] => Object.keys(record) as Key[]

const mapFields = (fields: FieldDefinitions, map: (field: FieldDefinition) => unknown): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]))

/** The same fields with a prefix: `city` as `address.city`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the literal type of the parent is in the names
export const nestFields = <const Parent extends string, F extends FieldDefinitions>(parent: Parent, fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${parent}.${name}`, field])) as unknown as {
    readonly [Name in keyof F & string as `${Parent}.${Name}`]: F[Name]
  }

/** The shape of the fields in a response. */
export const buildOutputShape = <F extends FieldDefinitions>(fields: F) =>
  mapFields(fields, ({ output = text }) => output) as {
    -readonly [Name in keyof F]: F[Name] extends { readonly output: infer Output extends z.ZodType } ? Output : typeof text
  }

/** The shape of a request that changes a record. */
export const buildInputShape = <F extends FieldDefinitions>(fields: F) =>
  mapFields(fields, ({ input }) => input) as { -readonly [Name in keyof F]: F[Name]['input'] }

type NewShape<F extends FieldDefinitions> = {
  -readonly [Name in keyof F]: F[Name] extends { readonly initial: unknown }
    ? z.ZodDefault<F[Name]['input']>
    : F[Name] extends { readonly newInput: infer Input extends z.ZodType }
      ? Input
      : F[Name]['input']
}
/** The shape of a request that creates a record: each field with its default. */
export const buildNewShape = <F extends FieldDefinitions>(fields: F) =>
  mapFields(fields, ({ input, newInput = input, initial }) => (initial === undefined ? newInput : newInput.default(initial))) as NewShape<F>

/** The label of each field, for the record's page, its history and exported files. */
export const getLabels = <F extends FieldDefinitions>(fields: F) =>
  mapFields(fields, ({ label, fullLabel = label }) => fullLabel) as { readonly [Name in keyof F]: string }
