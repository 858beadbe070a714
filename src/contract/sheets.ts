import { z } from 'zod'

import type { Capability } from './capabilities.ts'
import { keysOf } from './field-definitions.ts'
import { RECORD_NOUNS, type EditableKind, type SheetRecordKind } from './records.ts'

interface Sheet {
  readonly label: string
  readonly kind: SheetRecordKind
  /** The list above which it is downloaded, and to which it links back. */
  readonly list: Exclude<EditableKind, 'charter_affair'>
  readonly capability: Capability
  /** Whether its rows have the keys of the list's records, so that it can contain only the records that the list shows. */
  readonly hasRowsOfList: boolean
}

/** The sheets that can be edited in Excel: of records, of parts of them, and of their rows. */
export const SHEETS = {
  sites: { label: 'Sites', kind: 'site', list: 'site', capability: 'edit a site', hasRowsOfList: true },
  facilities: { label: 'Facilities', kind: 'site', list: 'site', capability: 'edit a site', hasRowsOfList: true },
  enrollments: { label: 'Enrollment', kind: 'site', list: 'site', capability: 'edit a site', hasRowsOfList: true },
  staff: { label: 'Staff', kind: 'site', list: 'site', capability: 'edit a site', hasRowsOfList: true },
  sis_sites: { label: 'SIS sites', kind: 'sis_site', list: 'site', capability: 'edit a site', hasRowsOfList: false },
  people: { label: 'People', kind: 'person', list: 'person', capability: 'edit a person', hasRowsOfList: true },
  charters: { label: 'Charters', kind: 'charter', list: 'charter', capability: 'manage the network', hasRowsOfList: true },
  brands: { label: 'Brands', kind: 'brand', list: 'brand', capability: 'manage the network', hasRowsOfList: true },
  charter_affairs: {
    label: 'Charter affairs',
    kind: 'charter_affair',
    list: 'charter',
    capability: 'edit a charter affair',
    hasRowsOfList: true,
  },
  board_members: {
    label: 'Board members',
    kind: 'authorizer_board_member',
    list: 'charter',
    capability: 'edit a charter affair',
    hasRowsOfList: false,
  },
  districts: { label: 'Districts', kind: 'center_district', list: 'charter', capability: 'edit a charter affair', hasRowsOfList: false },
} as const satisfies Readonly<Record<string, Sheet>>

export const SHEET_KINDS = keysOf(SHEETS)
export const SheetKind = z.enum(SHEET_KINDS)
export type SheetKind = z.infer<typeof SheetKind>

/** The nouns of a sheet's rows: singular and plural. */
export const getSheetNoun = (sheet: SheetKind) => RECORD_NOUNS[SHEETS[sheet].kind]

/** The name of a sheet in a workbook, and of its file: 'Charter Affairs'. */
export const getSheetTitle = (sheet: SheetKind): string => SHEETS[sheet].label.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
