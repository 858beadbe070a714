import { formatCount } from '../../contract/format.ts'
import { RECORD_NOUNS } from '../../contract/records.ts'
import { formatExamples } from './charter-messages.ts'
import type { RowMessage } from './outcome.ts'
import { STAFF_FIELDS, STAFF_FIELD_NAMES } from './staff-fields.ts'
import type { StaffChange, StaffPlan, StaffRow } from './staff-rows.ts'

/** The parts of an outcome that are reported. */
interface StaffSummary extends StaffPlan {
  readonly lines: ReadonlyMap<string, number>
  readonly wrongEmails: number
  readonly refusals: readonly { readonly line: number; readonly id: string; readonly reasons: readonly string[] }[]
}

const MAX_EXAMPLES = 10

const formatName = ({ FirstName, LastName }: Pick<StaffRow, 'FirstName' | 'LastName'>): string =>
  [FirstName, LastName].filter(Boolean).join(' ')
const formatValue = (value: string | null): string => value ?? '(none)'

/** How many people of a file changed in which fields. */
const formatChangedFields = (changed: readonly StaffChange[]): string => {
  const counts = new Map<string, number>()
  for (const { differences } of changed) for (const { field } of differences) counts.set(field, (counts.get(field) ?? 0) + 1)
  const back = changed.filter(({ isBack }) => isBack).length
  const parts = [
    ...(back > 0 ? [`${formatCount(back, RECORD_NOUNS.person)} back`] : []),
    ...[...counts].map(([field, count]) => `${field} ${count.toLocaleString('en-US')}`),
  ]
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

const formatKept = (count: number): string =>
  `  ${formatCount(count, RECORD_NOUNS.person)} missing from the file stay${count === 1 ? 's' : ''}, because a refused row could be any employee's (--allow-gone marks them)`

const formatChange = ({ differences, isBack }: StaffChange): string[] => [
  ...(isBack ? ['is back'] : []),
  ...differences.map(({ field, from, to }) => `${field}: ${formatValue(from)} -> ${formatValue(to)}`),
]

/** What an import of staff adds, changes, marks, leaves unchanged and refuses; `done` once it has happened. */
export const formatStaffOutcome = (outcome: StaffSummary, { done }: { done: boolean }): string[] => {
  const { added, changed, gone, keptCount, unchanged, refusals, lines, wrongEmails } = outcome
  const line = (verb: string, past: string, count: number, more = ''): string =>
    `${(done ? past : `To ${verb}`).padEnd(16)} ${count.toLocaleString('en-US').padStart(7)}${more}`
  const formatRows = (rows: readonly RowMessage[], of: number): string[] => (done ? [] : formatExamples(rows, of))
  const toMessage = (row: StaffRow, details: readonly string[]): RowMessage => ({
    line: lines.get(row.PersonID) ?? 0,
    id: row.PersonID,
    name: formatName(row),
    details,
  })
  const addedRows = added.slice(0, MAX_EXAMPLES).map((row) => toMessage(row, ['new']))
  const changedRows = changed.slice(0, MAX_EXAMPLES).map((change) => toMessage(change.row, formatChange(change)))
  return [
    line('add', 'Added', added.length),
    ...formatRows(addedRows, added.length),
    line('change', 'Changed', changed.length, formatChangedFields(changed)),
    ...formatRows(changedRows, changed.length),
    line('leave', 'Left', unchanged),
    line('mark as gone', 'Marked as gone', gone.length),
    ...(done ? [] : gone.slice(0, MAX_EXAMPLES).map((one) => `  ${one.PersonID}  ${formatName(one)}`)),
    ...(done || gone.length <= MAX_EXAMPLES ? [] : [`  and ${(gone.length - MAX_EXAMPLES).toLocaleString('en-US')} more`]),
    ...(keptCount > 0 ? [formatKept(keptCount)] : []),
    ...(wrongEmails > 0 ? [`  ${formatCount(wrongEmails, ['email address', 'email addresses'])} not valid, left empty`] : []),
    line('refuse', 'Refused', refusals.length),
    ...formatRows(
      refusals.slice(0, MAX_EXAMPLES).map(({ line: at, id, reasons }) => ({ line: at, id, name: '', details: reasons })),
      refusals.length,
    ),
  ]
}

/** The section of `npm run import -- --help` for this import. */
export const STAFF_HELP = `Usage: homeroom import staff FILE [options]

Fills the HR directory that Add Staff searches from a file of staff (CSV or XLSX). Rows are matched by PersonID. Anyone no longer
in the file is marked as gone and no longer found, but never deleted; a later file that lists them again restores them.

  --dry-run             says what would be added, changed, left, marked as gone and refused, and writes nothing
  --allow-gone          marks people as gone even where they are more than half of all; such a file is refused otherwise
  --map COLUMN=FIELD    a column that holds a field below under another name; may be given several times
  --report FILE         where refused rows go, with line number and reason; DATA_DIR/import-reports/ unless given

Fields, and the columns that are known for them (case, blanks and signs do not matter):
${STAFF_FIELD_NAMES.map((field) => `  ${field.padEnd(18)} ${STAFF_FIELDS[field].means}; ${STAFF_FIELDS[field].headers.join(', ')}`).join('\n')}`
