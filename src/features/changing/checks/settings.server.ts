import { sql } from 'kysely'

import { type CheckIntervals, DEFAULT_INTERVALS } from '../../../contract/checks.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import { toMoment } from '../../../platform/server/read-model/references.ts'
import type { CheckSettings } from './contract.ts'

const CHECK_SETTINGS = 'checks'

interface StoredCheckSettings {
  readonly intervals: CheckIntervals
  readonly version: number
  readonly updatedAt: string
  readonly updatedBy: string | null
}

const DEFAULTS: StoredCheckSettings = { intervals: DEFAULT_INTERVALS, version: 0, updatedAt: new Date(0).toISOString(), updatedBy: null }

export const readStoredCheckSettings = async (db: Queryable): Promise<StoredCheckSettings> => {
  const { rows } = await sql<Omit<StoredCheckSettings, 'intervals'> & { value: { intervals: Partial<CheckIntervals> } }>`
    select value, version, to_jsonb("updatedAt") #>> '{}' as "updatedAt", "updatedBy" from setting where name = ${CHECK_SETTINGS}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return DEFAULTS
  const { value, ...rest } = row
  return { ...rest, intervals: { ...DEFAULT_INTERVALS, ...value.intervals } }
}

export const toCheckSettings = ({ updatedAt, ...settings }: StoredCheckSettings): CheckSettings => ({
  ...settings,
  updatedAt: toMoment(updatedAt),
})

/** Sets the intervals of the given kinds; throws 412 if they were saved in between. */
export const saveCheckIntervals = async (
  tx: Tx,
  ifMatchVersion: number | undefined,
  intervals: Partial<CheckIntervals>,
): Promise<StoredCheckSettings> => {
  await sql`select pg_advisory_xact_lock(hashtext('homeroom settings'))`.execute(tx)
  const stored = await readStoredCheckSettings(tx)
  assertVersion(stored, ifMatchVersion)
  await sql`
    insert into setting (name, value) values (${CHECK_SETTINGS}, ${JSON.stringify({ intervals: { ...stored.intervals, ...intervals } })}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(tx)
  return readStoredCheckSettings(tx)
}
