import { toIsoDay } from '../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../contract/deadlines.ts'
import type { Deadline } from '../../features/deadlines/deadlines/contract.ts'
import { filterRows, getReadableDeadlines, getReader } from '../../features/deadlines/deadlines/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import type { CellValue } from '../../platform/server/workbook-writer.ts'
import { type AffairSection, affairLabels, memberLabels, sectionTitles } from '../../records/charter-affairs/fields.ts'
import { facilityLabels } from '../../records/facility/fields.ts'
import { DEADLINE_COLUMN_NAMES, type DeadlineColumn } from './workbooks.ts'

const STATE_LABELS: Readonly<Record<Deadline['state'], string>> = { open: 'Open', handled: 'Handled', snoozed: 'Put off' }
const PRECISIONS: Readonly<Record<Deadline['precision'], string>> = { day: 'Day', month: 'Month' }

/** 'Overview: Charter expiration date', like the column of the workbook Charter Affairs; null for a deadline that people added. */
const formatSource = ({ source }: Deadline): string | null => {
  if (source === null || source.field === null) return null
  if (source.record === 'facility') return `Facility: ${(facilityLabels as Record<string, string>)[source.field]}`
  const isMember = source.section === 'authorizer_board_member'
  const section = source.section as AffairSection
  const labels: Readonly<Record<string, string>> = isMember ? memberLabels : affairLabels[section]
  return `${sectionTitles[isMember ? 'authorizer_board_member' : section]}: ${labels[source.field]}`
}

const CELLS: Readonly<Record<DeadlineColumn, (deadline: Deadline, timeZone: string) => CellValue>> = {
  kind: ({ kind }) => DEADLINE_KINDS[kind].name,
  title: ({ title }) => title,
  date: ({ date }) => date,
  precision: ({ precision }) => PRECISIONS[precision],
  state: ({ state }) => STATE_LABELS[state],
  snoozedUntil: ({ snoozedUntil }) => snoozedUntil,
  responsible: ({ responsible }) => responsible?.name ?? null,
  note: ({ note }) => note,
  charter: ({ charter }) => charter?.name ?? null,
  site: ({ site }) => site?.name ?? null,
  region: ({ region }) => region?.name ?? null,
  field: formatSource,
  text: ({ source }) => source?.text ?? null,
  isByHand: ({ source }) => (source?.isByHand ? 'Yes' : 'No'),
  updatedAt: ({ updatedAt }, timeZone) => (updatedAt === null ? null : toIsoDay(updatedAt, timeZone)),
  updatedBy: ({ updatedBy }) => updatedBy,
}

/** The rows of the workbook Deadlines: those that the user may see, by date. Cells are formatted on demand. */
export const openDeadlineRows = async (context: AppContext, user: SignedIn) => {
  const reader = await getReader(context, user)
  const view = await getReadableDeadlines(context)
  const rows = filterRows(view, reader, {})
  const { timeZone } = context.configuration
  const read = (from: number, to: number): CellValue[][] =>
    rows.slice(from, to).map((row) => {
      const deadline = view.toDeadline(row)
      return DEADLINE_COLUMN_NAMES.map((name) => CELLS[name](deadline, timeZone))
    })
  return { count: rows.length, read }
}
