import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { type FieldError, forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, saveAll } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, readFields } from '../../../platform/server/record-editor.ts'
import { SHEETS } from './columns.server.ts'
import type { SheetChoices, SheetKind, SheetPreview } from './contract.ts'
import type { Preview, PreviewedCell } from './preview.server.ts'

/** The kind of record of a sheet; refuses one that the caller may not edit. */
export const getSheetKind = (context: AppContext, user: SignedIn, sheet: SheetKind): EditableRecordKind => {
  const kind = context.kinds[SHEETS[sheet].kind]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  return kind
}

/** Keeps a preview; those of more than a day ago go. */
export const insertPreview = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  kind: SheetKind,
  fileName: string,
  preview: Preview,
): Promise<string> => {
  const now = context.now()
  await sql`delete from sheet_preview where "createdAt" < ${now}::timestamptz - interval '1 day'`.execute(tx)
  const { _id } = await tx
    .insertInto('sheet_preview')
    .values({ account: user.account, kind, fileName, createdAt: now, preview: JSON.stringify(preview) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}

interface StoredPreview {
  readonly _id: string
  readonly kind: SheetKind
  readonly fileName: string
  readonly at: string
  readonly preview: Preview
}

/** The caller's own preview of the last day; throws 404 for any other. */
export const findPreview = async (db: Queryable, context: AppContext, user: SignedIn, _id: string): Promise<StoredPreview> => {
  const { rows } = isUuid(_id)
    ? await sql<StoredPreview>`
        select _id, kind, "fileName", ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, preview from sheet_preview
        where _id = ${_id} and account = ${user.account} and "createdAt" >= ${context.now()}::timestamptz - interval '1 day'`.execute(db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Preview')
  return found
}

export const toSheetPreview = ({ preview, ...facts }: StoredPreview): SheetPreview => ({
  ...facts,
  ...preview,
  cells: preview.cells.map(({ present: _present, ...cell }) => cell),
  warnings: [...preview.warnings],
})

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

const CHANGED_SINCE = 'This was changed after the preview'

/** Saves the chosen cells of a preview in the given transaction, as one changeset. */
export const applyPreview = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  _id: string,
  { choices, rows, warningsAccepted }: SheetChoices,
) => {
  if (isUuid(_id)) await sql`select from sheet_preview where _id = ${_id} for update`.execute(tx)
  const { kind: sheet, fileName, preview } = await findPreview(tx, context, user, _id)
  const kind = getSheetKind(context, user, sheet)
  const chosen = preview.cells.filter(({ row }) => rows === undefined || rows.includes(row))
  const [errors, conflicts]: [FieldError[], FieldError[]] = [[], []]
  const changes = new Map<string, Record<string, unknown>>()
  const saved: PreviewedCell[] = []
  for (const cell of chosen) {
    const resolved = resolveCell(cell, choices[cell.cell], errors, conflicts)
    if (!resolved || cell.record === null) continue
    saved.push(cell)
    changes.set(cell.record, { ...changes.get(cell.record), [cell.field]: resolved.value })
  }
  if (errors.length > 0) throw invalidFields(errors)
  if (conflicts.length > 0) throw new Problem(409, 'Some values were changed by someone else', { errors: conflicts.slice(0, 100) })
  const addresses = new Set(saved.map(({ cell }) => cell))
  const warned = preview.warnings.filter(({ cells }) => cells.some((cell) => addresses.has(cell)))
  if (warned.length > 0 && !warningsAccepted) throw invalidFields(warned.map(({ message }) => ({ path: 'warningsAccepted', message })))
  if (changes.size === 0) return { changeset: null, changed: 0 }
  await assertUnchanged(tx, context, kind, saved)
  const changeset = await beginChangeset(tx, {
    kind: 'sheet',
    recordKind: SHEETS[sheet].kind,
    title: fileName,
    account: user.account,
    name: user.name,
    at: context.now(),
  })
  await saveAll(
    tx,
    context,
    kind,
    [...changes].map(([key, values]) => ({ key, changes: values })),
  )
  return { changeset: { _id: changeset }, changed: changes.size }
}

/** Refuses cells whose present values are not those of the preview any more. */
const assertUnchanged = async (
  tx: Tx,
  { readModel }: AppContext,
  kind: EditableRecordKind,
  cells: readonly PreviewedCell[],
): Promise<void> => {
  const paths = new Map<string, string[]>()
  for (const { record, field } of cells) if (record !== null) paths.set(record, [...(paths.get(record) ?? []), field])
  const present = await readFields(tx, readModel, kind, paths)
  const moved = cells.filter(
    ({ record, field, present: seen }) => !isDeepStrictEqual(present.get(record ?? '')?.[field] ?? null, seen ?? null),
  )
  if (moved.length > 0)
    throw new Problem(409, CHANGED_SINCE, { errors: moved.slice(0, 100).map(({ cell }) => ({ path: cell, message: CHANGED_SINCE })) })
}
