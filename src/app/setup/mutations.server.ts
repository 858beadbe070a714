import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { createBackup } from '../../backup/backup.server.ts'
import { formatBackupName } from '../../backup/daily.server.ts'
import { listBackupTables } from '../../backup/tables.server.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import { LOCKS } from '../../database/locks.ts'
import { findSchemaOwnerError } from '../../database/migrate.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import { findSample, SAMPLE_STATE } from './queries.server.ts'
import type { SetupStep } from './rules.ts'

/** Stores the state of a step. */
export const saveStepState = async (tx: Tx, step: SetupStep, state: string): Promise<void> => {
  const value = JSON.stringify({ state })
  await sql`insert into setup_state (name, value) values (${step}, ${value}::jsonb)
    on conflict (name) do update set value = excluded.value, "updatedAt" = now()`.execute(tx)
}

/** What a new installation begins with, what the organization has set, and what nothing removes. */
const KEPT_TABLES = new Set(['region', 'role', 'program_type', 'setting', 'setup_state', 'audit_event', 'audit_chain'])
/** Tables of which the rows of one account are kept: who they are, that they are signed in, and their level. */
const OWN_ROWS: Readonly<Record<string, string>> = {
  account: '_id',
  session: 'account',
  super_admin_binding: 'account',
  permission: 'account',
  api_token: 'account',
}

/** Deletes the rows of all tables in one transaction, except those that are kept. */
const deleteSample = async (tx: Tx, account: string): Promise<void> => {
  const tables = (await listBackupTables(tx)).map(({ table }) => table).filter((table) => !KEPT_TABLES.has(table))
  // Their triggers would write a history of what was never real.
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
  await sql`update permission set person = null where account = ${account}`.execute(tx)
  // A backup leaves it out, and it refers to one of the tables.
  await sql`delete from erasure_pending`.execute(tx)
  for (const table of tables.toReversed()) {
    const own = OWN_ROWS[table]
    await sql`delete from ${sql.table(table)} ${own === undefined ? sql`` : sql`where ${sql.ref(own)} is distinct from ${account}::uuid`}`.execute(
      tx,
    )
  }
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  // The next start does not load it again.
  await sql`update setup_state set value = '{"sites": 0, "lastChange": 0}', "updatedAt" = now() where name = ${SAMPLE_STATE}`.execute(tx)
}

const noSample = (): Problem =>
  new Problem(409, 'There is no sample network here', { detail: 'The records of this database are real; nothing was removed.' })

/** Makes a backup and removes the sample network; returns the path of the backup. Nothing is removed without it. */
export const removeSampleNetwork = async (
  { db, configuration }: Pick<AppContext, 'db' | 'configuration'>,
  { account }: SignedIn,
  finish: (tx: Tx, backup: string) => Promise<void>,
): Promise<string> => {
  if ((await findSample(db)) === null) throw noSample()
  const ownerError = await findSchemaOwnerError(db)
  if (ownerError !== undefined) throw new Problem(409, 'The server’s role may not remove the sample network', { detail: `${ownerError}.` })
  const { backupDir, backupPassphrase } = configuration
  await mkdir(backupDir, { recursive: true, mode: 0o700 })
  // Its name differs from that of daily backups, which are deleted after some days.
  const backup = join(backupDir, `sample-${formatBackupName(new Date(), backupPassphrase)}`)
  await createBackup(db, backup, backupPassphrase)
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.sample})`.execute(tx)
    if ((await findSample(tx)) === null) throw noSample()
    await deleteSample(tx, account)
    await finish(tx, backup)
  })
  return backup
}
