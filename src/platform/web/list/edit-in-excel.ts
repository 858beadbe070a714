import { createContext, type ReactNode } from 'react'

import type { Noun } from '../../../contract/format.ts'
import type { EditableKind } from '../../../contract/records.ts'

/** A list whose records can be edited in Excel. */
export interface EditableList {
  readonly kind: EditableKind
  /** The singular and plural of the noun. */
  readonly noun: Noun
  /** The listed records. */
  readonly shown: readonly { readonly _id: string }[]
  /** The total number. */
  readonly total: number | undefined
  /** What the list shows, in the format of its download request. */
  readonly request: {
    readonly list: string
    readonly of?: string | undefined
    readonly filters: Readonly<Record<string, string | undefined>>
    readonly search?: string | undefined
    readonly sort?: string | undefined
    readonly group?: string | undefined
  }
}

export interface EditInExcelProps {
  readonly list: EditableList
  /** The columns that its table shows; undefined if it is not a table. */
  readonly columns: readonly string[] | undefined
}

/** Renders the menu "Edit in Excel"; sheets cover all record kinds, so it is passed in at the root of the app. */
export const EditInExcelContext = createContext<((props: EditInExcelProps) => ReactNode) | null>(null)
