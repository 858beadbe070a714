import { can, type Capability } from '../../../contract/capabilities.ts'
import { formatCount, type Noun } from '../../../contract/format.ts'
import { type EditableKind, RECORD_NOUNS } from '../../../contract/records.ts'
import { SHEET_KINDS, SheetKind } from './contract.ts'

const OTHER_LIST = 'This file is of another list'

/** The message for a file that was uploaded as another sheet. */
export const formatOtherList = (kind: string, title: string): string => `${OTHER_LIST} (${kind}), not of ${title}. Drop it there.`

/** The sheet that a refused file belongs to, from the message. */
export const parseOtherList = (message: string): SheetKind | undefined => {
  const [, kind] = new RegExp(`^${OTHER_LIST} \\((\\w+)\\)`).exec(message) ?? []
  return SheetKind.safeParse(kind).data
}

interface SheetOfList {
  readonly label: string
  /** The list above which it is downloaded, and to which it links back. */
  readonly list: Exclude<EditableKind, 'charter_affair'>
  /** The noun for its rows: singular and plural. */
  readonly noun: Noun
  readonly capability: Capability
  /** Whether its rows have the keys of the list's records, so that it can contain only the records that the list shows. */
  readonly hasRowsOfList: boolean
}

/** The list and the capability of each sheet. */
export const SHEETS_OF_LISTS: Readonly<Record<SheetKind, SheetOfList>> = {
  sites: { label: 'Sites', list: 'site', noun: RECORD_NOUNS.site, capability: 'edit a site', hasRowsOfList: true },
  facilities: { label: 'Facilities', list: 'site', noun: RECORD_NOUNS.site, capability: 'edit a site', hasRowsOfList: true },
  enrollments: { label: 'Enrollment', list: 'site', noun: RECORD_NOUNS.site, capability: 'edit a site', hasRowsOfList: true },
  staff: { label: 'Staff', list: 'site', noun: RECORD_NOUNS.site, capability: 'edit a site', hasRowsOfList: true },
  sis_sites: { label: 'SIS sites', list: 'site', noun: RECORD_NOUNS.sis_site, capability: 'edit a site', hasRowsOfList: false },
  people: { label: 'People', list: 'person', noun: RECORD_NOUNS.person, capability: 'edit a person', hasRowsOfList: true },
  charters: { label: 'Charters', list: 'charter', noun: RECORD_NOUNS.charter, capability: 'manage the network', hasRowsOfList: true },
  brands: { label: 'Brands', list: 'brand', noun: RECORD_NOUNS.brand, capability: 'manage the network', hasRowsOfList: true },
  charter_affairs: {
    label: 'Charter affairs',
    list: 'charter',
    noun: RECORD_NOUNS.charter_affair,
    capability: 'edit a charter affair',
    hasRowsOfList: true,
  },
  board_members: {
    label: 'Board members',
    list: 'charter',
    noun: RECORD_NOUNS.authorizer_board_member,
    capability: 'edit a charter affair',
    hasRowsOfList: false,
  },
  districts: {
    label: 'Districts',
    list: 'charter',
    noun: RECORD_NOUNS.center_district,
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

const SHORT_SECONDS = 10
const MINUTE_SECONDS = 60

/** 'a few seconds left', 'about 40 seconds left', 'about 2 minutes left' */
export const formatTimeLeft = (seconds: number): string => {
  if (seconds < SHORT_SECONDS) return 'a few seconds left'
  if (seconds < MINUTE_SECONDS) return `about ${Math.ceil(seconds / SHORT_SECONDS) * SHORT_SECONDS} seconds left`
  return `about ${formatCount(Math.ceil(seconds / MINUTE_SECONDS), 'minute')} left`
}
