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
  /** What the list shows, as its download is asked for. */
  readonly asked: {
    readonly list: string
    readonly of?: string | undefined
    readonly filters: Readonly<Record<string, string | undefined>>
    readonly search?: string | undefined
    readonly sort?: string | undefined
  }
}

export interface EditInExcelProps {
  readonly list: EditableList
  /** The columns that its table shows; undefined where it is no table. */
  readonly columns: readonly string[] | undefined
  /** Just its sign. */
  readonly brief: boolean
}

/** Renders the menu Edit in Excel; sheets know all kinds of records, so it is handed in at the root of the app. */
export const EditInExcelContext = createContext<((props: EditInExcelProps) => ReactNode) | null>(null)
