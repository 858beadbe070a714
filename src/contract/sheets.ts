import { z } from 'zod'

import { keysOf } from './field-definitions.ts'
import {
  getListedKind,
  isRowKind,
  KIND_SHEETS,
  type ListedKind,
  RECORD_NOUNS,
  type SheetDeclaration,
  type SheetRecordKind,
} from './records.ts'

type SheetsByKind = typeof KIND_SHEETS
export type SheetKind = { [Kind in keyof SheetsByKind]: keyof SheetsByKind[Kind] & string }[keyof SheetsByKind]

interface Sheet extends SheetDeclaration {
  readonly kind: SheetRecordKind
  /** The list above which it is downloaded, and to which it links back. */
  readonly list: ListedKind
  /** Whether its rows have the keys of the list's records, so that it can contain only the records that the list shows; and its columns those of the list. */
  readonly hasRowsOfList: boolean
  readonly hasColumnsOfList: boolean
}

/** The sheets that can be edited in Excel: of records, of parts of them, and of their rows. */
export const SHEETS = Object.fromEntries(
  keysOf(KIND_SHEETS).flatMap((kind) => {
    const list = getListedKind(kind)
    return Object.entries<SheetDeclaration>(KIND_SHEETS[kind]).map(([sheet, declared]): [string, Sheet] => [
      sheet,
      { ...declared, kind, list, hasRowsOfList: !isRowKind(kind), hasColumnsOfList: kind === list && declared.isOfPart !== true },
    ])
  }),
) as Readonly<Record<SheetKind, Sheet>>

export const SHEET_KINDS = keysOf(SHEETS)
export const SheetKind = z.enum(SHEET_KINDS)

/** The nouns of a sheet's rows: singular and plural. */
export const getSheetNoun = (sheet: SheetKind) => RECORD_NOUNS[SHEETS[sheet].kind]

/** The name of a sheet in a workbook, and of its file: 'Charter Affairs'. */
export const getSheetTitle = (sheet: SheetKind): string => SHEETS[sheet].label.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
