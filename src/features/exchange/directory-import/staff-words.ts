import type { Told } from './outcome.ts'
import { STAFF_FIELDS, STAFF_NAMES } from './staff-fields.ts'
import type { StaffChange, StaffPlan, StaffRow } from './staff-rows.ts'
import { firstOf, many } from './words.ts'

/** As much of an outcome as is told. */
interface StaffTold extends StaffPlan {
  readonly header: {
    readonly cells: readonly string[]
    readonly columns: Readonly<Partial<Record<string, number>>>
    readonly unused: readonly string[]
  }
  readonly lines: ReadonlyMap<string, number>
  readonly wrongEmails: number
  readonly refusals: readonly { readonly line: number; readonly id: string; readonly reasons: readonly string[] }[]
}

const TELL = 10

/** Which columns of the file hold what, and which are not used. */
export const staffColumnsInWords = ({ header }: StaffTold): string[] => {
  const used = STAFF_NAMES.flatMap((field) => {
    const at = header.columns[field]
    return at === undefined ? [] : [`${header.cells[at]?.trim() ?? ''} = ${field}`]
  })
  return [`Columns used: ${used.join(', ')}`, ...(header.unused.length > 0 ? [`Columns not used: ${header.unused.join(', ')}`] : [])]
}

const nameOf = ({ FirstName, LastName }: Pick<StaffRow, 'FirstName' | 'LastName'>): string =>
  [FirstName, LastName].filter(Boolean).join(' ')
const show = (value: string | null): string => value ?? '(none)'

const whatChanged = ({ differences, isBack }: StaffChange): string[] => [
  ...(isBack ? ['is back'] : []),
  ...differences.map(({ field, from, to }) => `${field}: ${show(from)} -> ${show(to)}`),
]

/** What an import of staff adds, changes, marks, leaves and refuses; `done` where it has happened. */
export const staffInWords = (outcome: StaffTold, { done }: { done: boolean }): string[] => {
  const { added, changed, gone, spared, left, refusals, lines, wrongEmails } = outcome
  const counts = new Map<string, number>()
  for (const { differences } of changed) for (const { field } of differences) counts.set(field, (counts.get(field) ?? 0) + 1)
  const back = changed.filter(({ isBack }) => isBack).length
  const fields = [...(back > 0 ? [`${many(back, 'person', 'people')} back`] : []), ...[...counts].map(([field, count]) => `${field} ${count.toLocaleString('en-US')}`)] // prettier-ignore
  const line = (verb: string, past: string, number: number, more = ''): string =>
    `${(done ? past : `To ${verb}`).padEnd(16)} ${number.toLocaleString('en-US').padStart(7)}${more}`
  const told = (rows: readonly Told[], of: number): string[] => (done ? [] : firstOf(rows, of))
  const lineOf = (PersonID: string): number => lines.get(PersonID) ?? 0
  return [
    line('add', 'Added', added.length),
    ...told(added.slice(0, TELL).map((row) => ({ line: lineOf(row.PersonID), id: row.PersonID, name: nameOf(row), what: ['new'] })), added.length), // prettier-ignore
    line('change', 'Changed', changed.length, fields.length > 0 ? ` (${fields.join(', ')})` : ''),
    ...told(changed.slice(0, TELL).map((one) => ({ line: lineOf(one.row.PersonID), id: one.row.PersonID, name: nameOf(one.row), what: whatChanged(one) })), changed.length), // prettier-ignore
    line('leave', 'Left', left),
    line('mark as gone', 'Marked as gone', gone.length),
    ...(done ? [] : gone.slice(0, TELL).map((one) => `  ${one.PersonID}  ${nameOf(one)}`)),
    ...(done || gone.length <= TELL ? [] : [`  and ${(gone.length - TELL).toLocaleString('en-US')} more`]),
    ...(spared > 0 ? [`  ${many(spared, 'person', 'people')} missing from the file stay${spared === 1 ? 's' : ''}, because a refused row could be any employee's (--allow-gone marks them)`] : []), // prettier-ignore
    ...(wrongEmails > 0 ? [`  ${many(wrongEmails, 'email address', 'email addresses')} not valid, left empty`] : []),
    line('refuse', 'Refused', refusals.length),
    ...told(
      refusals.slice(0, TELL).map(({ line: at, id, reasons }) => ({ line: at, id, name: '', what: reasons })),
      refusals.length,
    ),
  ]
}

/** What `npm run import -- --help` prints of it. */
export const STAFF_HELP = `Usage: import staff FILE [options]

Fills the HR directory that Add Staff searches from a file of staff (CSV or XLSX). Rows are matched by PersonID. Anyone no longer
in the file is marked as gone and no longer found, but never deleted; a later file that lists them again restores them.

  --dry-run             says what would be added, changed, left, marked as gone and refused, and writes nothing
  --allow-gone          marks people as gone even where they are more than half of all; such a file is refused otherwise
  --map COLUMN=FIELD    a column that holds a field below under another name; may be given several times
  --report FILE         where refused rows go, with line number and reason; DATA_DIR/import-reports/ unless given

Fields, and the columns that are known for them (case, blanks and signs do not matter):
${STAFF_NAMES.map((field) => `  ${field.padEnd(18)} ${STAFF_FIELDS[field].means}; ${STAFF_FIELDS[field].headers.join(', ')}`).join('\n')}`
