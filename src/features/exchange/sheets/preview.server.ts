import { isDeepStrictEqual } from 'node:util'

import { invalidFields } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, type FieldChanges, findPart, getAtPath, readFields } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { type CellNames, parseCell, toCellNames, toCellText } from './cell-values.server.ts'
import { type EditableColumn, SHEETS } from './columns.server.ts'
import type { SheetCell, SheetKind, SheetPreview, SheetWarning } from './contract.ts'
import { readSheetFile } from './file-worker.server.ts'
import { describeOrigin, inform, type Layout, readLayout } from './layout.server.ts'
import { type DuplicateRow, findWarnings } from './plausibility.server.ts'
import { findCreationErrors, findProblems } from './problems.server.ts'
import { type FileRow, ID_HEADER, toColumnLetters } from './read-file.server.ts'
import { readNames } from './record-names.server.ts'
import { findAuthors, readEarlierRows, readVersions } from './versions.server.ts'

/** A cell as a preview keeps it: with the present value that applying compares. */
export interface PreviewedCell extends SheetCell {
  readonly present: unknown
}

export interface Preview extends Pick<SheetPreview, 'rows' | 'unchanged' | 'newRows' | 'downloadedAt' | 'warnings'> {
  readonly cells: readonly PreviewedCell[]
}

/** A record that a file names once. */
interface NamedRow extends FileRow {
  readonly key: string
  readonly version: number | undefined
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? null, b ?? null)
const MAX_CELLS = 100_000
const GONE = 'This record does not exist'
const ONLY_NEW = 'This column is for new rows. Change it on the page of the record.'

/** What a spreadsheet shows in place of a value that it could not compute. */
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

/** The cells that differ, as they are found. */
class Findings {
  readonly cells: PreviewedCell[] = []
  readonly duplicates: DuplicateRow[] = []
  /** Cells that a merged cell covers. */
  readonly covered: string[] = []
  readonly #nameOf: (key: string) => string | undefined

  constructor(nameOf: (key: string) => string | undefined) {
    this.#nameOf = nameOf
  }

  noteDuplicate(row: FileRow, first: number, at: number, key: string): void {
    const name = this.#nameOf(key) ?? key
    this.note(row, at, { record: key, name, message: `This record is in the file twice, in rows ${first} and ${row.line}` })
    this.duplicates.push({ line: row.line, first, name })
  }

  note(row: FileRow, at: number, cell: Partial<PreviewedCell>): void {
    if (this.cells.length >= MAX_CELLS)
      throw invalidFields([{ path: 'file', message: 'More than 100,000 cells differ. Split the file and drop one part after the other.' }])
    this.cells.push({
      row: row.line,
      cell: `${toColumnLetters(at)}${row.line}`,
      record: null,
      name: null,
      field: ID_HEADER,
      label: 'Record',
      before: null,
      after: row.cells[at] ?? null,
      theirs: null,
      theirsBy: null,
      theirsAt: null,
      present: null,
      state: 'error',
      message: null,
      ...cell,
    })
  }
}

/** The rows that name a record, each record once, and those without an identifier; notes all others. */
const sortRows = async (context: AppContext, kind: EditableRecordKind, { id, version, body }: Layout, findings: Findings) => {
  const { db, readModel: model } = context
  const named = new Map<string, NamedRow>()
  const unnamed: FileRow[] = []
  const rest = createTimeSlices()
  for (const row of body) {
    await rest()
    const text = (row.cells[id] ?? '').trim()
    if (text === '') {
      unnamed.push(row)
      continue
    }
    const key = await kind.findKey(db, model, text).catch(() => undefined)
    const first = key === undefined ? undefined : named.get(key)
    if (key === undefined) findings.note(row, id, { message: GONE })
    else if (first) findings.noteDuplicate(row, first.line, id, key)
    else {
      const number = Number.parseInt(row.cells[version] ?? '', 10)
      named.set(key, { ...row, key, version: Number.isSafeInteger(number) ? number : undefined })
    }
  }
  return { named: [...named.values()], unnamed }
}

/** What a file's cells are compared with. */
interface Comparison {
  readonly kind: EditableRecordKind
  readonly layout: Layout
  readonly names: CellNames
  readonly formulas: ReadonlySet<string>
  readonly merged: ReadonlySet<string>
  readonly nameOf: (key: string) => string | undefined
}

/** The fields of a row that differ, with their cells. `base` is the record in the version of the file. */
const compareRow = (
  { layout, names, formulas, merged, nameOf }: Comparison,
  row: NamedRow,
  baseOf: (path: string) => unknown,
  present: FieldChanges,
  findings: Findings,
): FieldChanges => {
  const changes: Record<string, unknown> = {}
  for (const [column, at] of layout.columns) {
    const text = row.cells[at] ?? ''
    const theirs = present[column.path] ?? null
    const base = baseOf(column.path) ?? null
    // Compared as text, so that a value which the rules would refuse comes back unchanged.
    if (text.trim() === toCellText(names, column, base).replaceAll(/\r\n?/g, '\n').trim()) continue
    const address = `${toColumnLetters(at)}${row.line}`
    if (merged.has(address)) {
      findings.covered.push(address)
      continue
    }
    const parsed = column.isForNewRows ? { message: ONLY_NEW } : parseText(column, text, names, formulas.has(address))
    const facts = {
      record: row.key,
      name: nameOf(row.key) ?? null,
      field: column.path,
      label: column.label,
      before: base,
      present: theirs,
    }
    if ('message' in parsed) findings.note(row, at, { ...facts, message: parsed.message })
    else if (isSame(parsed.value, base) || isSame(parsed.value, theirs)) continue
    else {
      const isConflict = !isSame(base, theirs)
      changes[column.path] = parsed.value
      findings.note(row, at, {
        ...facts,
        after: parsed.value,
        theirs: isConflict ? theirs : null,
        state: isConflict ? 'conflict' : 'change',
      })
    }
  }
  return changes
}

/** Compares a file with the records: what it changes, what someone else changed since, and what its rules refuse. */
export const comparePreview = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  bytes: Uint8Array,
): Promise<Preview> => {
  const { readModel: model, db } = context
  await model.ready()
  const file = await readSheetFile(bytes)
  const { columns, table, title, isForNewRows } = SHEETS[sheet]
  const all = columns(model)
  const layout = readLayout(sheet, title, all, file)
  const nameOf = await readNames(context, kind)
  const findings = new Findings(nameOf)
  const rest = createTimeSlices()
  const sorted = await sortRows(context, kind, layout, findings)
  const paths = [...layout.columns.keys()].map(({ path }) => path)
  const present = await readFields(db, model, kind, new Map(sorted.named.map(({ key }) => [key, paths])))
  const named: NamedRow[] = []
  for (const row of sorted.named) {
    await rest()
    if (present.get(row.key) === undefined) findings.note(row, layout.id, { message: GONE })
    else named.push(row)
  }
  const keys = named.map(({ key }) => key)
  const versions = await readVersions(db, table, keys)
  const stale = new Map<string, number>()
  for (const { key, version } of named) if (version !== undefined && version !== versions.get(key)) stale.set(key, version)
  const { part } = findPart(kind, paths[0] ?? '')
  const earlier = await readEarlierRows(db, model, { part }, table, stale)
  const names = toCellNames(model, file.is1904)
  const comparison = { kind, layout, names, formulas: new Set(file.formulas), merged: new Set(file.merged), nameOf }
  const changes = new Map<string, FieldChanges>()
  for (const row of named) {
    await rest()
    const now = present.get(row.key) ?? {}
    const old = earlier.get(row.key)
    const input = old && part.toInput?.(old, model)
    const baseOf = (path: string) => {
      const found = findPart(kind, path)
      return input && found.part === part ? getAtPath(input, found.inner) : now[path]
    }
    const own = compareRow(comparison, row, baseOf, now, findings)
    if (Object.keys(own).length > 0) changes.set(row.key, own)
  }
  const { newRows, created } = await compareNewRows(comparison, sorted.unnamed, findings, isForNewRows === true)
  const problems = await findProblems(context, kind, changes, nameOf, created)
  for (const row of created) {
    for (const path of Object.keys(row.values)) {
      const message = problems.get(`${row.key} ${path}`)
      if (message !== undefined && !row.messages.has(path)) row.messages.set(path, message)
    }
    noteNewRow(layout, row, findings)
  }
  const judged: PreviewedCell[] = []
  for (const cell of findings.cells) {
    await rest()
    const message = cell.record === null ? undefined : problems.get(`${cell.record} ${cell.field}`)
    judged.push(message === undefined || cell.state === 'error' ? cell : { ...cell, state: 'error', message })
  }
  const cells = (await addAuthors(context, kind, table, stale, judged)).toSorted((a, b) => a.row - b.row)
  const touched = new Set(cells.map(({ row }) => row))
  await rest()
  return {
    rows: named.length,
    unchanged: named.filter(({ line }) => !touched.has(line)).length,
    newRows,
    downloadedAt: file.origin?.downloadedAt ?? null,
    cells,
    warnings: [
      ...(await findWarnings(cells, named.length, findings.duplicates)),
      ...layout.warnings,
      ...describeOrigin(title, file.origin, new Set(keys), context.now(), nameOf),
      ...describeFormulas(cells.filter(({ cell }) => comparison.formulas.has(cell)).map(({ cell }) => cell)),
      ...describeMerged(findings.covered),
    ],
  }
}

/** A row that becomes a record, with what is wrong with it by path. */
interface NewRow {
  readonly key: string
  readonly name: string
  readonly row: FileRow
  readonly values: FieldChanges
  readonly messages: Map<string, string>
}

/** The rows that become records, and how many there would be. */
const compareNewRows = async (
  { kind, layout, names, formulas }: Comparison,
  rows: readonly FileRow[],
  findings: Findings,
  isAllowed: boolean,
): Promise<{ newRows: number; created: NewRow[] }> => {
  const rest = createTimeSlices()
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
    const values: Record<string, unknown> = {}
    const messages = new Map<string, string>()
    for (const [column, at] of filled) {
      const parsed = parseText(column, row.cells[at] ?? '', names, formulas.has(`${toColumnLetters(at)}${row.line}`))
      if ('message' in parsed) messages.set(column.path, parsed.message)
      else values[column.path] = parsed.value
    }
    for (const { path, message } of findCreationErrors(kind.create, values)) if (!messages.has(path)) messages.set(path, message)
    created.push({ key: `row ${row.line}`, name: getRowName(layout, row) ?? `Row ${row.line}`, row, values, messages })
  }
  return { newRows, created }
}

/** What its first column calls a row. */
const getRowName = ({ columns }: Layout, { cells }: FileRow): string | null => {
  const [first] = columns.values()
  return (first === undefined ? '' : (cells[first] ?? '')).trim() || null
}

/** Notes the cells of a new row, and what its rules say at the cell of the field or at the identifier. */
const noteNewRow = (layout: Layout, { row, values, messages }: NewRow, findings: Findings): void => {
  const name = getRowName(layout, row)
  for (const [column, at] of layout.columns) {
    const message = messages.get(column.path)
    messages.delete(column.path)
    if (message === undefined && !Object.hasOwn(values, column.path)) continue
    const facts = { name, field: column.path, label: column.label, after: values[column.path] ?? row.cells[at] ?? null }
    findings.note(row, at, message === undefined ? { ...facts, state: 'new' } : { ...facts, message })
  }
  for (const message of messages.values()) findings.note(row, layout.id, { name, message })
}

const describeMerged = (cells: string[]): SheetWarning[] =>
  cells.length === 0
    ? []
    : [inform('merged', `${cells.length} merged ${cells.length === 1 ? 'cell is' : 'cells are'} left as they were`, cells)]

const describeFormulas = (cells: string[]): SheetWarning[] =>
  cells.length === 0
    ? []
    : [
        inform(
          'formula',
          `${cells.length} ${cells.length === 1 ? 'cell has a formula; its' : 'cells have a formula; their'} stored value is used`,
          cells,
        ),
      ]

const parseText = (column: EditableColumn, text: string, names: CellNames, isFormula: boolean): ReturnType<typeof parseCell> => {
  if (SPREADSHEET_ERROR.test(text.trim())) return { message: `This cell has the spreadsheet error ${text.trim()}` }
  if (isFormula && text.trim() === '')
    return { message: 'This formula has no stored value. Open the file in Excel, save it and drop it again.' }
  return parseCell(column, text, names)
}

/** Who saved what a conflict is with. */
const addAuthors = async (
  { db, readModel }: AppContext,
  kind: EditableRecordKind,
  table: (typeof SHEETS)[SheetKind]['table'],
  stale: ReadonlyMap<string, number>,
  cells: readonly PreviewedCell[],
): Promise<PreviewedCell[]> => {
  const conflicts = cells.filter(({ state }) => state === 'conflict')
  const wanted = new Map(conflicts.flatMap(({ record }) => (record === null ? [] : [[record, stale.get(record) ?? 0] as const])))
  const find = await findAuthors(db, readModel, kind, table, wanted)
  return cells.map((cell) => {
    if (cell.state !== 'conflict' || cell.record === null) return cell
    const author = find(cell.record, cell.field)
    return author ? { ...cell, theirsBy: author.by, theirsAt: author.at } : cell
  })
}
