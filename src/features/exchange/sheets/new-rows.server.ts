import type { FieldChanges } from '../../../platform/server/record-editor.ts'
import { parseText } from './cell-values.server.ts'
import type { Comparison, Findings } from './findings.server.ts'
import type { Layout } from './layout.server.ts'
import { findCreationErrors } from './problems.server.ts'
import type { FileRow } from './read-file.server.ts'

/** A row that becomes a record, with its errors by path. */
export interface NewRow {
  readonly key: string
  readonly name: string
  readonly row: FileRow
  readonly values: FieldChanges
  readonly messages: Map<string, string>
}

/** The rows that become records, and the number of new rows. */
export const compareNewRows = async (
  { kind, layout, names, rest }: Comparison,
  rows: readonly FileRow[],
  findings: Findings,
  isAllowed: boolean,
): Promise<{ newRows: number; created: NewRow[] }> => {
  const created: NewRow[] = []
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
    findings.hold(row)
    const values: Record<string, unknown> = {}
    const messages = new Map<string, string>()
    for (const [column, at] of filled) {
      const parsed = parseText(column, row, at, names)
      if ('message' in parsed) messages.set(column.path, parsed.message)
      else values[column.path] = parsed.value
    }
    for (const { path, message } of findCreationErrors(kind.create, values)) if (!messages.has(path)) messages.set(path, message)
    created.push({ key: `row ${row.line}`, name: getRowName(layout, row) ?? `Row ${row.line}`, row, values, messages })
  }
  return { newRows, created }
}

/** The name of a row, from its first column. */
const getRowName = ({ columns }: Layout, { cells }: FileRow): string | null => {
  const [first] = columns.values()
  return (first === undefined ? '' : (cells[first] ?? '')).trim() || null
}

/** Adds the cells of a new row to the findings, with each error at the cell of its field, otherwise at the identifier. */
export const noteNewRow = (layout: Layout, { row, values, messages }: NewRow, findings: Findings): void => {
  const name = getRowName(layout, row)
  for (const [column, at] of layout.columns) {
    const message = messages.get(column.path)
    messages.delete(column.path)
    if (message === undefined && !Object.hasOwn(values, column.path)) continue
    const facts = { name, after: values[column.path] ?? row.cells[at] ?? null }
    findings.note(row, at, message === undefined ? { ...facts, state: 'new' } : { ...facts, message })
  }
  for (const message of messages.values()) findings.note(row, layout.id, { name, message })
}
