import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import { stringify } from '../../../platform/server/stringify.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { SHEETS } from './columns.server.ts'
import type { SheetKind, SheetPreview, SheetProgress } from './contract.ts'
import type { Preview } from './preview.server.ts'

/** The kind of record of a sheet; refuses one that the caller may not edit. */
export const getSheetKind = (context: AppContext, user: Pick<SignedIn, 'accessLevel'>, sheet: SheetKind): EditableRecordKind => {
  const kind = context.kinds[SHEETS[sheet].kind]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  return kind
}

/** Previews that one account keeps; each has its file. */
const MAX_KEPT = 20

/** Keeps a preview; those of more than a day ago go. */
export const insertPreview = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  kind: SheetKind,
  { fileName, file }: { readonly fileName: string; readonly file: Uint8Array },
  preview: Preview,
): Promise<SheetPreview> => {
  const now = context.now()
  await sql`
    delete from sheet_preview where "createdAt" < ${now}::timestamptz - interval '1 day'
      or _id in (select _id from sheet_preview where account = ${user.account} order by "createdAt" desc offset ${MAX_KEPT - 1})`.execute(
    tx,
  )
  const { _id } = await tx
    .insertInto('sheet_preview')
    .values({ account: user.account, kind, fileName, createdAt: now, preview: await stringify(preview), file: Buffer.from(file) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return toSheetPreview({ _id, kind, fileName, at: now.toISOString(), left: null, preview }, NOT_SAVED)
}
const NOT_SAVED: SheetProgress = { state: 'waiting', saved: 0, total: 0, name: null, secondsLeft: null, changeset: null }

const toSheetPreview = async ({ preview, left, ...facts }: StoredPreview, progress: SheetProgress): Promise<SheetPreview> => {
  const rest = createTimeSlices()
  const cells: SheetPreview['cells'] = []
  for (const { present: _present, ...cell } of preview.cells) {
    await rest()
    cells.push(cell)
  }
  return { ...facts, ...preview, sheet: SHEETS[facts.kind].title, cells, progress, left: left && [...left] }
}

export interface StoredPreview {
  readonly _id: string
  readonly kind: SheetKind
  readonly fileName: string
  readonly at: string
  readonly left: readonly string[] | null
  readonly preview: Preview
}

const notExpired = ({ now }: AppContext) => sql`"createdAt" >= ${now()}::timestamptz - interval '1 day'`

/** The caller's own preview of the last day; throws 404 for any other. */
export const findPreview = async (
  db: Queryable,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  _id: string,
): Promise<StoredPreview> => {
  const { rows } = isUuid(_id)
    ? await sql<StoredPreview>`
        select _id, kind, "fileName", ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, "left", preview from sheet_preview
        where _id = ${_id} and account = ${user.account} and ${notExpired(context)}`.execute(db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Preview')
  return found
}

/** The lock of a transaction that saves a preview. */
export const lockOf = (_id: string) => sql`hashtextextended(${`sheet preview ${_id}`}, 0)`

interface StoredProgress {
  readonly saved: number
  readonly total: number
  readonly name: string | null
  /** Since the saving began. */
  readonly seconds: number | null
  readonly stopped: boolean
  readonly changeset: string | null
  readonly isSaving: boolean
}

const readStoredProgress = async (context: AppContext, { account }: Pick<SignedIn, 'account'>, _id: string): Promise<StoredProgress> => {
  const { rows } = isUuid(_id)
    ? await sql<StoredProgress>`
        with lock as (select ${lockOf(_id)} as key)
        select saved, total, "lastSaved" as name, extract(epoch from now() - "savingSince")::float8 as seconds, stopped, changeset, exists (
          select from pg_locks, lock where locktype = 'advisory' and granted and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())
            and (classid::bigint << 32) | objid::bigint = key) as "isSaving"
        from sheet_preview where _id = ${_id} and account = ${account} and ${notExpired(context)}`.execute(context.db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Preview')
  return found
}

/** How far the saving of the caller's own preview is: what saves it holds its lock, whatever server it runs on. */
export const findProgress = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<SheetProgress> => {
  const first = await readStoredProgress(context, user, _id)
  // A saving that ends just now gives its lock back after the row was read.
  const isOver = first.total > 0 && !first.isSaving && first.changeset === null
  const { saved, total, name, seconds, stopped, changeset, isSaving } = isOver ? await readStoredProgress(context, user, _id) : first
  const state = isSaving ? 'saving' : changeset !== null ? 'saved' : stopped ? 'stopped' : 'waiting'
  return {
    state,
    saved: state === 'waiting' || state === 'stopped' ? 0 : saved,
    total,
    ...(state === 'saving' && saved > 0 && seconds !== null
      ? { name, secondsLeft: Math.round((seconds / saved) * (total - saved)) }
      : { name: null, secondsLeft: null }),
    changeset: changeset === null ? null : { _id: changeset },
  }
}

/** A preview as its maker sees it. */
export const readPreview = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<SheetPreview> => {
  const stored = await findPreview(context.db, context, user, _id)
  return toSheetPreview(stored, await findProgress(context, user, _id))
}

/** The file of the caller's own preview. */
export const readPreviewFile = async ({ db }: AppContext, _id: string): Promise<Uint8Array> =>
  (await db.selectFrom('sheet_preview').select('file').where('_id', '=', _id).executeTakeFirstOrThrow()).file
