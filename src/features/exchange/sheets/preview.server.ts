import { setImmediate as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { invalidFields, Problem } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { trySave } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, getAtPath, readFields } from '../../../platform/server/record-editor.ts'
import { type EditableColumn, listNames, parseCell, type Reference, SHEETS, toCellText } from './columns.server.ts'
import type { SheetCell, SheetKind, SheetPreview, SheetWarning } from './contract.ts'
import { readSheetFile, type SheetFile } from './file-worker.server.ts'
import { describeOrigin, inform, type Layout, readLayout } from './layout.server.ts'
import { findWarnings } from './plausibility.server.ts'
import { type FileRow, ID_HEADER, toColumnLetters } from './read-file.server.ts'
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
/** Records that are saved and rolled back to see what rules over several records say; of further ones only the fields' own rules are asked. */
const TRIALS = 300
/** Rows that are compared before other requests have their turn. */
const SLICE_ROWS = 100
const MAX_CELLS = 100_000

/** What a spreadsheet shows in place of a value that it could not compute. */
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

/** The cells that differ, as they are found. */
class Findings {
  readonly cells: PreviewedCell[] = []
  readonly duplicates: { readonly line: number; readonly first: number; readonly name: string }[] = []

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

/** The rows that name a record, each record once; notes all others. */
const findNamedRows = async (context: AppContext, kind: EditableRecordKind, { id, version, body }: Layout, findings: Findings) => {
  const { db, readModel: model } = context
  const named = new Map<string, NamedRow>()
  for (const row of body) {
    const text = (row.cells[id] ?? '').trim()
    const key = text === '' ? undefined : await kind.findKey(db, model, text).catch(() => undefined)
    const first = key === undefined ? undefined : named.get(key)
    if (text === '') findings.note(row, id, { message: 'A new row cannot be saved here. Add the record on its page.' })
    else if (key === undefined) findings.note(row, id, { message: 'This record does not exist' })
    else if (first) {
      const name = kind.describe(model, key)?.name ?? key
      findings.note(row, id, { record: key, name, message: `This record is in the file twice, in rows ${first.line} and ${row.line}` })
      findings.duplicates.push({ line: row.line, first: first.line, name })
    } else {
      const number = Number.parseInt(row.cells[version] ?? '', 10)
      named.set(key, { ...row, key, version: Number.isSafeInteger(number) ? number : undefined })
    }
  }
  return [...named.values()]
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
  const { columns: all, table, title } = SHEETS[sheet]
  const layout = readLayout(sheet, title, all, file)
  const findings = new Findings()
  const named = await findNamedRows(context, kind, layout, findings)
  const paths = [...layout.columns.keys()].map(({ path }) => path)
  const present = await readFields(db, model, kind, new Map(named.map(({ key }) => [key, paths])))
  const keys = named.map(({ key }) => key)
  const versions = await readVersions(db, table, keys)
  const stale = new Map(
    named.flatMap(({ key, version }) => (version !== undefined && version !== versions.get(key) ? [[key, version] as const] : [])),
  )
  const earlier = await readEarlierRows(db, table, stale)
  const part = findPart(kind, all[0]?.path ?? '').part
  const names = new Map<Reference, ReturnType<typeof listNames>>()
  const getNames = (reference: Reference) => {
    const known = names.get(reference) ?? listNames(model, reference)
    names.set(reference, known)
    return known
  }
  const [formulas, merged] = [new Set(file.formulas), new Set(file.merged)]
  const covered: string[] = []
  const changesByRow = new Map<NamedRow, FieldChanges>()
  for (const [nth, row] of named.entries()) {
    if (nth % SLICE_ROWS === SLICE_ROWS - 1) await pause()
    const now = present.get(row.key) ?? {}
    const old = earlier.get(row.key)
    const input = old && part.toInput?.(old, model)
    const changes: Record<string, unknown> = {}
    for (const [column, at] of layout.columns) {
      const text = row.cells[at] ?? ''
      const theirs = now[column.path] ?? null
      const base = input ? (getAtPath(input, findPart(kind, column.path).inner) ?? null) : theirs
      // Compared as text, so that a value which the rules would refuse comes back unchanged.
      if (text.trim() === toCellText(model, column, base).replaceAll(/\r\n?/g, '\n').trim()) continue
      const address = `${toColumnLetters(at)}${row.line}`
      if (merged.has(address)) {
        covered.push(address)
        continue
      }
      const parsed = parseText(column, text, getNames, formulas.has(address), file)
      const facts = {
        record: row.key,
        name: kind.describe(model, row.key)?.name ?? null,
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
    if (Object.keys(changes).length > 0) changesByRow.set(row, changes)
  }
  const problems = await findProblems(context, kind, present, changesByRow)
  const judged = findings.cells.map((cell) => {
    const message = cell.record === null ? undefined : problems.get(`${cell.record} ${cell.field}`)
    return message === undefined || cell.state === 'error' ? cell : { ...cell, state: 'error' as const, message }
  })
  const cells = (await addAuthors(context, kind, table, stale, judged)).toSorted((a, b) => a.row - b.row)
  const touched = new Set(cells.map(({ row }) => row))
  return {
    rows: named.length,
    unchanged: named.filter(({ line }) => !touched.has(line)).length,
    newRows: 0,
    downloadedAt: file.origin?.downloadedAt ?? null,
    cells,
    warnings: [
      ...findWarnings(cells, named.length, findings.duplicates),
      ...layout.warnings,
      ...describeOrigin(title, file.origin, new Set(keys), context.now(), (key) => kind.describe(model, key)?.name),
      ...describeFormulas(cells.filter(({ cell }) => formulas.has(cell)).map(({ cell }) => cell)),
      ...(covered.length > 0
        ? [inform('merged', `${covered.length} merged ${covered.length === 1 ? 'cell is' : 'cells are'} left as they were`, covered)]
        : []),
    ],
  }
}

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

const parseText = (
  column: EditableColumn,
  text: string,
  names: (reference: Reference) => ReadonlyMap<string, string | undefined>,
  isFormula: boolean,
  { is1904 }: SheetFile,
): ReturnType<typeof parseCell> => {
  if (SPREADSHEET_ERROR.test(text.trim())) return { message: `This cell has the spreadsheet error ${text.trim()}` }
  if (isFormula && text.trim() === '')
    return { message: 'This formula has no stored value. Open the file in Excel, save it and drop it again.' }
  return parseCell(column, text, names, is1904)
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

/** What the rules of the records say of changed fields, by record and path: each row by its own fields, the first rows also by a trial. */
const findProblems = async (
  context: AppContext,
  kind: EditableRecordKind,
  present: ReadonlyMap<string, FieldChanges | undefined>,
  rows: ReadonlyMap<NamedRow, FieldChanges>,
): Promise<ReadonlyMap<string, string>> => {
  const problems = new Map<string, string>()
  let nth = 0
  for (const [{ key }, changes] of rows) {
    if (++nth % SLICE_ROWS === 0) await pause()
    try {
      const found = findPart(kind, Object.keys(changes)[0] ?? '').part
      if (nth <= TRIALS) await trySave(context, kind, key, changes)
      else found.validate?.(changes, present.get(key) ?? {})
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error
      for (const { path, message } of error.errors) {
        const field = Object.keys(changes).find((one) => path === one || path.startsWith(`${one}.`)) ?? Object.keys(changes)[0] ?? path
        problems.set(`${key} ${field}`, message)
      }
    }
  }
  return problems
}
