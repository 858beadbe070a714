import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import type { DeadlineKind } from './fields.ts'

export const DEADLINE_SETTINGS = 'deadlines'

/** What the settings say for a kind of deadlines. */
export interface StoredKindSettings {
  readonly leadDays?: readonly number[]
  readonly responsible?: string | null
  /** The `_id` of the responsible person by that of the region. */
  readonly regions?: Readonly<Record<string, string>>
}
export interface StoredDeadlineSettings {
  readonly kinds: Readonly<Partial<Record<DeadlineKind, StoredKindSettings>>>
  readonly version: number
  readonly updatedAt: string | null
  readonly updatedBy: string | null
}
export const DEFAULT_SETTINGS: StoredDeadlineSettings = { kinds: {}, version: 0, updatedAt: null, updatedBy: null }

export const readStoredSettings = async (db: Queryable): Promise<StoredDeadlineSettings> => {
  const { rows } = await sql<{
    value: Pick<StoredDeadlineSettings, 'kinds'>
    version: number
    updatedAt: string
    updatedBy: string | null
  }>`
    select value, version, to_jsonb("updatedAt") #>> '{}' as "updatedAt", "updatedBy" from setting where name = ${DEADLINE_SETTINGS}`.execute(
    db,
  )
  const [row] = rows
  return row ? { ...row.value, version: row.version, updatedAt: row.updatedAt, updatedBy: row.updatedBy } : DEFAULT_SETTINGS
}
