import { isDeepStrictEqual } from 'node:util'

import { invalidFields, Problem } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { trySave } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, getAtPath, readFields } from '../../../platform/server/record-editor.ts'
import { type EditableColumn, ID_HEADER, listNames, parseCell, SHEETS, toCellText, VERSION_HEADER } from './columns.server.ts'
import type { SheetCell, SheetKind, SheetWarning } from './contract.ts'
import { type FileRow, readFileRows, toColumnLetters } from './parse.server.ts'
import { findWarnings } from './plausibility.server.ts'
import { readEarlierRows, readVersions } from './versions.server.ts'

/** A cell as a preview keeps it: with the present value that applying compares. */
export interface PreviewedCell extends SheetCell {
  readonly present: unknown
}

export interface Preview {
  readonly rows: number
  readonly unchanged: number
  readonly cells: readonly PreviewedCell[]
  readonly warnings: readonly SheetWarning[]
}

interface Layout {
  readonly id: number
  readonly version: number
  /** The place of each column in the file; absent ones are left as they are. */
  readonly columns: ReadonlyMap<EditableColumn, number>
  readonly warnings: readonly SheetWarning[]
}

const normalize = (header: string): string => header.trim().toLowerCase()

/** Finds the columns by their headers, wherever they were moved; one that was renamed by its place. */
const readLayout = (sheet: SheetKind, head: FileRow | undefined): Layout => {
  const headers = (head?.cells ?? []).map(normalize)
  const id = headers.indexOf(ID_HEADER)
  if (id === -1)
    throw invalidFields([
      { path: 'file', message: 'This file was not downloaded from Homeroom. Download the list, change it, and upload it.' },
    ])
  const all = SHEETS[sheet].columns
  const places = new Map<EditableColumn, number>()
  for (const column of all) {
    const at = headers.indexOf(normalize(column.label))
    if (at !== -1) places.set(column, at)
  }
  const taken = new Set(places.values())
  const renamed = all.flatMap((column, at) => {
    const place = id + 3 + at
    const header = head?.cells[place]?.trim()
    if (places.has(column) || !header || taken.has(place)) return []
    places.set(column, place)
    return [`“${header}” is read as ${column.label}`]
  })
  const missing = all.filter((column) => !places.has(column)).map(({ label }) => label)
  const warnings: SheetWarning[] = [
    ...(renamed.length > 0 ? [{ kind: 'columns' as const, message: `Renamed columns: ${renamed.join(', ')}.`, cells: [] }] : []),
    ...(missing.length > 0 && missing.length < all.length
      ? [
          {
            kind: 'columns' as const,
            message: `${missing.length === 1 ? 'One column is' : `${missing.length} columns are`} missing and left as they are: ${missing.join(', ')}.`,
            cells: [],
          },
        ]
      : []),
  ]
  return { id, version: headers.indexOf(VERSION_HEADER), columns: places, warnings }
}

/** A record that a file names once. */
interface NamedRow extends FileRow {
  readonly key: string
  readonly version: number | undefined
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? null, b ?? null)
const TRIALS = 300

/** Compares a file with the records: what it changes, what someone else changed meanwhile, and what its rules refuse. */
export const comparePreview = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  bytes: Uint8Array,
): Promise<Preview> => {
  const { readModel: model, db } = context
  await model.ready()
  const [head, ...body] = await readFileRows(bytes)
  const layout = readLayout(sheet, head)
  const { columns: all, table } = SHEETS[sheet]
  const cells: PreviewedCell[] = []
  const named: NamedRow[] = []
  const seen = new Set<string>()
  const note = (row: FileRow, at: number, cell: Partial<PreviewedCell>) =>
    cells.push({
      row: row.line,
      cell: `${toColumnLetters(at)}${row.line}`,
      record: null,
      name: null,
      field: ID_HEADER,
      label: 'Record',
      before: null,
      after: row.cells[at] ?? null,
      theirs: null,
      present: null,
      state: 'error',
      message: null,
      ...cell,
    })
  for (const row of body) {
    const text = (row.cells[layout.id] ?? '').trim()
    const key = text === '' ? undefined : await kind.findKey(db, model, text).catch(() => undefined)
    if (text === '') note(row, layout.id, { state: 'error', message: 'A new row cannot be saved here. Add the record on its page.' })
    else if (key === undefined) note(row, layout.id, { message: 'This record does not exist' })
    else if (seen.has(key)) note(row, layout.id, { record: key, message: 'This record is in the file twice' })
    else {
      seen.add(key)
      const version = Number.parseInt(row.cells[layout.version] ?? '', 10)
      named.push({ ...row, key, version: Number.isSafeInteger(version) ? version : undefined })
    }
  }

  const paths = [...layout.columns.keys()].map(({ path }) => path)
  const present = await readFields(db, model, kind, new Map(named.map(({ key }) => [key, paths])))
  const versions = await readVersions(
    db,
    table,
    named.map(({ key }) => key),
  )
  const stale = new Map(
    named.flatMap(({ key, version }) => (version !== undefined && version !== versions.get(key) ? [[key, version] as const] : [])),
  )
  const earlier = await readEarlierRows(db, table, stale)
  const part = findPart(kind, all[0]?.path ?? '').part
  const names = new Map<string, ReturnType<typeof listNames>>()
  const getNames = (reference: 'region' | 'charter' | 'brand') => {
    const known = names.get(reference) ?? listNames(model, reference)
    names.set(reference, known)
    return known
  }

  const changesByRow = new Map<NamedRow, FieldChanges>()
  for (const row of named) {
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
      const parsed = parseCell(column, text, getNames)
      const facts = {
        record: row.key,
        name: kind.describe(model, row.key)?.name ?? null,
        field: column.path,
        label: column.label,
        before: base,
        present: theirs,
      }
      if ('message' in parsed) note(row, at, { ...facts, message: parsed.message })
      else if (isSame(parsed.value, base) || isSame(parsed.value, theirs)) continue
      else {
        const isConflict = !isSame(base, theirs)
        changes[column.path] = parsed.value
        note(row, at, { ...facts, after: parsed.value, theirs: isConflict ? theirs : null, state: isConflict ? 'conflict' : 'change' })
      }
    }
    if (Object.keys(changes).length > 0) changesByRow.set(row, changes)
  }
  const problems = await findProblems(context, kind, present, changesByRow)
  const judged = cells.map((cell) => {
    const message = cell.record === null ? undefined : problems.get(`${cell.record} ${cell.field}`)
    return message === undefined || cell.state === 'error' ? cell : { ...cell, state: 'error' as const, message }
  })
  const touched = new Set(judged.map(({ row }) => row))
  return {
    rows: named.length,
    unchanged: named.filter(({ line }) => !touched.has(line)).length,
    cells: judged.toSorted((a, b) => a.row - b.row),
    warnings: [...layout.warnings, ...findWarnings(judged, named.length)],
  }
}

/** What the rules of the records say of changed fields, by record and path: each row by its own fields, the first rows also by a trial. */
const findProblems = async (
  context: AppContext,
  kind: EditableRecordKind,
  present: ReadonlyMap<string, FieldChanges | undefined>,
  rows: ReadonlyMap<NamedRow, FieldChanges>,
): Promise<ReadonlyMap<string, string>> => {
  const problems = new Map<string, string>()
  let trials = 0
  for (const [{ key }, changes] of rows) {
    try {
      const found = findPart(kind, Object.keys(changes)[0] ?? '').part
      if (trials++ < TRIALS) await trySave(context, kind, key, changes)
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
