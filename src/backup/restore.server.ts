import { basename } from 'node:path'

import { sql } from 'kysely'

import { EDITABLE_KINDS } from '../contract/records.ts'
import type { Db, Tx } from '../database/connection.server.ts'
import { listAppliedMigrationNames, migrate } from '../database/migrate.server.ts'
import { getSystemActor, recordAudit } from '../platform/server/audit.ts'
import { type BackupHead, type BackupTable, checkBackupFile, InvalidBackup, readBackupFile } from './backup-file.server.ts'
import { listBackupTables } from './tables.server.ts'

/** The target database already contains data, which a restore must not touch. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'NotEmpty'
}

const MAX_BATCH_ROWS = 500
/** The number of characters sent in one statement. */
const MAX_BATCH_CHARACTERS = 8_000_000

/** Inserts rows unchanged; what triggers would add (versions, moments, histories) is in the backup itself. */
const insertRows = async (tx: Tx, { table, columns }: BackupTable, rows: readonly string[]): Promise<void> => {
  if (rows.length === 0) return
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(tx)
}

const readBackupHead = async (path: string, passphrase: string | undefined): Promise<BackupHead> => {
  for await (const line of readBackupFile(path, passphrase)) {
    if ('head' in line) return line.head
    break
  }
  throw new InvalidBackup('The backup has no head')
}

/** Throws if the database is in use: if it contains anything that a new installation does not. */
const assertEmptyDatabase = async (tx: Tx): Promise<void> => {
  for (const table of [...EDITABLE_KINDS, 'account', 'picture', 'request', 'hr_person', 'setting']) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0)
      throw new DatabaseNotEmpty('This place is not empty; restore into a new one (another DATA_DIR, or another database)')
  }
}

const loadBackup = async (tx: Tx, path: string, passphrase: string | undefined, count: (table: string) => void): Promise<void> => {
  const tables = await listBackupTables(tx)
  const known = new Map(tables.map(({ table, columns }) => [table, columns]))
  await sql`truncate ${sql.join(tables.map(({ table }) => sql.table(table)))} cascade`.execute(tx)
  for (const { table } of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
  let current: BackupTable | undefined
  let rows: string[] = []
  let characterCount = 0
  const flush = async (): Promise<void> => {
    if (current) await insertRows(tx, current, rows)
    rows = []
    characterCount = 0
  }
  for await (const line of readBackupFile(path, passphrase)) {
    if ('head' in line) continue
    if ('table' in line) {
      await flush()
      const columns = known.get(line.table)
      if (!columns || line.columns.some((column) => !columns.includes(column)))
        throw new InvalidBackup(`The backup has a table that is not here: ${line.table}`)
      current = line
      continue
    }
    if (!current) throw new InvalidBackup('The backup has rows of no table')
    count(current.table)
    rows.push(line.row)
    characterCount += line.row.length
    if (rows.length >= MAX_BATCH_ROWS || characterCount > MAX_BATCH_CHARACTERS) await flush()
  }
  await flush()
  await revokeAllAccess(tx, known)
  for (const { table } of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  await advanceSequences(tx)
}

/**
 * Sessions, tokens, calendar feeds and device passwords that were revoked after the backup would become valid again, and someone who read the file may have their
 * tokens, so everyone has to sign in again. The provider's sealed tokens are deleted with their sessions. Backups do not contain pending sign-ins
 * and tickets.
 */
const revokeAllAccess = async (tx: Tx, known: ReadonlyMap<string, readonly string[]>): Promise<void> => {
  await sql`update session set "endedAt" = coalesce("endedAt", now()), "idToken" = null`.execute(tx)
  await sql`update account set "directoryTokens" = null, "directoryTokensDue" = null`.execute(tx)
  // A backup of an older version may lack these tables.
  if (known.has('scim_token')) await tx.deleteFrom('scim_token').execute()
  if (known.has('calendar')) await tx.deleteFrom('calendar').execute()
  if (known.has('device')) await tx.deleteFrom('device').execute()
  if (known.has('assistant_client')) await tx.deleteFrom('assistant_client').execute()
  // Programs that synced after the backup have later revisions of address books.
  if (known.has('address_book')) await tx.deleteFrom('address_book').execute()
  // A restored copy must not send events to other programs, and nothing may be sent twice.
  if (known.has('webhook')) {
    await sql`update webhook set state = 'paused', version = version + 1 where state = 'active'`.execute(tx)
    await sql`delete from webhook_queue`.execute(tx)
    await sql`update webhook_delivery set state = 'failed', "endedAt" = now(), problem = 'A backup was restored' where state = 'waiting'`.execute(
      tx,
    )
    await sql`update webhook set cursor = (select coalesce(max(_id), 0) from change)`.execute(tx)
  }
  if (known.has('api_token')) await sql`update api_token set "endedAt" = coalesce("endedAt", now())`.execute(tx)
}

/** Sequences continue after the last restored number. */
const advanceSequences = async (tx: Tx): Promise<void> => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`.execute(
    tx,
  )
  for (const { table, column } of rows)
    await sql`select setval(pg_get_serial_sequence(${`public.${table}`}, ${column}), coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0) + 1, false)`.execute(
      tx,
    )
}

/** An open database, and a function that closes it. */
interface OpenedDatabase {
  readonly db: Db
  readonly stop: () => Promise<void>
}

/**
 * Restores a backup into an empty database, all or nothing. Refuses a truncated or modified file before opening or writing anything, then a file of a
 * newer version or a database in use. A backup of an older version is migrated afterward. Sessions, API tokens, calendar feeds and device passwords of
 * the backup are revoked, and `finish` runs once it is up to date. Returns the number of rows per table.
 */
export const restore = async (
  open: () => Promise<OpenedDatabase>,
  path: string,
  passphrase?: string,
  finish: (db: Db) => Promise<void> = async () => {},
): Promise<ReadonlyMap<string, number>> => {
  await checkBackupFile(path, passphrase)
  const { migrations } = await readBackupHead(path, passphrase)
  const { db, stop } = await open()
  try {
    await migrate(db, migrations)
    if ((await listAppliedMigrationNames(db)).length !== migrations.length)
      throw new DatabaseNotEmpty('This place belongs to a newer version than the backup; restore into one that was never opened')
    const counts = new Map<string, number>()
    await db.transaction().execute(async (tx) => {
      await assertEmptyDatabase(tx)
      await loadBackup(tx, path, passphrase, (table) => counts.set(table, (counts.get(table) ?? 0) + 1))
    })
    await migrate(db)
    // The audit rows of the backup are in the chain already; this one follows them.
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
    await recordAudit(db, getSystemActor('homeroom restore'), { kind: 'backup.restored', after: { file: basename(path), rows } })
    await finish(db)
    await sql`analyze`.execute(db)
    return counts
  } finally {
    await stop()
  }
}
