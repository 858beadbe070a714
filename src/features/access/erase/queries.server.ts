import { sql } from 'kysely'

import { DAY_MS, toIsoDay } from '../../../contract/dates.ts'
import { getErasedName } from '../../../contract/erased-names.ts'
import type { Db, Queryable, Tx } from '../../../database/connection.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { BackupsOfErased, Erasure, ErasurePreview } from './contract.ts'
import { isOwnedRow } from './owned-rows.server.ts'
import { PersonalTexts, toPattern } from './personal-texts.ts'
import type { RemovedRows } from './rules.ts'
import type { Subject } from './subject.server.ts'
import { countFound } from './sweep.server.ts'
import { listTextTables } from './text-columns.server.ts'

const NOTHING = { name: '', slug: '' }

/** The number of rows with personal data, by table. */
export const countRows = async (tx: Tx, subject: Subject): Promise<Record<string, number>> => {
  const texts = new PersonalTexts(subject.own, NOTHING)
  const counts: Record<string, number> = {}
  for (const table of await listTextTables(tx)) {
    const isOwned = isOwnedRow(table.table, subject)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table.table)} where ${isOwned ?? sql`false`}`.execute(tx)
    const count = (rows[0]?.count ?? 0) + (texts.isEmpty ? 0 : await countFound(tx, table, texts, isOwned))
    if (count > 0) counts[table.table] = count
  }
  return counts
}

export const toRemovedRows = (counts: Readonly<Record<string, number>>): RemovedRows[] =>
  Object.keys(counts)
    .toSorted()
    .map((table) => ({ table, rows: counts[table] ?? 0 }))

export interface Refusal {
  readonly status: 403 | 409
  readonly title: string
  readonly detail?: string
}

/** Why someone cannot be erased; undefined if they can. Whoever erases has level 1 and stays, so no erasure ends the last one. */
export const findRefusal = async (
  db: Queryable,
  { superAdmins }: Configuration,
  user: SignedIn,
  { kind, record, texts, accounts }: Subject,
): Promise<Refusal | undefined> => {
  const emails = texts.flatMap((one) => (one.kind === 'email' ? [one.text.toLowerCase()] : []))
  const { rows } = await sql<{ number: number }>`select number from erasure where kind = ${kind} and record = ${record}`.execute(db)
  if (rows[0]) return { status: 409, title: `The personal data of this record was erased before: ${getErasedName(kind, rows[0].number)}` }
  if (accounts.includes(user.account) || emails.includes(user.azureID.toLowerCase()))
    return { status: 403, title: 'You can’t erase yourself', detail: 'Someone else at level 1 can do this.' }
  if (emails.some((email) => superAdmins.includes(email)))
    return {
      status: 409,
      title: 'This person is in SUPER_ADMINS',
      detail: 'Remove their address from the configuration of the server first; otherwise their next sign-in has level 1 again.',
    }
  return undefined
}

/** The daily backups of this server, of which the one made next is the first without what was erased. */
export const getBackupsOfErased = (configuration: Configuration, at: Date): BackupsOfErased => {
  const { isBackupEnabled, backupKeep, timeZone } = configuration
  if (!isBackupEnabled) return { until: null, kept: 0 }
  return { until: toIsoDay(new Date(at.getTime() + backupKeep * DAY_MS), timeZone), kept: backupKeep }
}

export const getErasurePreview = async (
  db: Db,
  configuration: Configuration,
  user: SignedIn,
  subject: Subject,
  now: Date,
): Promise<ErasurePreview> => {
  const { kind, record: _id, name, version, texts, own } = subject
  const refusal = await findRefusal(db, configuration, user, subject)
  const isShared = (one: Subject['texts'][number]): boolean =>
    (one.kind === 'name' || one.kind === 'phone') && toPattern(one) !== null && !own.includes(one)
  return {
    kind,
    _id,
    name,
    version,
    removed: toRemovedRows(await db.transaction().execute((tx) => countRows(tx, subject))),
    shared: texts.filter(isShared).map(({ text }) => text),
    refusal: refusal ? [refusal.title, refusal.detail].filter(Boolean).join('. ') : null,
    backups: getBackupsOfErased(configuration, now),
  }
}

export const findErasures = async (db: Queryable, configuration: Configuration, number?: number): Promise<Erasure[]> => {
  const all = db.selectFrom('erasure').selectAll().orderBy('number', 'desc')
  const rows = await (number === undefined ? all : all.where('number', '=', number)).execute()
  return rows.map(({ number: of, kind, record, at, by, reason, removed }) => ({
    number: of,
    kind,
    _id: record,
    name: getErasedName(kind, of),
    at: at.toISOString(),
    by,
    reason,
    removed: toRemovedRows(removed),
    backups: getBackupsOfErased(configuration, at),
  }))
}
