import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { IMPORT_KINDS, type ImportKind } from '../../../../contract/imports.ts'
import { notFound } from '../../../../contract/problem.ts'
import { isUuid } from '../../../../contract/slugs.ts'
import type { Queryable } from '../../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../../platform/server/app-context.ts'
import type { CompareOptions, ImportedTable, ImportMapping } from '../../../../platform/server/importer.ts'
import type { SheetWarning } from '../contract.ts'
import { inform } from '../layout.server.ts'
import { findWarnings } from '../plausibility.server.ts'
import { isNotExpired } from '../stored-preview.server.ts'
import type { ImportFile } from './contract.ts'

export interface StoredChoices {
  readonly kind: ImportKind
  readonly shape: string
  readonly isRemembered: boolean
  readonly mapping: ImportMapping
}
export interface StoredImport {
  readonly _id: string
  readonly fileName: string
  readonly at: string
  readonly file: Uint8Array
  readonly import: StoredChoices
  readonly left: readonly string[] | null
}

export const NO_MAPPING: ImportMapping = { columns: {}, values: {} }
/** The digest of the headers of a file. */
export const toShape = ({ headers }: ImportedTable): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map((header) => header.toLowerCase().replace(/\s+/g, ' ').trim())))
    .digest('hex')

export const findMapping = async (db: Queryable, kind: string, shape: string): Promise<ImportMapping | undefined> =>
  (await db.selectFrom('import_mapping').select('mapping').where('kind', '=', kind).where('shape', '=', shape).executeTakeFirst())
    ?.mapping as ImportMapping | undefined

/** The caller's own import of the last day; throws 404 for any other. */
export const findImport = async (
  db: Queryable,
  context: AppContext,
  { account }: Pick<SignedIn, 'account'>,
  _id: string,
): Promise<StoredImport> => {
  const { rows } = isUuid(_id)
    ? await sql<StoredImport>`
        select _id, "fileName", ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, file, import, "left" from sheet_preview
        where _id = ${_id} and account = ${account} and import is not null and ${isNotExpired(context)}`.execute(db)
    : { rows: [] }
  const [found] = rows
  if (!found) throw notFound('Import')
  return found
}

/** The caller's own imports of the last day: files that others refer to first. */
export const listImportFiles = async (context: AppContext, { account }: Pick<SignedIn, 'account'>): Promise<ImportFile[]> => {
  const { rows } = await sql<ImportFile>`
    select _id, import->>'kind' as kind, "fileName", ${toIsoTimestamp(sql<Date>`"createdAt"`)} as at, changeset is not null as "isSaved" from sheet_preview
    where account = ${account} and import is not null and ${isNotExpired(context)} order by "createdAt"`.execute(context.db)
  return rows.toSorted((a, b) => IMPORT_KINDS.indexOf(a.kind) - IMPORT_KINDS.indexOf(b.kind))
}

/** Warnings that make sense for a file of another program: it is meant to change many rows. */
const WARNINGS: ReadonlySet<SheetWarning['kind']> = new Set(['sorted', 'shifted', 'accents', 'scientific', 'dates'])

interface ReadFile {
  readonly kind: string
  readonly table: ImportedTable
  readonly mapping: ImportMapping
  readonly corrections: ReadonlyMap<string, string>
}
/** What the rows of a read file change, with what looks like a mistake. */
export const compareRows = async (
  db: Queryable,
  { importer }: AppContext,
  { kind, table, mapping, corrections }: ReadFile,
  options?: CompareOptions,
) => {
  const compared = await importer.compare(db, kind, table, mapping, corrections, options)
  const changed = compared.rows.filter(({ record }) => record !== null)
  const found = await findWarnings({ found: changed, rows: Infinity, duplicates: [], columns: [], widths: new Map(), struck: new Set() })
  const warnings = [...found.filter(({ kind: own }) => WARNINGS.has(own)), ...compared.notes.map((note) => inform('columns', note))]
  return { compared, warnings }
}
