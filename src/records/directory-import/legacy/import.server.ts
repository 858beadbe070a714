import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { sql } from 'kysely'

import { type Db, setActor, type Tx } from '../../../database/connection.server.ts'
import { ImportError } from '../../../platform/server/import-error.ts'
import { withImportLock } from '../../../platform/server/import-lock.ts'
import { recordImport } from '../../../platform/server/record-import.ts'
import { insertPicture, readPictureFile } from '../../../platform/server/stored-pictures.ts'
import { type ImportFinding, Findings } from './findings.ts'
import { type ReadFileSummary, readFolder } from './folder.server.ts'
import { countRowsToWrite, writePlan } from './mutations.server.ts'
import { LEGACY_IMPORT, type ImportPlan, ImportPlanner } from './plan.server.ts'
import { formatCell } from './raw-values.ts'
import { type ImportRow, ImportRows, LEGACY_TABLES, type TableName } from './rows.ts'

export interface LegacyImportOptions {
  readonly path: string
  readonly dryRun: boolean
  /** Imports even if there are records that did not come from the old program. */
  readonly beside: boolean
  /** Leaves out access levels, which not everyone who imports files may give. */
  readonly withoutPermissions?: boolean
  readonly appId: string
  readonly timeZone: string
}
export interface LegacyListener {
  onPlanned(outcome: LegacyOutcome): void | Promise<void>
  onWritten(rows: number, of: number): void
  onWaiting(): void
  throwIfStopped(): void
}

export interface LegacyOutcome {
  readonly files: readonly ReadFileSummary[]
  readonly plan: ImportPlan
  readonly findings: readonly ImportFinding[]
  readonly rowsToWrite: number
  /** Per table, the number of records that an earlier folder had and this one does not have. */
  readonly gone: number
}

type LegacyPicture = Awaited<ReturnType<typeof readPictureFile>>

/** Imports the old program's network: everything in one transaction, or nothing. A dry run writes nothing. */
export const importLegacy = async (db: Db, options: LegacyImportOptions, listener: LegacyListener): Promise<LegacyOutcome> => {
  const work = await prepareLegacyImport(db, options, listener)
  if (options.dryRun) return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  const outcome = await withImportLock(db, listener, work)
  if (outcome.rowsToWrite > 0) await sql`analyze`.execute(db).catch(() => {})
  return outcome
}

/** Reads the folder; returns the function that compares it and, unless it is a dry run, writes it in a transaction. */
export const prepareLegacyImport = async (
  db: Db,
  options: LegacyImportOptions,
  listener: LegacyListener,
): Promise<(tx: Tx) => Promise<LegacyOutcome>> => {
  const read = new Findings()
  const { network, files, pictures: pictureFiles } = await readFolder(options.path, read, () => listener.throwIfStopped())
  const { rows, pictures } = new ImportRows(network, read, { timeZone: options.timeZone }, options.appId)
  if (options.withoutPermissions)
    for (const { ref } of rows.permission.splice(0)) read.add(ref, '', 'not placed', { reason: 'only level 1 imports access levels' })
  const kept = new Map<string, NonNullable<LegacyPicture>>()
  for (const { row, column, value } of pictures) {
    listener.throwIfStopped()
    const picture = await loadPicture(db, value, pictureFiles)
    if (typeof picture === 'string') row.values[column] = picture
    else if (picture) {
      kept.set(picture._id, picture)
      row.values[column] = picture._id
    } else {
      delete row.values[column]
      read.add(row.ref, column, 'refused', { value, reason: 'the picture is not in the folder' })
    }
  }

  let isPlanReported = false
  const work = async (tx: Tx): Promise<LegacyOutcome> => {
    const findings = new Findings()
    findings.all.push(...read.all)
    await assertEmptyDatabase(tx, rows, options.beside)
    const plan = await new ImportPlanner(tx, findings).createPlan(rows)
    const gone = await reportGone(tx, rows, plan, findings)
    const rowsToWrite = countRowsToWrite(plan)
    const outcome = { files, plan, findings: findings.all, rowsToWrite, gone }
    if (!isPlanReported) await listener.onPlanned(outcome)
    isPlanReported = true
    if (options.dryRun || rowsToWrite === 0) return outcome
    await setActor(tx, { account: null, name: `${LEGACY_IMPORT} (${basename(options.path)})` })
    for (const picture of kept.values()) await insertPicture(tx, picture)
    await writePlan(tx, plan, listener)
    await recordImport(tx, { what: 'legacy', file: basename(options.path), rows: rowsToWrite, pictures: kept.size, gone })
    return outcome
  }
  return work
}

/** Matches the actor names of imports from the old program, which begin with this text. */
const LEGACY_ACTOR_PATTERN = `${LEGACY_IMPORT}%`

/** Prevents mixing a network by accident with a database that is in use or contains the sample network. */
const assertEmptyDatabase = async (tx: Tx, rows: ImportRows['rows'], beside: boolean): Promise<void> => {
  if (beside) return
  const before = await sql`select from change where "actorName" like ${LEGACY_ACTOR_PATTERN} limit 1`.execute(tx)
  if (before.rows.length > 0) return
  const ids = (table: TableName): (string | null)[] => rows[table].map(({ id }) => id)
  const { rows: counts } = await sql<{ brands: number; charters: number; sites: number }>`select
    (select count(*)::int from brand where _id <> all(${ids('brand')}::text[])) as brands,
    (select count(*)::int from charter where _id <> all(${ids('charter')}::text[])) as charters,
    (select count(*)::int from site where _id <> all(${ids('site')}::text[])) as sites`.execute(tx)
  const { brands = 0, charters = 0, sites = 0 } = counts[0] ?? {}
  if (brands + charters + sites === 0) return
  throw new ImportError(
    `The database holds ${brands} brands, ${charters} charters and ${sites} sites that are not of the old program (a sample network, or someone's work): nothing was written. Begin with an empty database (SAMPLE=none), or add --beside`,
  )
}

/** A stored picture by its id, a file of the folder by the name at the end of the URL, or the picture of a data URL; undefined if there is none. */
const loadPicture = async (db: Db, address: string, files: ReadonlyMap<string, string>): Promise<LegacyPicture | string> => {
  const inside = /^data:image\/[\w.+-]+;base64,/.exec(address)
  if (inside) return readPictureFile(Buffer.from(address.slice(inside[0].length), 'base64'))
  const name = decodeName(address.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(name) && (await db.selectFrom('picture').select('_id').where('_id', '=', name).executeTakeFirst())) return name
  const file = files.get(name) ?? [...PICTURE_EXTENSIONS].map((ending) => files.get(`${name}${ending}`)).find(Boolean)
  return file === undefined ? undefined : readPictureFile(await readFile(file), name)
}
const PICTURE_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.ico'] as const
const decodeName = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Records of an earlier folder that are missing in this one: they stay, and are reported. Only kinds that this folder contains are compared. */
const reportGone = async (tx: Tx, rows: ImportRows['rows'], plan: ImportPlan, findings: Findings): Promise<number> => {
  let gone = 0
  for (const table of LEGACY_TABLES) {
    if (table === 'facility' || table === 'enrollment' || table === 'site_program_type' || rows[table].length === 0) continue
    const here = listImportedIds(
      rows[table],
      plan.find((one) => one.table === table),
    )
    const { rows: found } = await sql<{ _id: string; row: Record<string, unknown> }>`
      select t._id, to_jsonb(t) as row from ${sql.table(table)} as t
      where t._id <> all(${here}::text[]) and exists (
        select from change where record = t._id and "table" = ${table} and action = 'insert' and "actorName" like ${LEGACY_ACTOR_PATTERN})`.execute(
      tx,
    )
    for (const { _id, row } of found) {
      const name = formatCell(row['displayName'] ?? row['name'] ?? row['brandName'] ?? '')
      findings.add({ file: '', kind: table, recordId: _id, name }, '', 'gone', {
        stored: row,
        reason: 'an earlier folder had it; it stays',
      })
    }
    gone += found.length
  }
  return gone
}
const listImportedIds = (rows: readonly ImportRow[], plan: ImportPlan[number] | undefined): string[] => [
  ...rows.flatMap(({ id }) => id ?? []),
  ...(plan?.presentIds ?? []),
]
