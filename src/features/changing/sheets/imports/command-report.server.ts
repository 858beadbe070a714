import { formatCount } from '../../../../contract/format.ts'
import { type NamedKind, RECORD_NOUNS } from '../../../../contract/records.ts'
import type { ComparedImport, ImportedCell, ImportedRow, ImportedTable, ImportGuess } from '../../../../platform/server/importer.ts'
import type { SheetWarning } from '../contract.ts'
import { toAddress } from '../found-rows.server.ts'

/** The result of an import of the command, planned or done. */
export interface Outcome {
  readonly table: ImportedTable
  readonly state: ImportGuess
  readonly compared: ComparedImport
  readonly warnings: readonly SheetWarning[]
  /** The rows that are written, with the cells that are. */
  readonly rows: readonly ImportedRow[]
  /** Employees who are marked as gone, and how many are not because a refused row could be theirs. */
  readonly gone: readonly { readonly _id: string; readonly name: string }[]
  readonly kept: number
}

export const hasError = ({ cells }: ImportedRow): boolean => cells.some(({ state }) => state === 'error')
/** The rows with wrong cells of which nothing is written. */
export const toRefused = ({ compared, rows }: Pick<Outcome, 'compared' | 'rows'>): ImportedRow[] => {
  const written = new Set(rows.map(({ line }) => line))
  return compared.rows.filter((row) => hasError(row) && !written.has(row.line))
}

const MAX_EXAMPLES = 10
/** Why a cell is refused, with its field unless the reason is about the whole row. */
export const toReason = ({ column: { label }, message, isAboutRow }: ImportedCell): string =>
  (isAboutRow ? '' : `${label}: `) + (message ?? '')

const toText = (value: unknown): string =>
  value === null || value === undefined || value === '' ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value)

/** Which columns are used for which fields, and which are not used. */
const formatColumns = ({ columns }: ImportGuess): string[] => {
  const used = columns.flatMap(({ header, field }) => (field === null ? [] : [`${header || '(no header)'} = ${field}`]))
  const unused = columns.flatMap(({ header, field }) => (field === null && header !== '' ? [header] : []))
  return [`Columns used: ${used.join(', ')}`, ...(unused.length > 0 ? [`Columns not used: ${unused.join(', ')}`] : [])]
}

/** The first rows with the cells that `describe` says something about, and the number of others. */
const formatExamples = (rows: readonly ImportedRow[], describe: (cell: ImportedCell, row: ImportedRow) => string | undefined): string[] => [
  ...rows.slice(0, MAX_EXAMPLES).map((row) => {
    const said = new Set(row.cells.flatMap((cell) => describe(cell, row) ?? []))
    return `  row ${row.line}${row.name === null ? '' : `  ${row.name}`}: ${[...said].join('; ')}`
  }),
  ...(rows.length > MAX_EXAMPLES ? [`  and ${(rows.length - MAX_EXAMPLES).toLocaleString('en-US')} more`] : []),
]

const formatAdded = (rows: readonly ImportedRow[]): string => {
  const added = Map.groupBy(
    rows.flatMap(({ records }) => [...records].flatMap(([table, { isNew }]) => (isNew ? [table] : []))),
    (table) => table,
  )
  const named = rows.flatMap(({ cells }) => cells.flatMap(({ creates }) => (creates ? [`the ${creates.table} ${creates.name}`] : [])))
  const parts = [
    ...[...added].flatMap(([table, { length }]) => (table in RECORD_NOUNS ? [formatCount(length, RECORD_NOUNS[table as NamedKind])] : [])),
    ...new Set(named),
  ]
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

const formatFields = (rows: readonly ImportedRow[]): string => {
  const counts = Map.groupBy(
    rows.flatMap(({ cells }) => cells.map(({ column }) => column.label)),
    (label) => label,
  )
  return counts.size === 0 ? '' : ` (${[...counts].map(([label, { length }]) => `${label} ${length.toLocaleString('en-US')}`).join(', ')})`
}

/** What an import adds, changes, leaves unchanged, leaves out and refuses; `done` once it has happened. */
export const formatOutcome = (outcome: Outcome, { done }: { done: boolean }): string[] => {
  const { state, compared, warnings, rows, gone, kept } = outcome
  const line = (verb: string, past: string, count: number, more = ''): string =>
    `${(done ? past : `To ${verb}`).padEnd(14)} ${count.toLocaleString('en-US').padStart(7)}${more}`
  const added = rows.filter(({ record }) => record === null)
  const changed = rows.filter(({ record }) => record !== null)
  const wrong = compared.rows.filter(hasError)
  const refused = toRefused(outcome)
  const isRefused = new Set(refused)
  const partial = wrong.flatMap((row) =>
    isRefused.has(row) ? [] : [{ ...row, cells: row.cells.filter((cell) => cell.state === 'error') }],
  )
  const edited = compared.rows.filter(({ cells }) => cells.some((cell) => cell.state === 'conflict'))
  const left = compared.known + compared.added - rows.length - refused.length
  const counts = [
    line('add', 'Added', added.length, formatAdded(added)),
    line('change', 'Changed', changed.length, formatFields(changed)),
    ...(done ? [] : formatExamples(changed, ({ column, before, after }) => `${column.label}: ${toText(before)} -> ${toText(after)}`)),
    line('leave', 'Left', left),
    ...(compared.missing ? [line('mark as gone', 'Marked as gone', gone.length)] : []),
    ...(done ? [] : gone.slice(0, MAX_EXAMPLES).map(({ _id, name }) => `  ${_id}  ${name}`)),
    ...(kept > 0
      ? [
          `  ${formatCount(kept, RECORD_NOUNS.person)} missing from the file kept: a refused row could be any employee's (--allow-gone marks them)`,
        ]
      : []),
    ...(partial.length > 0
      ? [line('leave out cells', 'Cells left out', partial.flatMap(({ cells }) => cells).length, formatFields(partial))]
      : []),
    line('refuse', 'Refused', refused.length),
  ]
  if (done) return counts
  return [
    ...formatColumns(state),
    ...warnings.map(({ message, isSuspicious }) => `${isSuspicious ? 'Not imported: ' : ''}${message}`),
    ...counts,
    ...formatExamples(wrong, (cell, row) =>
      cell.state === 'error' ? `${cell.isAboutRow ? '' : `${toAddress(row, cell)} `}${toReason(cell)}` : undefined,
    ),
    ...(edited.length > 0
      ? [
          `${formatCount(edited.length, ['row', 'rows'])} with values that someone edited since the last import, which stay:`,
          ...formatExamples(edited, ({ state: own, column, present, after }) =>
            own === 'conflict' ? `${column.label} stays ${toText(present)}; the file has ${toText(after)}` : undefined,
          ),
        ]
      : []),
  ]
}
