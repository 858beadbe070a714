import { sql } from 'kysely'

import { type Db, setActor, type Tx } from '../src/database/connection.server.ts'
import { LOCKS } from '../src/database/locks.ts'
import { readPendingTexts } from '../src/features/deadlines/deadlines/sync.server.ts'
import { buildHistory } from './history.ts'
import { isDatabaseEmpty } from './is-empty.server.ts'
import { writePictures } from './pictures.server.ts'
import { type KnownIds, planNetwork } from './plan.ts'
import type { Step, Write } from './rows.ts'

export interface SampleOptions {
  /** A migrated database without any brand, charter or site. */
  readonly db: Db
  readonly sites: number
  readonly seed?: number
  readonly appId?: string
  readonly now?: Date
  /** Called with a progress line every ten seconds. */
  readonly log?: (line: string) => void
}

/**
 * Writes a sample network and its two years of history in one transaction. If another server is doing the same, waits for it and keeps
 * what it wrote.
 */
export const loadSample = async ({ db, sites, seed = 1, appId = 'homeroom', now = new Date(), log }: SampleOptions): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.sample})`.execute(tx)
    if (!(await isDatabaseEmpty(tx))) return
    const plan = planNetwork({ seed, sites, now, known: await readKnownIds(tx) })
    const pictures = await writePictures(tx, plan)
    const steps = buildHistory(plan, pictures, appId)
    let lastLogAt = Date.now()
    let entered = 0
    for (const step of steps) {
      await setActor(tx, { account: step.account ?? null, name: step.by, at: step.at })
      await setOrigin(tx, step)
      for (const write of step.writes()) await applyWrite(tx, write)
      entered += step.sites
      if (log && Date.now() - lastLogAt > LOG_INTERVAL_ROWS) {
        lastLogAt = Date.now()
        log(`Sample network: ${entered} of ${sites} sites`)
      }
    }
    await tx
      .insertInto('setup_state')
      .values({ name: 'sample', value: sql`(select jsonb_build_object('sites', ${sites}::int, 'lastChange', max(_id)) from change)` })
      .execute()
  })
  // No server caches lists of this network yet.
  await readPendingTexts({ db, lists: { invalidate: async () => {} }, at: now })
  // Pages are requested long before autovacuum would analyze the tables.
  await sql`analyze`.execute(db)
}

/** Read by the trigger `record_history`, for the rest of the transaction. */
const setOrigin = (tx: Tx, { changeset, suggestedBy }: Step) =>
  sql`select set_config('homeroom.changeset', ${changeset ?? ''}, true), set_config('homeroom.suggested_by', ${suggestedBy ?? ''}, true)`.execute(
    tx,
  )

const readKnownIds = async (tx: Tx): Promise<KnownIds> => {
  const idsOf = async (table: 'region' | 'role' | 'program_type'): Promise<Map<string, string>> => {
    const rows = await tx.selectFrom(table).select(['name', '_id']).orderBy('name').execute()
    return new Map(rows.map(({ name, _id }) => [name, _id]))
  }
  return { region: await idsOf('region'), role: await idsOf('role'), programType: await idsOf('program_type') }
}

const LOG_INTERVAL_ROWS = 10_000
const BATCH_SIZE = 1000

/** One statement for up to a thousand rows; PostgreSQL converts them from JSON by the column types of the table. */
const applyWrite = async (tx: Tx, { table, action, rows }: Write): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {})
  const key = columns.includes('_id') ? '_id' : 'site'
  const target = sql.table(table)
  for (let first = 0; first < rows.length; first += BATCH_SIZE) {
    const given = sql`jsonb_populate_recordset(null::${target}, ${JSON.stringify(rows.slice(first, first + BATCH_SIZE))}::jsonb) as given`
    const list = sql.join(columns.map((column) => sql.ref(column)))
    if (action === 'insert') {
      await sql`insert into ${target} (${list}) select ${list} from ${given}`.execute(tx)
    } else if (action === 'delete') {
      await sql`delete from ${target} using ${given} where ${sql.ref(`${table}.${key}`)} = given.${sql.ref(key)}`.execute(tx)
    } else {
      const set = sql.join(columns.filter((column) => column !== key).map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`))
      await sql`update ${target} set ${set} from ${given} where ${sql.ref(`${table}.${key}`)} = given.${sql.ref(key)}`.execute(tx)
    }
  }
}
