import { createContext, type ReactNode } from 'react'

import type { EditableKind } from '../../../contract/records.ts'

/** A list of records that can be changed in Excel. */
export interface EditableList {
  readonly kind: EditableKind
  /** What the records are called: one, many. */
  readonly noun: readonly [one: string, many: string]
  /** Those that show. */
  readonly shown: readonly { readonly _id: string }[]
  /** How many there are. */
  readonly total: number | undefined
}

export interface EditInExcelProps {
  readonly list: EditableList
  /** Just its sign. */
  readonly brief: boolean
}

/** Renders the menu Edit in Excel; sheets know all kinds of records, so it is handed in at the root of the app. */
export const EditInExcelContext = createContext<((props: EditInExcelProps) => ReactNode) | null>(null)
