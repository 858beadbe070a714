import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { type FieldError, invalidFields, Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, saveAll } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, readFields } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { SHEETS } from './columns.server.ts'
import type { SheetChoices, SheetKind } from './contract.ts'
import type { Preview, PreviewedCell } from './preview.server.ts'
import { ID_HEADER } from './read-file.server.ts'
import { findPreview, findProgress, getSheetKind, lockOf } from './stored-preview.server.ts'

/** What is saved of a cell; undefined where it is left as it is. Notes what still has to be decided. */
const resolveCell = (
  cell: PreviewedCell,
  choice: SheetChoices['choices'][string] | undefined,
  errors: FieldError[],
  conflicts: FieldError[],
) => {
  if (choice === 'leave' || choice === 'theirs') return undefined
  if (typeof choice === 'object') return { value: choice.value ?? null }
  if (cell.state === 'error') errors.push({ path: cell.cell, message: cell.message ?? 'This value cannot be saved' })
  else if (cell.state === 'conflict' && choice !== 'mine')
    conflicts.push({ path: cell.cell, message: 'Someone else changed this. Choose which value to keep.' })
  return { value: cell.after }
}

interface ChosenCell {
  readonly cell: PreviewedCell
  readonly value: unknown
}

/** The cells that are saved, and the addresses of those that are left out. */
const chooseCells = async ({ cells, warnings }: Preview, { choices, rows, leaveWarnings = [], warningsAccepted }: SheetChoices) => {
  const unused = new Set(leaveWarnings.flatMap((nth) => warnings[nth]?.cells ?? []))
  const chosenRows = rows && new Set(rows)
  const [errors, conflicts, left, saved]: [FieldError[], FieldError[], string[], ChosenCell[]] = [[], [], [], []]
  const rest = createTimeSlices()
  for (const cell of cells) {
    await rest()
    const isUsed = (chosenRows?.has(cell.row) ?? true) && (!unused.has(cell.cell) || choices[cell.cell] !== undefined)
    const resolved = isUsed ? resolveCell(cell, choices[cell.cell], errors, conflicts) : undefined
    const isSaved = cell.record !== null || cell.field !== ID_HEADER
    if (resolved && isSaved) saved.push({ cell, value: resolved.value })
    else left.push(cell.cell)
  }
  if (errors.length > 0) throw invalidFields(errors)
  if (conflicts.length > 0) throw new Problem(409, 'Some values were changed by someone else', { errors: conflicts.slice(0, 100) })
  const addresses = new Set(saved.map(({ cell }) => cell.cell))
  const warned = warnings.filter(({ isSuspicious, cells: suspects }) => isSuspicious && suspects.some((cell) => addresses.has(cell)))
  if (warned.length > 0 && !warningsAccepted) throw invalidFields(warned.map(({ message }) => ({ path: 'warningsAccepted', message })))
  return { saved, left }
}

interface NewRecord {
  readonly line: number
  readonly values: FieldChanges
}

/** The rows that become records. One that was left out in part and is no record without it is left out whole. */
const collectNewRecords = async (
  kind: EditableRecordKind,
  { saved, left }: { readonly saved: readonly ChosenCell[]; readonly left: string[] },
) => {
  const isPartlyLeft = new Set(left.map((cell) => cell.replace(/^[A-Z]+/, '')))
  const records: NewRecord[] = []
  const errors: FieldError[] = []
  const rest = createTimeSlices()
  for (const [line, cells] of Map.groupBy(
    saved.filter(({ cell }) => cell.record === null),
    ({ cell }) => cell.row,
  )) {
    await rest()
    const values = Object.fromEntries(cells.map(({ cell, value }) => [cell.field, value]))
    try {
      kind.create?.validate(values)
      records.push({ line, values })
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error
      if (isPartlyLeft.has(String(line))) left.push(...cells.map(({ cell }) => cell.cell))
      else errors.push(...error.errors.map(({ path, message }) => ({ path: `${line}.${path}`, message })))
    }
  }
  return { records, errors }
}

/** Inserts the records of new rows. The paths of errors begin with the number of the row. */
const insertAll = async (
  tx: Tx,
  kind: EditableRecordKind,
  records: readonly NewRecord[],
  onSaved: (count: number, line: number) => void,
): Promise<void> => {
  const errors: FieldError[] = []
  for (const [nth, { line, values }] of records.entries()) {
    try {
      await kind.create?.insert(tx, values)
      onSaved(nth + 1, line)
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error
      errors.push(...error.errors.map(({ path, message }) => ({ path: `${line}.${path}`, message })))
    }
  }
  if (errors.length > 0) throw invalidFields(errors)
}

const CHANGED_SINCE = 'This was changed after the preview'
const STOPPED = 'The saving was stopped. Nothing was saved.'

/** Refuses cells whose present values are no longer those of the preview. The rows are locked before, so that they stay as they are. */
const assertUnchanged = async (
  tx: Tx,
  { readModel }: AppContext,
  kind: EditableRecordKind,
  cells: readonly PreviewedCell[],
): Promise<void> => {
  const paths = new Map<string, string[]>()
  for (const { record, field } of cells) {
    const own = record === null ? undefined : paths.get(record)
    if (own) own.push(field)
    else if (record !== null) paths.set(record, [field])
  }
  const parts = new Set(cells.map(({ field }) => findPart(kind, field).part))
  for (const part of parts) await part.lock(tx, [...paths.keys()])
  const present = await readFields(tx, readModel, kind, paths)
  const moved: PreviewedCell[] = []
  const rest = createTimeSlices()
  for (const cell of cells) {
    await rest()
    if (!isDeepStrictEqual(present.get(cell.record ?? '')?.[cell.field] ?? null, cell.present ?? null)) moved.push(cell)
  }
  if (moved.length > 0)
    throw new Problem(409, CHANGED_SINCE, { errors: moved.slice(0, 100).map(({ cell }) => ({ path: cell, message: CHANGED_SINCE })) })
}

/** Writes how far the saving is, beside the transaction that saves, and reads whether it was told to stop. */
class ProgressNote implements Progress {
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

  /** Called for each record; throws where the saving was stopped. */
  note(saved: number, name: string | null): void {
    if (this.isStopped) throw new Problem(409, STOPPED)
    if (this.#writing || Date.now() - this.#at < PROGRESS_MS) return
    this.#writing = this.#write(saved, name).finally(() => {
      this.#at = Date.now()
      this.#writing = undefined
    })
  }

  /** Looks once more: a saving that takes no longer than a look is stopped too. */
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

/** The problem of a save with the addresses of cells in place of records and paths. */
const toCellProblem = (error: unknown, cells: readonly PreviewedCell[]): unknown => {
  if (!(error instanceof Problem) || error.errors === undefined) return error
  const keyOf = ({ record, row }: PreviewedCell) => record ?? String(row)
  const addresses = new Map(cells.map((cell) => [`${keyOf(cell)}.${cell.field}`, cell.cell]))
  return new Problem(error.status, error.message, {
    errors: error.errors.map(({ path, message }) => ({
      path: addresses.get(path) ?? cells.find((cell) => path.startsWith(`${keyOf(cell)}.`))?.cell ?? path,
      message,
    })),
  })
}

/** How a long saving tells how far it is, and hears that it is to stop. */
interface Progress {
  readonly begin: (total: number) => Promise<void>
  /** Called for each record, with its name; throws where the saving was stopped. */
  readonly note: (saved: number, name: string | null) => void
  readonly end: (saved: number) => Promise<void>
}

interface ComparedFile {
  readonly sheet: SheetKind
  readonly fileName: string
  readonly preview: Preview
}
const NOTHING = { changeset: null, changed: 0, created: 0 }

/** Saves the chosen cells of a compared file in the given transaction, as one changeset. */
export const saveSheet = async (
  tx: Tx,
  context: AppContext,
  actor: { readonly account: string | null; readonly name: string },
  { sheet, fileName, preview }: ComparedFile,
  choices: SheetChoices,
  progress: Progress,
) => {
  const kind = context.kinds[SHEETS[sheet].kind]
  const { saved, left } = await chooseCells(preview, choices)
  const { records, errors } = await collectNewRecords(kind, { saved, left })
  const cells = saved.map(({ cell }) => cell)
  if (errors.length > 0) throw toCellProblem(invalidFields(errors), cells)
  const changes = new Map<string, Record<string, unknown>>()
  const names = new Map(cells.map(({ record, row, name }) => [record ?? row, name]))
  for (const { cell, value } of saved)
    if (cell.record !== null) changes.set(cell.record, { ...changes.get(cell.record), [cell.field]: value })
  const total = changes.size + records.length
  if (total === 0) return { ...NOTHING, left }
  await progress.begin(total)
  await assertUnchanged(
    tx,
    context,
    kind,
    cells.filter(({ record }) => record !== null),
  )
  const changeset = await beginChangeset(tx, {
    account: actor.account,
    name: actor.name,
    kind: 'sheet',
    recordKind: SHEETS[sheet].kind,
    title: fileName,
    at: context.now(),
  })
  try {
    const rows = [...changes].map(([key, values]) => ({ key, changes: values }))
    await saveAll(tx, context, kind, rows, (count, key) => progress.note(count, names.get(key) ?? null))
    await insertAll(tx, kind, records, (count, line) => progress.note(changes.size + count, names.get(line) ?? null))
  } catch (error) {
    throw toCellProblem(error, cells)
  }
  await progress.end(total)
  return { changeset: { _id: changeset }, changed: changes.size, created: records.length, left }
}

/** Saves the chosen cells of the caller's own preview in the given transaction. */
export const applyPreview = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel' | 'name'>,
  _id: string,
  choices: SheetChoices,
) => {
  const { kind: sheet, fileName, preview } = await findPreview(tx, context, user, _id)
  getSheetKind(context, user, sheet)
  const { rows: locks } = await sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(${lockOf(_id)}) as "isFree"`.execute(tx)
  if (!locks[0]?.isFree) throw new Problem(409, 'This is being saved already')
  const { left, ...result } = await saveSheet(tx, context, user, { sheet, fileName, preview }, choices, new ProgressNote(context, _id))
  const { changeset, changed, created } = result
  if (changeset !== null)
    await tx
      .updateTable('sheet_preview')
      .set({ changeset: changeset._id, left: JSON.stringify(left), saved: changed + created })
      .where('_id', '=', _id)
      .execute()
  return { ...result, file: changeset === null ? null : fileName }
}

/** Tells what saves the caller's own preview to stop. */
export const stopSaving = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<void> => {
  const { state } = await findProgress(context, user, _id)
  if (state === 'saved') throw new Problem(409, 'This is saved already')
  await context.db.updateTable('sheet_preview').set({ stopped: true }).where('_id', '=', _id).execute()
}
