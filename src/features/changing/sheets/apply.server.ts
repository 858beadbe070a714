import { sql } from 'kysely'

import { type FieldError, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { SHEETS, type SheetKind } from '../../../contract/sheets.ts'
import { tryLock, type Tx } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, saveAll } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, readFields } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { SheetChoices } from './contract.ts'
import { type FoundCell, type FoundRow, isIdentifier, isSameValue, type ReadRows, toAddress } from './found-rows.server.ts'
import type { PreviewFacts } from './preview.server.ts'
import { findPreview, findProgress, getSheetKind, lockOf } from './stored-preview.server.ts'

/** A row with the values to save, by path; also for a row that becomes a record. */
interface ChosenRow {
  readonly row: FoundRow
  readonly cells: readonly FoundCell[]
  readonly values: FieldChanges
  /** Cells of the row that are not saved. */
  readonly left: readonly FoundCell[]
}

type Choose = (row: FoundRow) => ChosenRow

/** Returns a function that selects the cells of a row to save. */
const createChoose = (warnings: PreviewFacts['warnings'], { choices, rows, leaveWarnings = [] }: SheetChoices): Choose => {
  const unused = new Set(leaveWarnings.flatMap((nth) => warnings[nth]?.cells ?? []))
  const chosenRows = rows && new Set(rows)
  return (row) => {
    const isRowChosen = chosenRows?.has(row.line) ?? true
    const [cells, left]: [FoundCell[], FoundCell[]] = [[], []]
    const values: Record<string, unknown> = {}
    for (const cell of row.cells) {
      const address = toAddress(row, cell)
      const choice = choices[address]
      const isValue = typeof choice === 'object'
      const isUnused =
        choice === undefined ? unused.has(address) : choice === 'leave' || choice === 'theirs' || (isValue && isIdentifier(cell))
      if (!isRowChosen || isUnused) left.push(cell)
      else {
        cells.push(cell)
        values[cell.column.path] = isValue ? (choice.value ?? null) : cell.after
      }
    }
    return { row, cells, values, left }
  }
}

/** The errors and conflicts that need a decision before the cells can be saved. */
const findUndecided = ({ row, cells }: ChosenRow, { choices }: SheetChoices) => {
  const [errors, conflicts]: [FieldError[], FieldError[]] = [[], []]
  for (const cell of cells) {
    const path = toAddress(row, cell)
    const choice = choices[path]
    if (typeof choice === 'object') continue
    if (cell.state === 'error') errors.push({ path, message: cell.message ?? 'This value cannot be saved' })
    else if (cell.state === 'conflict' && choice !== 'mine')
      conflicts.push({ path, message: 'Someone else changed this. Choose which value to keep.' })
  }
  return { errors, conflicts }
}

interface NewRecord {
  readonly line: number
  readonly name: string | null
  readonly values: FieldChanges
}

/** The new record of a row, or its errors. If a part was left out and the rest is not a valid record, the whole row is left out. */
const toNewRecord = (
  kind: EditableRecordKind,
  { row, values, left }: ChosenRow,
): NewRecord | { readonly errors: readonly FieldError[] } => {
  try {
    kind.create?.validate(values)
    return { line: row.line, name: row.name, values }
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    return {
      errors: left.length > 0 ? [] : error.errors.map(({ path, message }) => ({ path: `${row.line}.${path}`, message })),
    }
  }
}

/** The maximum number of cells named in a refusal. */
const MAX_LISTED = 100

/** The result of the choices. */
interface Chosen {
  /** The records that change. */
  readonly keys: readonly string[]
  /** The paths of the fields that change. */
  readonly paths: ReadonlySet<string>
  readonly records: readonly NewRecord[]
  /** The addresses of the cells that are left out. */
  readonly left: readonly string[]
}

/** Reads the rows once; throws if anything still needs a decision. */
const readChosen = async (
  kind: EditableRecordKind,
  { facts, readRows }: ComparedFile,
  choices: SheetChoices,
  choose: Choose,
): Promise<Chosen> => {
  const [keys, left, records]: [string[], string[], NewRecord[]] = [[], [], []]
  const [errors, conflicts, wrongRecords]: [FieldError[], FieldError[], FieldError[]] = [[], [], []]
  const paths = new Set<string>()
  const unknown = new Set(Object.keys(choices.choices))
  const suspects = facts.warnings
    .filter(({ isSuspicious }) => isSuspicious)
    .map(({ message, cells }) => ({ message, cells: new Set(cells) }))
  const warned = new Set<string>()
  const rest = createTimeSlices()
  for await (const rows of readRows())
    for (const row of rows) {
      await rest()
      for (const cell of row.cells) unknown.delete(toAddress(row, cell))
      const chosen = choose(row)
      const undecided = findUndecided(chosen, choices)
      errors.push(...undecided.errors)
      conflicts.push(...undecided.conflicts)
      for (const { message, cells } of suspects)
        if (!warned.has(message) && chosen.cells.some((cell) => cells.has(toAddress(row, cell)))) warned.add(message)
      left.push(...chosen.left.map((cell) => toAddress(row, cell)))
      if (chosen.cells.length === 0 || undecided.errors.length > 0) continue
      if (row.record !== null) {
        keys.push(row.record)
        for (const { column } of chosen.cells) paths.add(column.path)
        continue
      }
      const record = toNewRecord(kind, chosen)
      if (!('errors' in record)) records.push(record)
      else if (record.errors.length > 0) wrongRecords.push(...record.errors)
      else left.push(...chosen.cells.map((cell) => toAddress(row, cell)))
    }
  errors.push(...[...unknown].map((address) => ({ path: `choices.${address}`, message: 'This cell is not in the preview' })))
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_LISTED))
  if (conflicts.length > 0) throw new Problem(409, 'Some values were changed by someone else', { errors: conflicts.slice(0, MAX_LISTED) })
  if (warned.size > 0 && !choices.warningsAccepted)
    throw invalidFields([...warned].map((message) => ({ path: 'warningsAccepted', message })))
  if (wrongRecords.length > 0) throw await toCellProblem(invalidFields(wrongRecords), readRows)
  return { keys, paths, records, left }
}

/** Inserts the records of new rows. The paths of errors begin with the row number. */
const insertAll = async (
  tx: Tx,
  kind: EditableRecordKind,
  records: readonly NewRecord[],
  onSaved: (count: number, name: string | null) => void,
): Promise<void> => {
  const errors: FieldError[] = []
  for (const [nth, { line, name, values }] of records.entries()) {
    try {
      await kind.create?.insert(tx, values)
      onSaved(nth + 1, name)
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error
      errors.push(...error.errors.map(({ path, message }) => ({ path: `${line}.${path}`, message })))
    }
  }
  if (errors.length > 0) throw invalidFields(errors)
}

const CHANGED_SINCE = 'This was changed after the preview'
const STOPPED = 'The saving was stopped. Nothing was saved.'

/** Refuses cells whose stored values have changed since the preview. The rows are locked first, so that they cannot change afterward. */
const assertUnchanged = async (
  tx: Tx,
  { readModel }: AppContext,
  kind: EditableRecordKind,
  { keys, paths }: Chosen,
  changes: () => AsyncIterable<readonly ChosenRow[]>,
): Promise<void> => {
  const parts = new Set([...paths].map((path) => findPart(kind, path).part))
  for (const part of parts) await part.lock(tx, keys)
  const moved: string[] = []
  const rest = createTimeSlices()
  for await (const rows of changes()) {
    const wanted = new Map(rows.map(({ row, values }) => [row.record ?? '', Object.keys(values)]))
    const present = await readFields(tx, readModel, kind, wanted)
    for (const { row, cells } of rows) {
      await rest()
      const now = present.get(row.record ?? '')
      moved.push(...cells.filter((cell) => !isSameValue(now?.[cell.column.path], cell.present)).map((cell) => toAddress(row, cell)))
    }
    if (moved.length >= MAX_LISTED) break
  }
  if (moved.length > 0)
    throw new Problem(409, CHANGED_SINCE, { errors: moved.slice(0, MAX_LISTED).map((path) => ({ path, message: CHANGED_SINCE })) })
}

/** Stores the progress of a save, outside of its transaction, and reads whether a stop was requested. */
export class ProgressNote implements Progress {
  isStopped = false
  #at = Date.now()
  #writing: Promise<void> | undefined
  readonly #context: AppContext
  readonly #_id: string

  constructor(context: AppContext, _id: string) {
    this.#context = context
    this.#_id = _id
  }

  async begin(total: number): Promise<void> {
    const { db } = this.#context
    await db
      .updateTable('sheet_preview')
      .set({ saved: 0, total, stopped: false, lastSaved: null, savingSince: sql<Date>`now()` })
      .where('_id', '=', this.#_id)
      .execute()
  }

  /** Called for each record; throws if the save was stopped. */
  note(saved: number, name: string | null): void {
    if (this.isStopped) throw new Problem(409, STOPPED)
    if (this.#writing || Date.now() - this.#at < PROGRESS_MS) return
    this.#writing = this.#write(saved, name).finally(() => {
      this.#at = Date.now()
      this.#writing = undefined
    })
  }

  /** Checks once more, so that even a save shorter than the interval can be stopped. */
  async end(saved: number): Promise<void> {
    await this.#writing
    await this.#write(saved, null)
    if (this.isStopped) throw new Problem(409, STOPPED)
  }

  async #write(saved: number, lastSaved: string | null): Promise<void> {
    const { db, log } = this.#context
    try {
      const row = await db
        .updateTable('sheet_preview')
        .set({ saved, lastSaved })
        .where('_id', '=', this.#_id)
        .returning('stopped')
        .executeTakeFirst()
      this.isStopped = row?.stopped === true
    } catch (error) {
      log.warn({ err: error }, 'The progress of a sheet could not be written')
    }
  }
}
const PROGRESS_MS = 300

/** The error of a save, with cell addresses instead of records and paths. */
const toCellProblem = async (error: unknown, readRows: ReadRows): Promise<unknown> => {
  if (!(error instanceof Problem) || error.errors === undefined) return error
  const addresses = new Map<string, string>()
  const rest = createTimeSlices()
  for await (const rows of readRows())
    for (const row of rows) {
      await rest()
      const key = `${row.record ?? row.line}.`
      for (const { path } of error.errors)
        if (path.startsWith(key)) {
          const cell = row.cells.find(({ column }) => path === `${key}${column.path}`) ?? row.cells[0]
          if (cell) addresses.set(path, toAddress(row, cell))
        }
    }
  return new Problem(error.status, error.message, {
    errors: error.errors.map(({ path, message }) => ({ path: addresses.get(path) ?? path, message })),
  })
}

/** Reports the progress of a long save, and stops it on request. */
interface Progress {
  readonly begin: (total: number) => Promise<void>
  /** Called for each record, with its name; throws if the save was stopped. */
  readonly note: (saved: number, name: string | null) => void
  readonly end: (saved: number) => Promise<void>
}

interface ComparedFile {
  readonly sheet: SheetKind
  readonly fileName: string
  readonly facts: PreviewFacts
  readonly readRows: ReadRows
}
const NOTHING = { changeset: null, changed: 0, created: 0 }

/** Saves the chosen cells of a compared file in the given transaction, as one changeset. */
export const saveSheet = async (
  tx: Tx,
  context: AppContext,
  actor: { readonly account: string | null; readonly name: string },
  file: ComparedFile,
  choices: SheetChoices,
  progress: Progress,
) => {
  const { sheet, fileName, facts, readRows } = file
  const kind = context.kinds[SHEETS[sheet].kind]
  const choose = createChoose(facts.warnings, choices)
  const chosen = await readChosen(kind, file, choices, choose)
  const { keys, records, left } = chosen
  const total = keys.length + records.length
  if (total === 0) return { ...NOTHING, left }
  await progress.begin(total)
  async function* listChanges() {
    for await (const rows of readRows())
      yield rows
        .filter(({ record }) => record !== null)
        .map(choose)
        .filter(({ cells }) => cells.length > 0)
  }
  await assertUnchanged(tx, context, kind, chosen, listChanges)
  const changeset = await beginChangeset(tx, {
    account: actor.account,
    name: actor.name,
    kind: 'sheet',
    recordKind: SHEETS[sheet].kind,
    title: fileName,
    at: context.now(),
  })
  let name: string | null = null
  async function* listRecordChanges() {
    for await (const rows of listChanges())
      for (const { row, values } of rows) {
        name = row.name
        yield { key: row.record ?? '', changes: values }
      }
  }
  try {
    await saveAll(tx, context, kind, listRecordChanges(), (count) => progress.note(count, name))
    await insertAll(tx, kind, records, (count, ofNew) => progress.note(keys.length + count, ofNew))
  } catch (error) {
    throw await toCellProblem(error, readRows)
  }
  await progress.end(total)
  return { changeset: { _id: changeset }, changed: keys.length, created: records.length, left }
}

/** Saves the chosen cells of the caller's own preview in the given transaction. */
export const applyPreview = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel' | 'name'>,
  _id: string,
  choices: SheetChoices,
) => {
  const { kind: sheet, fileName, facts, readRows, isImport } = await findPreview(tx, context, user, _id)
  if (isImport) throw notFound('Preview')
  getSheetKind(context, user, sheet)
  if (!(await tryLock(tx, lockOf(_id)))) throw new Problem(409, 'This is already being saved')
  const { left, ...result } = await saveSheet(
    tx,
    context,
    user,
    { sheet, fileName, facts, readRows },
    choices,
    new ProgressNote(context, _id),
  )
  const { changeset, changed, created } = result
  if (changeset !== null)
    await tx
      .updateTable('sheet_preview')
      .set({ changeset: changeset._id, left: JSON.stringify(left), saved: changed + created })
      .where('_id', '=', _id)
      .execute()
  return { ...result, file: changeset === null ? null : fileName }
}

/** Requests that the save of the caller's own preview stops. */
export const stopSaving = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<void> => {
  const { state } = await findProgress(context, user, _id)
  if (state === 'saved') throw new Problem(409, 'This is saved already')
  await context.db.updateTable('sheet_preview').set({ stopped: true }).where('_id', '=', _id).execute()
}
