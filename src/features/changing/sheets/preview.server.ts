import { getSheetTitle, type SheetKind } from '../../../contract/sheets.ts'
import type { NewValues } from '../../../database/unique-fields.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableRecordKind, type FieldChanges, findPart, getAtPath, readFields } from '../../../platform/server/record-editor.ts'
import { createTimeSlices, LONG_WORK_REST_MS } from '../../../platform/server/time-slices.ts'
import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import { parseText, toCellNames, toCellText } from './cell-values.server.ts'
import { getSheet } from './columns.server.ts'
import type { SheetPreview, SheetWarning } from './contract.ts'
import { type SheetFile, withSheetFile } from './file-worker.server.ts'
import { type Comparison, Findings } from './findings.server.ts'
import { type FoundRow, isSameValue } from './found-rows.server.ts'
import { describeOrigin, inform, listComparedColumns, readLayout } from './layout.server.ts'
import { compareNewRows } from './new-rows.server.ts'
import { findWarnings } from './plausibility.server.ts'
import { findProblem, findProblems, findSharedProblems, type Problems, toKey } from './problems.server.ts'
import type { FileRow } from './read-file.server.ts'
import { readNames } from './record-names.server.ts'
import { findAuthors, readEarlierRows, readVersions } from './versions.server.ts'

/** The part of a preview about the whole file. */
export type PreviewFacts = Pick<SheetPreview, 'rows' | 'unchanged' | 'newRows' | 'downloadedAt' | 'warnings'>

/** A compared file: findings about the file, and the rows with cells that differ, in order. */
export interface Preview {
  readonly facts: PreviewFacts
  readonly found: readonly FoundRow[]
}

/** A record that a file names once. */
interface NamedRow {
  readonly row: FileRow
  readonly key: string
  readonly name: string | null
  readonly version: number | undefined
}

const GONE = 'This record does not exist'
const ONLY_NEW = 'This column is for new rows. Change it on the page of the record.'

const findKnownKey = ({ findKey }: EditableRecordKind, model: ReadModel, text: string): string | undefined => {
  try {
    return findKey(model, text)
  } catch {
    return undefined
  }
}

/**
 * The rows that name a record, each record once, and the rows without an identifier. All others are added to the findings. `lines` has the first row
 * of each record, from earlier rows too.
 */
const sortRows = async (
  { readModel: model }: AppContext,
  { kind, layout: { id, version }, nameOf, rest }: Comparison,
  rows: readonly FileRow[],
  lines: Map<string, number>,
  findings: Findings,
) => {
  const named: NamedRow[] = []
  const unnamed: FileRow[] = []
  for (const row of rows) {
    await rest()
    const text = (row.cells[id] ?? '').trim()
    if (text === '') {
      unnamed.push(row)
      continue
    }
    const key = findKnownKey(kind, model, text)
    const first = key === undefined ? undefined : lines.get(key)
    if (key === undefined) findings.note(row, id, { message: GONE })
    else if (first !== undefined) findings.noteDuplicate(row, first, id, key)
    else {
      const number = Number.parseInt(row.cells[version] ?? '', 10)
      lines.set(key, row.line)
      named.push({ row, key, name: nameOf(key) ?? null, version: Number.isSafeInteger(number) ? number : undefined })
    }
  }
  return { named, unnamed }
}

/** The changed fields of a row; adds their cells to the findings. `baseOf` reads the record in the version of the file. */
const compareRow = (
  { layout, names, merged }: Comparison,
  { row, key, name }: NamedRow,
  baseOf: (path: string) => unknown,
  currentValues: FieldChanges,
  findings: Findings,
): FieldChanges => {
  const changes: Record<string, unknown> = {}
  for (const [column, at] of layout.columns) {
    const text = row.cells[at] ?? ''
    const current = currentValues[column.path] ?? null
    const base = baseOf(column.path) ?? null
    findings.noteStored(column.path, base)
    // Compared as text, so that an unchanged value that the rules would refuse is not a change.
    if (text.trim() === toCellText(names, column, base).replaceAll(/\r\n?/g, '\n').trim()) continue
    const address = `${toColumnLetters(at)}${row.line}`
    if (merged.has(address)) {
      findings.covered.push(address)
      continue
    }
    const parsed = column.isForNewRows ? { message: ONLY_NEW } : parseText(column, row, at, names)
    const facts = { record: key, name, before: base, present: current }
    if ('message' in parsed) findings.note(row, at, { ...facts, message: parsed.message })
    else if (isSameValue(parsed.value, base) || isSameValue(parsed.value, current)) continue
    else {
      changes[column.path] = parsed.value
      findings.note(row, at, { ...facts, after: parsed.value, state: isSameValue(base, current) ? 'change' : 'conflict' })
    }
  }
  return changes
}

/** Compares rows that name a record. Returns the keys of those that exist, and their values that must be unique. */
const compareNamedRows = async (
  context: AppContext,
  comparison: Comparison,
  rows: readonly NamedRow[],
  findings: Findings,
): Promise<{ readonly keys: ReadonlySet<string>; readonly wanted: readonly NewValues[] }> => {
  const { db, readModel: model } = context
  const { kind, layout, versions: source, nameOf, rest } = comparison
  const paths = [...layout.columns.keys()].map(({ path }) => path)
  const { part } = findPart(kind, paths[0] ?? '')
  const parts = new Map(paths.map((path) => [path, findPart(kind, path)]))
  const found = new Set<string>()
  const keys = rows.map(({ key }) => key)
  const currentValues = await readFields(db, model, kind, new Map(keys.map((key) => [key, paths])))
  const versions = await readVersions(db, source, keys)
  const stale = new Map(
    rows.flatMap(({ key, version }) => (version === undefined || version === versions.get(key) ? [] : [[key, version] as const])),
  )
  const earlier = await readEarlierRows(db, model, { part }, source, stale)
  const changes = new Map<string, FieldChanges>()
  const first = findings.rows.length
  for (const row of rows) {
    await rest()
    const current = currentValues.get(row.key)
    if (current === undefined) {
      findings.note(row.row, layout.id, { message: GONE })
      continue
    }
    found.add(row.key)
    const old = earlier.get(row.key)
    const input = old && part.toInput?.(old, model)
    const baseOf = (path: string) => {
      const field = parts.get(path)
      return input && field?.part === part ? getAtPath(input, field.inner) : current[path]
    }
    const changed = compareRow(comparison, row, baseOf, current, findings)
    if (Object.keys(changed).length > 0) changes.set(row.key, changed)
  }
  const checked = await findProblems(context, kind, changes, nameOf)
  const differing = findings.rows.slice(first)
  noteProblems(differing, checked.problems)
  await noteAuthors(context, comparison, stale, differing)
  return { keys: found, wanted: checked.wanted }
}

const noteProblems = (rows: readonly FoundRow[], problems: Problems): void => {
  if (problems.size === 0) return
  for (const row of rows)
    for (const cell of row.cells) {
      const message = cell.state === 'error' ? undefined : findProblem(problems, toKey(row), cell.column.path)
      if (message === undefined) continue
      cell.state = 'error'
      cell.message = message
    }
}

/** Compares a file with the records: what it changes, what someone else changed since, and what the rules refuse. */
export const comparePreview = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  bytes: Uint8Array,
  isPasted = false,
): Promise<Preview> => {
  await context.readModel.ready()
  return withSheetFile(bytes, (file) => compareFile(context, kind, sheet, file, isPasted))
}

/** Only differing cells and new rows are kept: what a file may take in memory does not depend on what it repeats. */
const compareFile = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  file: SheetFile,
  isPasted: boolean,
): Promise<Preview> => {
  const { readModel: model } = context
  const { columns, versions, isForNewRows } = getSheet(context, sheet)
  const layout = readLayout(sheet, getSheetTitle(sheet), columns(model), file, isPasted)
  const nameOf = await readNames(context, kind)
  const findings = new Findings(layout, nameOf)
  const names = toCellNames(model, file.is1904)
  const rest = createTimeSlices(LONG_WORK_REST_MS)
  const comparison = { kind, versions, layout, names, merged: new Set(file.merged), nameOf, rest }
  const lines = new Map<string, number>()
  const keys = new Set<string>()
  const wanted: NewValues[] = []
  let newRows = 0
  for await (const rows of file.readRows(listComparedColumns(layout))) {
    const sorted = await sortRows(context, comparison, rows, lines, findings)
    const compared = await compareNamedRows(context, comparison, sorted.named, findings)
    for (const key of compared.keys) keys.add(key)
    const added = await compareNewRows(comparison, sorted.unnamed, findings, isForNewRows === true)
    newRows += added.newRows
    wanted.push(...compared.wanted, ...added.wanted)
  }
  noteProblems(findings.rows, await findSharedProblems(context, kind, wanted))
  const found = findings.rows.toSorted((a, b) => a.line - b.line)
  const touched = new Set(found.map(({ line }) => line))
  return {
    found,
    facts: {
      rows: keys.size,
      unchanged: [...lines].filter(([key, line]) => keys.has(key) && !touched.has(line)).length,
      newRows,
      downloadedAt: file.origin?.downloadedAt ?? null,
      warnings: [
        ...(await findWarnings({
          found,
          // Pasted rows are meant to change, however many they are.
          rows: isPasted ? Infinity : keys.size,
          duplicates: findings.duplicates,
          columns: layout.columns.keys(),
          widths: findings.widths,
          struck: new Set(findings.struck),
        })),
        ...layout.warnings,
        ...describeOrigin(getSheetTitle(sheet), file.origin, keys, context.now(), nameOf),
        ...describeFormulas(findings.formulas),
        ...describeMerged(findings.covered),
      ],
    },
  }
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

/** Adds to each conflict who saved the other value. */
const noteAuthors = async (
  { db, readModel }: AppContext,
  { kind, versions }: Comparison,
  stale: ReadonlyMap<string, number>,
  rows: readonly FoundRow[],
): Promise<void> => {
  const conflicts = rows.flatMap(({ record, cells }) =>
    record === null ? [] : cells.flatMap((cell) => (cell.state === 'conflict' ? [{ record, cell }] : [])),
  )
  const find = await findAuthors(db, readModel, kind, versions, new Map(conflicts.map(({ record }) => [record, stale.get(record) ?? 0])))
  for (const { record, cell } of conflicts) cell.author = find(record, cell.column.path) ?? null
}
