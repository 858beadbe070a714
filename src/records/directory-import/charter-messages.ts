import { formatCount } from '../../contract/format.ts'
import type { Outcome, RowMessage } from './outcome.ts'
import { SCHOOL_FIELDS } from './school-fields.ts'

const formatRow = ({ line, id, name, details }: RowMessage): string =>
  `  line ${line}${id === '' ? '' : `  ${id}`}${name === '' ? '' : `  ${name}`}: ${details.join('; ')}`

/** The first rows as text, and the number of others. */
export const formatExamples = (rows: readonly RowMessage[], of: number): string[] => [
  ...rows.map(formatRow),
  ...(of > rows.length ? [`  and ${(of - rows.length).toLocaleString('en-US')} more`] : []),
]

/** What an import adds, changes, leaves unchanged and refuses; `done` once it has happened. */
export const formatOutcome = (outcome: Outcome, { done }: { done: boolean }): string[] => {
  const { added, changed, kept, unchanged, skipped, refusals, newBrand } = outcome
  const brand = newBrand !== undefined && outcome.rowsToWrite > 0 ? `, and the brand ${newBrand}` : ''
  const add = added.rows > 0 ? ` (${formatCount(added.charters, 'charter')}, ${formatCount(added.sites, 'site')}${brand})` : ''
  const fields = [...changed.byField].map(([field, count]) => `${field} ${count.toLocaleString('en-US')}`).join(', ')
  const line = (verb: string, past: string, count: number, more = ''): string =>
    `${(done ? past : `To ${verb}`).padEnd(10)} ${count.toLocaleString('en-US').padStart(7)}${more}`
  return [
    line('add', 'Added', added.rows, add),
    line('change', 'Changed', changed.rows, fields === '' ? '' : ` (${fields})`),
    ...(done ? [] : formatExamples(changed.first, changed.rows)),
    line('leave', 'Left', unchanged),
    line('refuse', 'Refused', refusals.rows),
    ...(done ? [] : formatExamples(refusals.first, refusals.rows)),
    ...(skipped > 0 ? [`${formatCount(skipped, 'row')} left out: the Charter column does not say Y`] : []),
    ...(kept.values > 0 && !done
      ? [`${formatCount(kept.values, 'value')} kept, because someone edited them since the last import:`, ...kept.first.map(formatRow)]
      : []),
  ]
}

/** The section of `npm run import -- --help` for this import. */
export const CHARTER_HELP = `Usage: homeroom import charters FILE [options]

Makes each row of a public school directory (CSV or XLSX) a charter and its site. Rows are matched by the directory's own id,
so the same file can be imported again: only what differs is changed. Works with the server stopped or running.

  --dry-run             says what would be added, changed, left and refused, and writes nothing
  --brand NAME          the brand of these charters (created if it does not exist); Independent unless given
  --region NAME         the region of rows whose state is none of CA, MI, OH, SC, TX; such rows are refused otherwise
  --map COLUMN=FIELD    a column that holds a field below under another name; may be given several times
  --report FILE         where refused rows go, with line number and reason; DATA_DIR/import-reports/ unless given
  --help                this text

Fields, and the columns that are known for them (case, spaces and underscores do not matter):
${Object.entries(SCHOOL_FIELDS)
  .map(([field, { means, headers }]) => `  ${field.padEnd(15)} ${means}${headers.length > 0 ? `; ${headers.join(', ')}` : ''}`)
  .join('\n')}`
