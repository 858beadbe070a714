import type { ReactNode } from 'react'
import type { z } from 'zod'

import type { SheetRecordKind } from '../../contract/records.ts'
import type { SheetKind } from '../../contract/sheets.ts'
import type { SavingCall } from './form/body-fields.ts'
import type { VersionedRecord } from './form/EditForm.tsx'
import type { CrossFieldRules, FieldsByPath } from './form/fields.ts'
import type { FieldValue, Values } from './form/values.ts'

/** The fields of a group, once the records to choose from are loaded. */
export interface LoadedFields {
  readonly fields: FieldsByPath
  /** The fields of a new record, if it has others. */
  readonly newFields?: FieldsByPath
  /** Other values that follow from a value. */
  readonly derivedValues?: (path: string, value: FieldValue) => Values
}

/** Renders fields once they are loaded. */
export type RenderFields = (loaded: LoadedFields) => ReactNode

/** Fields of a record that its form shows together, and that one sheet edits. */
export interface FieldGroup {
  readonly title: string
  readonly sheet: SheetKind
  /** The schema of the form; null if only the server validates. */
  readonly schema: z.ZodType | null
  /** The prefix of the paths, which the schema does not have. */
  readonly prefix?: string
  /** Whether a field is a list, to which a bulk change adds one entry or from which it removes one. */
  readonly isList?: (path: string) => boolean
  /** The value of an input in the format of the call, if it differs. */
  readonly toSent?: (path: string, value: FieldValue) => unknown
  readonly WithFields: (props: { children: RenderFields }) => ReactNode
  /** The form's call, and how a record is read again after someone else saved it. The cells of lists are then edited in place. */
  readonly edit?: {
    readonly call: SavingCall
    readonly read: (_id: string) => Promise<VersionedRecord>
    readonly crossFieldRules?: CrossFieldRules
  }
}

/** A kind of record in the browser, for features that work on all kinds. */
export interface RecordKindWeb {
  readonly groups: readonly FieldGroup[]
}
export type RecordKindsWeb = Readonly<Record<SheetRecordKind, RecordKindWeb>>

/** Fields that need no other records. */
export const withFields =
  (fields: FieldsByPath): FieldGroup['WithFields'] =>
  ({ children }) =>
    children({ fields })
