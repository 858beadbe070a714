import { can } from '../../../contract/capabilities.ts'
import { formatCount } from '../../../contract/format.ts'
import type { EditableKind } from '../../../contract/records.ts'
import { SHEET_KINDS, SheetKind, SHEETS } from '../../../contract/sheets.ts'

const OTHER_LIST = 'This file is of another list'

/** The message for a file that was uploaded as another sheet. */
export const formatOtherList = (kind: string, title: string): string => `${OTHER_LIST} (${kind}), not of ${title}. Drop it there.`

/** The sheet that a refused file belongs to, from the message. */
export const parseOtherList = (message: string): SheetKind | undefined => {
  const [, kind] = new RegExp(`^${OTHER_LIST} \\((\\w+)\\)`).exec(message) ?? []
  return SheetKind.safeParse(kind).data
}

/** The sheets that someone of a level may edit, of a list or of all. */
export const listSheets = (level: number, list?: EditableKind): SheetKind[] =>
  SHEET_KINDS.filter((kind) => {
    const { list: own, capability } = SHEETS[kind]
    return (list === undefined || own === list) && can(level, 'manage the network') && can(level, capability)
  })

/** The name of pasted cells, where a sheet has that of its file. */
export const PASTED_CELLS = 'Pasted cells'

const SHORT_SECONDS = 10
const MINUTE_SECONDS = 60

/** 'a few seconds left', 'about 40 seconds left', 'about 2 minutes left' */
export const formatTimeLeft = (seconds: number): string => {
  if (seconds < SHORT_SECONDS) return 'a few seconds left'
  if (seconds < MINUTE_SECONDS) return `about ${Math.ceil(seconds / SHORT_SECONDS) * SHORT_SECONDS} seconds left`
  return `about ${formatCount(Math.ceil(seconds / MINUTE_SECONDS), 'minute')} left`
}
