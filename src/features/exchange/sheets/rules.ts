import { can, type Capability } from '../../../contract/capabilities.ts'
import type { EditableKind } from '../../../contract/records.ts'
import { SHEET_KINDS, SheetKind } from './contract.ts'

const OTHER_LIST = 'This file is of another list'

/** Refuses a file of another sheet than the one it was uploaded as. */
export const formatOtherList = (kind: string, title: string): string => `${OTHER_LIST} (${kind}), not of ${title}. Drop it there.`

/** The sheet that a refused file belongs to. */
export const parseOtherList = (message: string): SheetKind | undefined => {
  const [, kind] = new RegExp(`^${OTHER_LIST} \\((\\w+)\\)`).exec(message) ?? []
  return SheetKind.safeParse(kind).data
}

interface SheetOfList {
  readonly label: string
  /** The list above which it is downloaded, and that it leads back to. */
  readonly list: Exclude<EditableKind, 'charter_affair'>
  /** What its rows are called: one, many. */
  readonly noun: readonly [one: string, many: string]
  readonly capability: Capability
  /** Its rows have the keys of the list's records, so that it can hold just those that show. */
  readonly hasRowsOfList: boolean
}

const SITE = ['site', 'sites'] as const

/** Where each sheet belongs. */
export const SHEETS_OF_LISTS: Readonly<Record<SheetKind, SheetOfList>> = {
  sites: { label: 'Sites', list: 'site', noun: SITE, capability: 'edit a site', hasRowsOfList: true },
  facilities: { label: 'Facilities', list: 'site', noun: SITE, capability: 'edit a site', hasRowsOfList: true },
  enrollments: { label: 'Enrollment', list: 'site', noun: SITE, capability: 'edit a site', hasRowsOfList: true },
  staff: { label: 'Staff', list: 'site', noun: SITE, capability: 'edit a site', hasRowsOfList: true },
  sis_sites: { label: 'SIS sites', list: 'site', noun: ['SIS site', 'SIS sites'], capability: 'edit a site', hasRowsOfList: false },
  people: { label: 'People', list: 'person', noun: ['person', 'people'], capability: 'edit a person', hasRowsOfList: true },
  charters: { label: 'Charters', list: 'charter', noun: ['charter', 'charters'], capability: 'manage the network', hasRowsOfList: true },
  brands: { label: 'Brands', list: 'brand', noun: ['brand', 'brands'], capability: 'manage the network', hasRowsOfList: true },
  charter_affairs: {
    label: 'Charter affairs',
    list: 'charter',
    noun: ['charter affair', 'charter affairs'],
    capability: 'edit a charter affair',
    hasRowsOfList: true,
  },
  board_members: {
    label: 'Board members',
    list: 'charter',
    noun: ['board member', 'board members'],
    capability: 'edit a charter affair',
    hasRowsOfList: false,
  },
  districts: {
    label: 'Districts',
    list: 'charter',
    noun: ['district', 'districts'],
    capability: 'edit a charter affair',
    hasRowsOfList: false,
  },
}

/** The sheets that someone of a level may edit, of a list or of all. */
export const listSheets = (level: number, list?: EditableKind): SheetKind[] =>
  SHEET_KINDS.filter((kind) => {
    const { list: own, capability } = SHEETS_OF_LISTS[kind]
    return (list === undefined || own === list) && can(level, 'manage the network') && can(level, capability)
  })

/** '1 site', '12 sites' */
export const formatCount = (count: number, [one, many]: readonly [string, string]): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
