import { sql } from 'kysely'

import { inByteOrder } from '../../database/byte-order.server.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp } from '../../database/json.server.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import { resolveRecipients } from '../../platform/server/request-recipients.ts'
import type { Settings, SiteDefaults } from './contract.ts'

export const SETTING_NAME = 'settings'

interface StoredSettings {
  readonly organisation: string | null
  readonly timeZone?: string | null
  readonly states?: Settings['states']
  readonly logo?: string | null
  readonly defaultRegion: string | null
  readonly defaultCharter: string | null
  readonly changeRequestsTo: Settings['changeRequestsTo']
  readonly supportRequestsTo: string[]
  /** The number of changes of program types, which are separate rows: it increments the version of the settings. */
  readonly programs?: number
}

export const EMPTY_SETTINGS: StoredSettings = {
  organisation: null,
  defaultRegion: null,
  defaultCharter: null,
  changeRequestsTo: [],
  supportRequestsTo: [],
}

export const findStoredSettings = async (db: Queryable) => {
  const { rows } = await sql<{ value: StoredSettings; version: number; updatedAt: string; updatedBy: string | null }>`
    select value, version, ${toIsoTimestamp(sql<Date>`"updatedAt"`)} as "updatedAt", "updatedBy" from setting where name = ${SETTING_NAME}`.execute(
    db,
  )
  return rows[0]
}

/** The default region and charter of a new site. */
export const getSiteDefaults = async (db: Queryable): Promise<SiteDefaults> => {
  const { defaultRegion, defaultCharter } = (await findStoredSettings(db))?.value ?? EMPTY_SETTINGS
  const region = await readJsonRow(
    db,
    db
      .selectFrom('region')
      .select(['_id', 'slug', 'name'])
      .where('archivedAt', 'is', null)
      .orderBy(sql`_id is distinct from ${defaultRegion}::text`)
      .orderBy(sql`name <> 'California'`)
      .orderBy('name', inByteOrder)
      .orderBy('_id')
      .limit(1),
  )
  const charters = db.selectFrom('charter').select(['_id', 'slug', 'name']).where('archivedAt', 'is', null)
  const charter = await readJsonRow(db, charters.where('_id', '=', defaultCharter))
  return { region: region ?? null, charter: charter ?? null }
}

export const getSettings = async (
  db: Queryable,
  configuration: Pick<Configuration, 'changeRequestsTo' | 'supportRequestsTo'>,
): Promise<Settings> => {
  const found = await findStoredSettings(db)
  const stored = found?.value ?? EMPTY_SETTINGS
  return {
    organisation: stored.organisation,
    timeZone: stored.timeZone ?? null,
    states: stored.states ?? [],
    logo: stored.logo ?? null,
    defaults: await getSiteDefaults(db),
    programTypes: await db.selectFrom('program_type').select(['_id', 'name']).orderBy('name', inByteOrder).execute(),
    ...resolveRecipients(stored, configuration),
    version: found?.version ?? 0,
    updatedAt: found?.updatedAt ?? new Date(0).toISOString(),
    updatedBy: found?.updatedBy ?? null,
  }
}
