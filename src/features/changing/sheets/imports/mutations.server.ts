import { sql } from 'kysely'

import { can } from '../../../../contract/capabilities.ts'
import { type ImportKind, IMPORTS, TABLE_KINDS } from '../../../../contract/imports.ts'
import { invalidFields, Problem } from '../../../../contract/problem.ts'
import { SHEETS } from '../../../../contract/sheets.ts'
import { type Queryable, tryLock, type Tx } from '../../../../database/connection.server.ts'
import { LOCKS } from '../../../../database/locks.ts'
import type { AppContext, SignedIn } from '../../../../platform/server/app-context.ts'
import { beginChangeset } from '../../../../platform/server/changeset.ts'
import type { ComparedImport, ImportedCell, ImportedRow, ImportedTable } from '../../../../platform/server/importer.ts'
import { ProgressNote } from '../apply.server.ts'
import type { SheetChoices } from '../contract.ts'
import { toAddress, toSheetCell } from '../found-rows.server.ts'
import { inform } from '../layout.server.ts'
import { deleteOldPreviews, findProgress, insertParts, lockOf, type StoredFacts, toParts } from '../stored-preview.server.ts'
import { createChoose, readCorrections } from './choose-cells.server.ts'
import type { GivenMapping, ImportPreview, ImportState } from './contract.ts'
import { mergeMappings, parseText, readGiven, toMapping } from './given-mapping.server.ts'
import { compareRows, findImport, findMapping, NO_MAPPING, type StoredChoices, type StoredImport, toShape } from './queries.server.ts'

const EMPTY_FACTS: StoredFacts = { rows: 0, unchanged: 0, newRows: 0, downloadedAt: null, warnings: [], columns: [], parts: 0 }

const saveMapping = async (tx: Tx, { now }: AppContext, { kind, shape, mapping }: StoredChoices): Promise<void> => {
  await sql`insert into import_mapping (kind, shape, mapping, "updatedAt") values (${kind}, ${shape}, ${JSON.stringify(mapping)}::jsonb, ${now()})
    on conflict (kind, shape) do update set mapping = excluded.mapping, "updatedAt" = excluded."updatedAt"`.execute(tx)
}

/** What the columns and words of an import become, and the rows of its file. */
const readState = async (context: AppContext, db: Queryable, stored: StoredImport, table: ImportedTable) => {
  const { kind, mapping, isRemembered } = stored.import
  const guess = await context.importer.guess(db, kind, table, mapping)
  const state: ImportState = {
    _id: stored._id,
    kind,
    fileName: stored.fileName,
    at: stored.at,
    sheet: table.sheet ?? '',
    headerLine: table.headerLine,
    rows: table.rows.length,
    isRemembered,
    columns: guess.columns.map((column) => ({ ...column, samples: [...column.samples] })),
    values: guess.values.map((value) => ({ ...value })),
    fields: guess.fields.map((field) => ({ ...field })),
    choices: Object.fromEntries(
      Object.entries(guess.choices).map(([field, choices]) => [field, choices.map(({ value, label }) => ({ value, label }))]),
    ),
  }
  return state
}

/** Level 1 gives access levels; everyone else imports the old program's folder without them. */
const toLegacyOptions = ({ configuration }: AppContext, { accessLevel }: Pick<SignedIn, 'accessLevel'>, fileName: string) => ({
  fileName,
  appId: configuration.appId,
  timeZone: configuration.timeZone,
  withPermissions: can(accessLevel, 'end anyone’s sessions'),
})

const toLegacyState = ({ _id, fileName, at }: Pick<StoredImport, '_id' | 'fileName' | 'at'>, rows: number): ImportState => ({
  _id,
  kind: 'legacy',
  fileName,
  at,
  sheet: '',
  headerLine: 0,
  rows,
  isRemembered: false,
  columns: [],
  values: [],
  fields: [],
  choices: {},
})

interface StoredFile {
  readonly fileName: string
  readonly file: Uint8Array
  readonly choices: StoredChoices
}
const insertFile = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  { fileName, file, choices }: StoredFile,
): Promise<{ readonly _id: string; readonly at: string }> => {
  await deleteOldPreviews(tx, context, user)
  const { sheet } = IMPORTS[choices.kind]
  const createdAt = context.now()
  const stored = { account: user.account, kind: sheet, fileName, createdAt, file: Buffer.from(file) }
  const { _id } = await tx
    .insertInto('sheet_preview')
    .values({ ...stored, preview: JSON.stringify(EMPTY_FACTS), import: JSON.stringify(choices) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return { _id, at: createdAt.toISOString() }
}

/** Stores a ZIP of the old program's folder, if it can be read. */
const insertLegacy = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel'>,
  fileName: string,
  file: Uint8Array,
): Promise<ImportState> => {
  const { records } = await context.importer.importLegacy(context.db, file, toLegacyOptions(context, user, fileName))
  const choices: StoredChoices = { kind: 'legacy', shape: '', isRemembered: false, mapping: NO_MAPPING }
  return toLegacyState({ fileName, ...(await insertFile(tx, context, user, { fileName, file, choices })) }, records)
}

/** The kind of a file: that of the caller, or what the file looks like. */
const findKind = async ({ importer }: AppContext, kind: ImportKind | 'any', fileName: string, file: Uint8Array): Promise<ImportKind> => {
  if (kind !== 'any') return kind
  if (/\.zip$/i.test(fileName)) return 'legacy'
  const guessed = await importer.guessKind(file, TABLE_KINDS)
  const found = TABLE_KINDS.find((one) => one === guessed)
  if (found) return found
  const message = 'Homeroom does not recognize what is in this file. On the page Import, first choose what it has.'
  throw new Problem(422, 'This file cannot be used', { detail: message, errors: [{ path: 'file', message }] })
}

/** What is known about the columns of a table before anyone chose. */
const findChoices = async (db: Queryable, kind: ImportKind, table: ImportedTable): Promise<StoredChoices> => {
  const shape = toShape(table)
  const remembered = await findMapping(db, kind, shape)
  return { kind, shape, isRemembered: remembered !== undefined, mapping: remembered ?? NO_MAPPING }
}

/** Stores a file with what its columns and words become; returns its key. */
export const insertImport = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel'>,
  asked: ImportKind | 'any',
  { fileName, file, mappingText }: { readonly fileName: string; readonly file: Uint8Array; readonly mappingText: string | undefined },
): Promise<ImportState> => {
  const kind = await findKind(context, asked, fileName, file)
  if (kind === 'legacy') return insertLegacy(tx, context, user, fileName, file)
  const table = await context.importer.readTable(file, kind)
  const known = await findChoices(tx, kind, table)
  const first: StoredImport = { _id: '', fileName, at: '', file, left: null, import: known }
  const mapping =
    mappingText === undefined
      ? first.import.mapping
      : mergeMappings(first.import.mapping, readGiven(await readState(context, tx, first, table), parseText(mappingText)))
  const choices: StoredChoices = { ...first.import, mapping }
  const stored = await insertFile(tx, context, user, { fileName, file, choices })
  return readState(context, tx, { ...first, ...stored, import: choices }, table)
}

/** Changes what columns and words become, and remembers it for the next file with the same columns. */
export const updateMapping = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account'>,
  _id: string,
  given: { readonly kind?: ImportKind | undefined; readonly mapping?: GivenMapping | undefined },
): Promise<ImportState> => {
  const found = await findImport(tx, context, user, _id)
  if (found.left !== null) throw new Problem(409, 'This is saved already')
  if (found.import.kind === 'legacy') return toLegacyState(found, 0)
  const kind = given.kind ?? found.import.kind
  const table = await context.importer.readTable(found.file, kind)
  const stored = kind === found.import.kind ? found : { ...found, import: await findChoices(tx, kind, table) }
  const state = await readState(context, tx, stored, table)
  const choices: StoredChoices = { ...stored.import, mapping: mergeMappings(stored.import.mapping, readGiven(state, given.mapping ?? {})) }
  await tx
    .updateTable('sheet_preview')
    .set({ kind: IMPORTS[kind].sheet, import: JSON.stringify(choices) })
    .where('_id', '=', _id)
    .execute()
  await saveMapping(tx, context, choices)
  return readState(context, tx, { ...stored, import: choices }, table)
}

const NOT_COMPARED: ComparedImport = { rows: [], known: 0, unchanged: 0, added: 0, notes: [] }

const compare = async (
  context: AppContext,
  db: Queryable,
  stored: StoredImport,
  corrections: ReadonlyMap<string, string>,
  withCells = true,
) => {
  const table = await context.importer.readTable(stored.file, stored.import.kind)
  const state = await readState(context, db, stored, table)
  if (!withCells) return { state, compared: NOT_COMPARED, warnings: [] }
  return { state, ...(await compareRows(db, context, { kind: state.kind, table, mapping: toMapping(state), corrections })) }
}

const countCells = ({ rows, unchanged, added }: ComparedImport): ImportPreview['counts'] => {
  const count = (state: ImportedCell['state']) =>
    rows.reduce((sum, { cells }) => sum + cells.filter((cell) => cell.state === state).length, 0)
  return { new: added, changed: count('change'), unchanged, conflicts: count('conflict'), errors: count('error') }
}

const BATCH_ROWS = 50
async function* toBatches(rows: readonly ImportedRow[]): AsyncGenerator<ImportPreview['cells']> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    yield rows.slice(from, from + BATCH_ROWS).flatMap((row) => row.cells.map((cell) => toSheetCell(row, cell)))
}

/** What an import would change. */
export const readImportPreview = async (
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel'>,
  _id: string,
  withCells: boolean,
) => {
  const stored = await findImport(context.db, context, user, _id)
  const isSaved = stored.left !== null
  if (stored.import.kind === 'legacy') return readLegacyPreview(context, user, stored, isSaved)
  const { state, compared, warnings } = await compare(context, context.db, stored, new Map(), withCells && !isSaved)
  return {
    ...state,
    cells: toBatches(compared.rows),
    warnings,
    unchanged: compared.unchanged,
    newRows: compared.added,
    counts: countCells(compared),
    held: compared.rows.flatMap((row) =>
      row.cells.flatMap((cell) => (cell.isRequired && cell.state === 'error' ? [toAddress(row, cell)] : [])),
    ),
    progress: await findProgress(context, user, _id),
    left: stored.left && [...stored.left],
  }
}

/** What the old program's folder would change, in lines instead of cells. */
const readLegacyPreview = async (
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel'>,
  stored: StoredImport,
  isSaved: boolean,
) => {
  const options = toLegacyOptions(context, user, stored.fileName)
  const summary = isSaved ? undefined : await context.importer.importLegacy(context.db, stored.file, options)
  const { added = 0, changed = 0, unchanged = 0, kept = 0, refused = 0, records = 0, lines = [] } = summary ?? {}
  return {
    ...toLegacyState(stored, records),
    cells: [],
    warnings: lines.map((line) => inform('columns', line.trim())),
    unchanged,
    newRows: added,
    held: [],
    counts: { new: added, changed, unchanged, conflicts: kept, errors: refused },
    progress: await findProgress(context, user, stored._id),
    left: stored.left && [...stored.left],
  }
}

/** Saves the caller's own import in the given transaction, as one changeset. */
export const saveImport = async (
  tx: Tx,
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'name' | 'accessLevel'>,
  _id: string,
  choices: SheetChoices,
) => {
  const stored = await findImport(tx, context, user, _id)
  if (!(await tryLock(tx, lockOf(_id)))) throw new Problem(409, 'This is already being saved')
  if (stored.left !== null) throw new Problem(409, 'This is saved already')
  await sql`select pg_advisory_xact_lock(${LOCKS.directoryImport})`.execute(tx)
  if (stored.import.kind === 'legacy') return saveLegacy(tx, context, user, stored)
  const corrections = readCorrections(choices)
  const { state, compared, warnings } = await compare(context, tx, stored, corrections)
  const wrong = compared.rows.flatMap((row) =>
    row.cells.flatMap((cell) =>
      cell.state === 'error' && corrections.has(toAddress(row, cell)) ? [{ path: toAddress(row, cell), message: cell.message ?? '' }] : [],
    ),
  )
  if (wrong.length > 0) throw invalidFields(wrong)
  const choose = createChoose(warnings, choices)
  const [rows, leftRows]: [ImportedRow[], ImportedRow[]] = [[], []]
  for (const row of compared.rows) {
    const { saved, left } = choose(row)
    if (saved.length > 0) rows.push({ ...row, cells: saved })
    if (left.length > 0) leftRows.push({ ...row, cells: left })
  }
  const nothing = { changeset: null, changed: 0, created: 0, fileName: stored.fileName }
  if (rows.length === 0) return nothing
  const progress = new ProgressNote(context, _id)
  await progress.begin(rows.length)
  const { kind } = SHEETS[IMPORTS[state.kind].sheet]
  const facts = {
    kind: 'import',
    recordKind: kind,
    title: stored.fileName,
    account: user.account,
    name: user.name,
    at: context.now(),
  } as const
  const changeset = await beginChangeset(tx, facts)
  await context.importer.write(tx, rows, (written, name) => progress.note(written, name))
  await progress.end(rows.length)
  const columns = [...new Map(leftRows.flatMap(({ cells }) => cells.map(({ column }) => [column.path, column] as const))).values()]
  const shared = new Map(columns.map((column) => [column.path, column]))
  const found = leftRows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => ({ ...cell, column: shared.get(cell.column.path) ?? cell.column })),
  }))
  await insertParts(tx, _id, found, columns)
  const leftFacts: StoredFacts = {
    ...EMPTY_FACTS,
    rows: compared.known,
    unchanged: compared.unchanged,
    newRows: compared.added,
    warnings,
    columns,
    parts: [...toParts(found)].length,
  }
  await tx
    .updateTable('sheet_preview')
    .set({
      changeset,
      left: JSON.stringify(leftRows.flatMap((row) => row.cells.map((cell) => toAddress(row, cell)))),
      saved: rows.length,
      preview: JSON.stringify(leftFacts),
    })
    .where('_id', '=', _id)
    .execute()
  await saveMapping(tx, context, { ...stored.import, mapping: toMapping(state) })
  const created = rows.filter(({ record }) => record === null).length
  return { changeset: { _id: changeset }, changed: rows.length - created, created, fileName: stored.fileName }
}

/** Saves the old program's folder in the given transaction, as one changeset. */
const saveLegacy = async (tx: Tx, context: AppContext, user: Pick<SignedIn, 'account' | 'name' | 'accessLevel'>, stored: StoredImport) => {
  const { _id, fileName, file } = stored
  const progress = new ProgressNote(context, _id)
  await progress.begin(1)
  const recordKind = SHEETS[IMPORTS.legacy.sheet].kind
  const facts = { kind: 'import', recordKind, title: fileName, account: user.account, name: user.name, at: context.now() } as const
  const changeset = await beginChangeset(tx, facts)
  const note = (written: number) => progress.note(written, null)
  const { added, changed } = await context.importer.importLegacy(
    context.db,
    file,
    { ...toLegacyOptions(context, user, fileName), note },
    tx,
  )
  await progress.end(added + changed)
  await tx
    .updateTable('sheet_preview')
    .set({ changeset, left: '[]', saved: added + changed })
    .where('_id', '=', _id)
    .execute()
  return { changeset: { _id: changeset }, changed, created: added, fileName }
}
