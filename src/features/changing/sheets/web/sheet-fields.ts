import { createContext, type ReactNode, use } from 'react'

import type { SheetKind } from '../../../../contract/sheets.ts'
import { type FormField, formatValue, toFormValue, type FieldsByPath } from '../../../../platform/web/form/fields.ts'
import type { FieldValue } from '../../../../platform/web/form/values.ts'
import type { SheetCell } from '../contract.ts'

/** The fields of the form of a sheet's records, and their rules. */
export interface SheetFields {
  readonly fields: FieldsByPath
  /** The form's error for a value; undefined if it can be saved. */
  readonly findError: (path: string, value: unknown) => string | undefined
  /** The value of an input in the format of the call. */
  readonly toSent: (path: string, value: FieldValue) => unknown
}

/** Loads the fields of a sheet; passed in at the root of the app, which knows all records. */
export interface LoadsFields {
  readonly WithFields: (props: { kind: SheetKind; children: (fields: SheetFields) => ReactNode }) => ReactNode
}

export const SheetFieldsContext = createContext<SheetFields>({ fields: {}, findError: () => undefined, toSent: (_path, value) => value })
export const useSheetFields = (): SheetFields => use(SheetFieldsContext)

/** The field of a cell; a line of text if the form does not have it. */
export const getField = ({ fields }: SheetFields, { field, label }: Pick<SheetCell, 'field' | 'label'>): FormField =>
  fields[field] ?? { kind: 'line', label }

const formatOne = (field: FormField, value: unknown): string => {
  const text = formatValue(field, toFormValue(field, value))
  return field.kind === 'line' && field.format ? field.format(text) : text
}

/** The value of a cell as text; 'empty' if there is none. */
export const formatCell = (sheet: SheetFields, cell: Pick<SheetCell, 'field' | 'label'>, value: unknown): string => {
  const field = getField(sheet, cell)
  if (Array.isArray(value) && field.kind !== 'own') return value.map((one) => formatOne(field, one)).join(', ') || 'empty'
  return formatOne(field, value)
}
