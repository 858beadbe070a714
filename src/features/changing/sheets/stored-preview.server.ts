import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound } from '../../../contract/problem.ts'
import { SHEETS, getSheetTitle, type SheetKind } from '../../../contract/sheets.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import { type Streamed, stringify } from '../../../platform/server/stringify.ts'
import type { SheetCell, SheetPreview, SheetProgress } from './contract.ts'
import { type FileColumn, type FoundCell, type FoundRow, type ReadRows, toSheetCell } from './found-rows.server.ts'
import type { Preview, PreviewFacts } from './preview.server.ts'

/** The kind of record of a sheet; throws if the caller may not edit it. */
export const getSheetKind = (context: AppContext, user: Pick<SignedIn, 'accessLevel'>, sheet: SheetKind): EditableRecordKind => {
  const kind = context.kinds[SHEETS[sheet].kind]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  return kind
}

/** The maximum number of previews per account; each includes its file. */
const MAX_KEPT = 20

/** The stored data about a whole file, with the columns that its cells refer to by index. */
export interface StoredFacts extends PreviewFacts {
  readonly columns: readonly FileColumn[]
  readonly parts: number
}

/** A stored row: line, record, name, and its cells as column, before, after, present, state, message, author. */
type StoredRow = readonly [FoundRow['line'], FoundRow['record'], FoundRow['name'], readonly StoredCell[]]
type StoredCell = readonly [number, unknown, unknown, unknown, FoundCell['state'], FoundCell['message'], FoundCell['author']]

const toStoredRows = (rows: readonly FoundRow[], columns: ReadonlyMap<FileColumn, number>): StoredRow[] =>
  rows.map(({ line, record, name, cells }) => [
    line,
    record,
    name,
    cells.map(({ column, before, after, present, state, message, author }) => [
      columns.get(column) ?? 0,
      before,
      after,
      present,
      state,
      message,
      author,
    ]),
  ])

const fromStoredRows = (rows: readonly StoredRow[], columns: readonly FileColumn[]): FoundRow[] =>
  rows.map(([line, record, name, cells]) => ({
    line,
    record,
    name,
    cells: cells.flatMap(([index, before, after, present, state, message, author]) => {
      const column = columns[index]
      return column ? [{ column, before, after, present, state, message, author }] : []
    }),
  }))

/** Cells and characters that are written and read together, so that the database, the server and the browser never process a whole file in one piece. */
const PART_CELLS = 1000
const PART_CHARACTERS = 262_144
const countCharacters = ({ after }: FoundCell): number => (typeof after === 'string' ? after.length : 0)

/** Divides rows into lists of about this many cells and characters. */
export function* toParts(found: readonly FoundRow[]): Generator<FoundRow[]> {
  let part: FoundRow[] = []
  let [cells, characters] = [0, 0]
  for (const row of found) {
    part.push(row)
    cells += row.cells.length
    for (const cell of row.cells) characters += countCharacters(cell)
    if (cells < PART_CELLS && characters < PART_CHARACTERS) continue
    yield part
    part = []
    cells = characters = 0
  }
  if (part.length > 0) yield part
}

export const insertParts = async (tx: Tx, preview: string, found: readonly FoundRow[], columns: readonly FileColumn[]): Promise<void> => {
  const indexes = new Map(columns.map((column, index) => [column, index]))
  let part = 0
  for (const rows of toParts(found))
    await tx
      .insertInto('sheet_preview_part')
      .values({ preview, part: part++, rows: JSON.stringify(toStoredRows(rows, indexes)) })
      .execute()
}

/** The rows of a preview, read part by part; throws if it is deleted in the meantime. */
async function* readParts(db: Queryable, preview: string, { columns, parts }: StoredFacts): AsyncGenerator<readonly FoundRow[]> {
  for (let part = 0; part < parts; part++) {
    const { rows } = await db
      .selectFrom('sheet_preview_part')
      .select('rows')
      .where('preview', '=', preview)
      .where('part', '=', part)
      .executeTakeFirstOrThrow(() => notFound('Preview'))
    yield fromStoredRows(rows as readonly StoredRow[], columns)
  }
}

/** Deletes the previews that are older than a day or beyond the limit of an account. */
export const deleteOldPreviews = async (tx: Tx, { now }: AppContext, { account }: Pick<SignedIn, 'account'>): Promise<void> => {
  await sql`
    delete from sheet_preview where "createdAt" < ${now()}::timestamptz - interval '1 day'
      or _id in (select _id from sheet_preview where account = ${account} order by "createdAt" desc offset ${MAX_KEPT - 1})`.execute(tx)
}

/** Stores a preview and returns its key. */
export const insertPreview = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  kind: SheetKind,
  { fileName, file }: { readonly fileName: string; readonly file: Uint8Array },
  { facts, found }: Preview,
): Promise<string> => {
  await deleteOldPreviews(tx, context, user)
  const columns = [...new Set(found.flatMap(({ cells }) => cells.map(({ column }) => column)))]
  const stored: StoredFacts = { ...facts, columns, parts: [...toParts(found)].length }
  const { _id } = await tx
    .insertInto('sheet_preview')
    .values({ account: user.account, kind, fileName, createdAt: context.now(), preview: await stringify(stored), file: Buffer.from(file) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  await insertParts(tx, _id, found, columns)
  return _id
}

async function* toSheetCells(rows: AsyncIterable<readonly FoundRow[]>): AsyncGenerator<SheetCell[]> {
  for await (const part of rows) yield part.flatMap((row) => row.cells.map((cell) => toSheetCell(row, cell)))
}

const toSheetPreview = (
  { _id, kind, fileName, at, left, isImport, facts: { columns: _columns, parts: _parts, ...facts }, readRows }: StoredPreview,
  progress: SheetProgress,
): Streamed<SheetPreview> => ({
  _id,
  kind,
  fileName,
  at,
  ...facts,
  sheet: isImport ? '' : getSheetTitle(kind),
  isImport,
  progress,
  left: left && [...left],
  cells: toSheetCells(readRows()),
})

export interface StoredPreview {
  readonly _id: string
  readonly kind: SheetKind
  readonly fileName: string
  readonly at: string
  readonly left: readonly string[] | null
  /** Whether it is a file of another program. */
  readonly isImport: boolean
  readonly facts: StoredFacts
  readonly readRows: ReadRows
}

/** The condition of previews that are still there. */
export const isNotExpired = ({ now }: AppContext) => sql`"createdAt" >= ${now()}::timestamptz - interval '1 day'`

/** The caller's own preview of the last day; throws 404 for any other. */
export const findPreview = async (
  db: Queryable,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  _id: string,
): Promise<StoredPreview> => {
  const { rows } = isUuid(_id)
    ? await sql<Omit<StoredPreview, 'readRows'>>`
        select _id, kind, "fileName", ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, "left", preview as facts, import is not null as "isImport" from sheet_preview
        where _id = ${_id} and account = ${user.account} and ${isNotExpired(context)}`.execute(db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Preview')
  return { ...found, readRows: () => readParts(db, _id, found.facts) }
}

/** The lock of a transaction that saves a preview. */
export const lockOf = (_id: string) => sql`hashtextextended(${`sheet preview ${_id}`}, 0)`

interface StoredProgress {
  readonly saved: number
  readonly total: number
  readonly name: string | null
  /** Since the save began. */
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
        from sheet_preview where _id = ${_id} and account = ${account} and ${isNotExpired(context)}`.execute(context.db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Preview')
  return found
}

/** The progress of saving the caller's own preview. The save holds a lock, whichever server it runs on. */
export const findProgress = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<SheetProgress> => {
  const first = await readStoredProgress(context, user, _id)
  // A save that is just ending may release its lock after its row was read, so the row is read again.
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

/** A preview as visible to the user who uploaded it. */
export const readPreview = async (context: AppContext, user: Pick<SignedIn, 'account'>, _id: string): Promise<Streamed<SheetPreview>> => {
  const stored = await findPreview(context.db, context, user, _id)
  return toSheetPreview(stored, await findProgress(context, user, _id))
}

/** The file of the caller's own preview. */
export const readPreviewFile = async ({ db }: AppContext, _id: string): Promise<Uint8Array> =>
  (await db.selectFrom('sheet_preview').select('file').where('_id', '=', _id).executeTakeFirstOrThrow()).file
