import type { NewValues } from '../../../database/unique-fields.server.ts'
import type { FieldChanges } from '../../../platform/server/record-editor.ts'
import { parseText } from './cell-values.server.ts'
import type { Comparison, Findings } from './findings.server.ts'
import type { Layout } from './layout.server.ts'
import { findCreationErrors, pickUnique, toKey } from './problems.server.ts'
import type { FileRow } from './read-file.server.ts'

/** Adds the rows that become records to the findings. Returns the number of new rows, and their values that must be unique. */
export const compareNewRows = async (
  { kind, layout, names, rest }: Comparison,
  rows: readonly FileRow[],
  findings: Findings,
  isAllowed: boolean,
): Promise<{ readonly newRows: number; readonly wanted: readonly NewValues[] }> => {
  const wanted: NewValues[] = []
  let newRows = 0
  for (const row of rows) {
    await rest()
    const filled = [...layout.columns].filter(([, at]) => (row.cells[at] ?? '').trim() !== '')
    if (filled.length === 0) continue
    newRows++
    if (!kind.create || !isAllowed) {
      findings.note(row, layout.id, { message: 'A new row cannot be saved here. Add the record on its page.' })
      continue
    }
    const values: Record<string, unknown> = {}
    const messages = new Map<string, string>()
    for (const [column, at] of filled) {
      const parsed = parseText(column, row, at, names)
      if ('message' in parsed) messages.set(column.path, parsed.message)
      else values[column.path] = parsed.value
    }
    for (const { path, message } of findCreationErrors(kind.create, values)) if (!messages.has(path)) messages.set(path, message)
    const name = getRowName(layout, row)
    const own = pickUnique(kind, values)
    if (own) wanted.push({ key: toKey({ record: null, line: row.line }), name: name ?? `Row ${row.line}`, values: own })
    noteNewRow(layout, row, { name, values, messages }, findings)
  }
  return { newRows, wanted }
}

/** The name of a row, from its first column. */
const getRowName = ({ columns }: Layout, { cells }: FileRow): string | null => {
  const [first] = columns.values()
  return (first === undefined ? '' : (cells[first] ?? '')).trim() || null
}

interface NewRow {
  readonly name: string | null
  readonly values: FieldChanges
  /** The errors by path. */
  readonly messages: Map<string, string>
}

/** Adds the cells of a new row to the findings, with each error at the cell of its field, otherwise at the identifier. */
const noteNewRow = (layout: Layout, row: FileRow, { name, values, messages }: NewRow, findings: Findings): void => {
  for (const [column, at] of layout.columns) {
    const message = messages.get(column.path)
    messages.delete(column.path)
    if (message === undefined && !Object.hasOwn(values, column.path)) continue
    const facts = { name, after: values[column.path] ?? row.cells[at] ?? null }
    findings.note(row, at, message === undefined ? { ...facts, state: 'new' } : { ...facts, message })
  }
  for (const message of messages.values()) findings.note(row, layout.id, { name, message })
}
