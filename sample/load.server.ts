import { sql } from 'kysely'

import type { Db, Tx } from '../src/database/connection.server.ts'
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
 * Writes a sample network and its three years of history in one transaction. If another server is doing the same, waits for it and keeps
 * what it wrote.
 */
export const loadSample = async ({ db, sites, seed = 1, appId = 'homeroom', now = new Date(), log }: SampleOptions): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.sample})`.execute(tx)
    if (!(await isDatabaseEmpty(tx))) return
    // No server has read the records yet, so that none has to be told of each change.
    await sql`select set_config('homeroom.skip_notify', 'yes', true)`.execute(tx)
    const plan = planNetwork({ seed, sites, now, known: await readKnownIds(tx) })
    const pictures = await writePictures(tx, plan)
    const steps = buildHistory(plan, pictures, appId)
    await sql.raw(APPLY_STEPS).execute(tx)
    let lastLogAt = Date.now()
    let entered = 0
    let batch: StoredStep[] = []
    for (const step of steps) {
      batch.push(toStoredStep(step))
      entered += step.sites
      if (step !== steps.at(-1) && sumRows(batch) < BATCH_ROWS) continue
      await sql`select pg_temp.apply_steps(${JSON.stringify(batch)})`.execute(tx)
      batch = []
      if (log && Date.now() - lastLogAt > LOG_INTERVAL_MS) {
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

const readKnownIds = async (tx: Tx): Promise<KnownIds> => {
  const idsOf = async (table: 'region' | 'role' | 'program_type'): Promise<Map<string, string>> => {
    const rows = await tx.selectFrom(table).select(['name', '_id']).orderBy('name').execute()
    return new Map(rows.map(({ name, _id }) => [name, _id]))
  }
  return { region: await idsOf('region'), role: await idsOf('role'), programType: await idsOf('program_type') }
}

const LOG_INTERVAL_MS = 10_000
/** One statement writes at most this many rows, and about as many are sent to the database at a time. */
const BATCH_ROWS = 1000

/** Applies many steps at once: sending each statement would take longer than most of them. The triggers read the settings. */
const APPLY_STEPS = `
  create function pg_temp.apply_steps(steps jsonb) returns void language plpgsql as $$
  declare
    step jsonb;
    write jsonb;
  begin
    for step in select * from jsonb_array_elements(steps) loop
      perform set_config('homeroom.' || key, value, true) from jsonb_each_text(step -> 'settings');
      for write in select * from jsonb_array_elements(step -> 'writes') loop
        execute write ->> 'statement' using write -> 'rows';
      end loop;
    end loop;
  end
  $$`

interface StoredStep {
  readonly settings: Readonly<Record<string, string>>
  readonly writes: readonly { readonly statement: string; readonly rows: readonly object[] }[]
}

const toStoredStep = ({ account = '', by, at, changeset = '', suggestedBy = '', writes }: Step): StoredStep => ({
  settings: { actor: account, actor_name: by, at: at.toISOString(), changeset, suggested_by: suggestedBy },
  writes: writes().flatMap((write) => {
    const statement = toStatement(write)
    const batches = Array.from({ length: Math.ceil(write.rows.length / BATCH_ROWS) }, (_, at) => at * BATCH_ROWS)
    return batches.map((first) => ({ statement, rows: write.rows.slice(first, first + BATCH_ROWS) }))
  }),
})

const sumRows = (steps: readonly StoredStep[]): number =>
  steps.flatMap(({ writes }) => writes).reduce((sum, { rows }) => sum + rows.length, 0)

/** PostgreSQL converts the rows from JSON by the column types of the table. */
const toStatement = ({ table, action, rows }: Write): string => {
  const columns = Object.keys(rows[0] ?? {})
  const quote = (name: string): string => `"${name}"`
  const key = columns.includes('_id') ? '"_id"' : 'site'
  const given = `jsonb_populate_recordset(null::${table}, $1) as given`
  const list = columns.map(quote).join()
  if (action === 'insert') return `insert into ${table} (${list}) select ${list} from ${given}`
  if (action === 'delete') return `delete from ${table} using ${given} where ${table}.${key} = given.${key}`
  const set = columns.map((column) => `${quote(column)} = given.${quote(column)}`).join()
  return `update ${table} set ${set} from ${given} where ${table}.${key} = given.${key}`
}
