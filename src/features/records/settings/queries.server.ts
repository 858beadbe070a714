import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { jsonRow, jsonRows, moment } from '../../../database/json.server.ts'
import { exists } from '../../../database/lookup.server.ts'
import { byBytes } from '../../../database/ordering.server.ts'
import type { FieldError } from '../../../platform/contract/problem.ts'
import { badFields, stale } from '../../../platform/contract/problem.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { selectProgramTypes } from '../enrollment/queries.server.ts'
import type { Settings, SettingsChange, SiteDefaults } from './contract.ts'

const SETTING_NAME = 'settings'

type DefaultRecipients = Pick<Configuration, 'changeRequestsTo' | 'supportRequestsTo'>

interface StoredSettings {
  readonly organisation: string | null
  readonly defaultRegion: string | null
  readonly defaultCharter: string | null
  readonly changeRequestsTo: Settings['changeRequestsTo']
  readonly supportRequestsTo: string[]
  /** Counts the changes of the program types, which are rows of their own: with it the version of the settings counts up. */
  readonly programs?: number
}
const EMPTY_SETTINGS: StoredSettings = {
  organisation: null,
  defaultRegion: null,
  defaultCharter: null,
  changeRequestsTo: [],
  supportRequestsTo: [],
}

const findStoredSettings = async (db: Queryable) => {
  const { rows } = await sql<{ value: StoredSettings; version: number; updatedAt: string; updatedBy: string | null }>`
    select value, version, ${moment(sql<Date>`"updatedAt"`)} as "updatedAt", "updatedBy" from setting where name = ${SETTING_NAME}`.execute(
    db,
  )
  return rows[0]
}

/** What a new site begins with. */
export const getSiteDefaults = async (db: Queryable): Promise<SiteDefaults> => {
  const { defaultRegion, defaultCharter } = (await findStoredSettings(db))?.value ?? EMPTY_SETTINGS
  const region = await jsonRow(
    db,
    db
      .selectFrom('region')
      .select(['_id', 'slug', 'name'])
      .orderBy(sql`_id is distinct from ${defaultRegion}::text`)
      .orderBy(sql`name <> 'California'`)
      .orderBy('name', byBytes)
      .orderBy('_id')
      .limit(1),
  )
  const charter = await jsonRow(
    db,
    db
      .selectFrom('charter')
      .select(['_id', 'slug', 'name'])
      .orderBy(sql`_id is distinct from ${defaultCharter}::text`)
      .orderBy(sql`status <> 'ACTIVE'`)
      .orderBy(sql`position('CLOSED' in status)`)
      .orderBy('name', byBytes)
      .orderBy('_id')
      .limit(1),
  )
  return { region: region ?? null, charter: charter ?? null }
}

/** Who gets requests: what an empty setting leaves open, the configuration says (CHANGE_REQUESTS_TO, SUPPORT_REQUESTS_TO). */
const resolveRecipients = (
  { changeRequestsTo, supportRequestsTo }: StoredSettings,
  configuration: DefaultRecipients,
): Pick<Settings, 'changeRequestsTo' | 'supportRequestsTo'> => {
  const hasGeneral = changeRequestsTo.some(({ region, emails }) => region === null && emails.length > 0)
  return {
    changeRequestsTo:
      hasGeneral || configuration.changeRequestsTo.length === 0
        ? changeRequestsTo
        : [...changeRequestsTo.filter(({ region }) => region !== null), { region: null, emails: [...configuration.changeRequestsTo] }],
    supportRequestsTo: supportRequestsTo.length > 0 ? supportRequestsTo : [...configuration.supportRequestsTo],
  }
}

/** Who gets a request: of a change those of the site's region, else those without a region. Nobody may be set to get it. */
export const listRecipients = async (
  db: Queryable,
  configuration: DefaultRecipients,
  { kind, region }: { kind: 'change' | 'support'; region: string | null },
): Promise<string[]> => {
  const { changeRequestsTo, supportRequestsTo } = resolveRecipients((await findStoredSettings(db))?.value ?? EMPTY_SETTINGS, configuration)
  if (kind === 'support') return supportRequestsTo
  const emailsOf = (wanted: string | null): string[] => changeRequestsTo.find((one) => one.region === wanted)?.emails ?? []
  const own = region === null ? [] : emailsOf(region)
  return own.length > 0 ? own : emailsOf(null)
}

/** The settings as they are. */
export const getSettings = async (db: Queryable, configuration: DefaultRecipients): Promise<Settings> => {
  const found = await findStoredSettings(db)
  const stored = found?.value ?? EMPTY_SETTINGS
  return {
    organisation: stored.organisation,
    defaults: await getSiteDefaults(db),
    programTypes: await jsonRows(db, selectProgramTypes(db)),
    ...resolveRecipients(stored, configuration),
    version: found?.version ?? 0,
    updatedAt: found?.updatedAt ?? new Date(0).toISOString(),
    updatedBy: found?.updatedBy ?? null,
  }
}

const validateSettings = async (
  tx: Tx,
  { defaultRegion, defaultCharter, changeRequestsTo = [] }: SettingsChange,
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  if (defaultRegion && !(await exists(tx, 'region', defaultRegion)))
    errors.push({ path: 'defaultRegion', message: 'This region does not exist' })
  if (defaultCharter && !(await exists(tx, 'charter', defaultCharter)))
    errors.push({ path: 'defaultCharter', message: 'This charter does not exist' })
  for (const [at, { region }] of changeRequestsTo.entries()) {
    if (region && !(await exists(tx, 'region', region)))
      errors.push({ path: `changeRequestsTo.${at}.region`, message: 'This region does not exist' })
    if (changeRequestsTo.findIndex((one) => one.region === region) < at)
      errors.push({ path: `changeRequestsTo.${at}.region`, message: 'This region is listed twice' })
  }
  return errors
}

/** Makes the program types as they are wanted; tells whether that changed any. */
const saveProgramTypes = async (tx: Tx, wanted: NonNullable<SettingsChange['programTypes']>): Promise<boolean> => {
  const errors: FieldError[] = []
  const known = new Map((await selectProgramTypes(tx).execute()).map(({ _id, name }) => [_id, name]))
  for (const [at, { _id, name }] of wanted.entries()) {
    if (_id !== undefined && !known.has(_id)) errors.push({ path: `programTypes.${at}._id`, message: 'This program does not exist' })
    const isTwice = wanted.findIndex((one) => one.name.trim().toLowerCase() === name.trim().toLowerCase()) < at
    if (isTwice) errors.push({ path: `programTypes.${at}.name`, message: 'This program is listed twice' })
  }
  const gone = [...known.keys()].filter((_id) => !wanted.some((one) => one._id === _id))
  const { rows: used } = await sql<{ name: string }>`
    select distinct p.name from program_type as p join site_program_type as s on s.program_type = p._id where p._id = any(${gone}::text[])`.execute(
    tx,
  )
  errors.push(...used.map(({ name }) => ({ path: 'programTypes', message: `${name} is used by a site and cannot be removed` })))
  if (errors.length > 0) throw badFields(errors)
  await sql`delete from program_type where _id = any(${gone}::text[])`.execute(tx)
  // Two names may change places: nobody else has either meanwhile.
  const renamed = wanted.filter(({ _id, name }) => _id !== undefined && known.get(_id) !== name.trim())
  for (const { _id = '' } of renamed)
    await tx
      .updateTable('program_type')
      .set({ name: `renamed ${_id}` })
      .where('_id', '=', _id)
      .execute()
  for (const { _id, name } of wanted) {
    if (_id === undefined) await tx.insertInto('program_type').values({ name: name.trim() }).execute()
    else await tx.updateTable('program_type').set({ name: name.trim() }).where('_id', '=', _id).execute()
  }
  return gone.length > 0 || renamed.length > 0 || wanted.some(({ _id }) => _id === undefined)
}

/** Writes what was changed; throws 412 where somebody saved the settings in between. */
export const updateSettings = async (tx: Tx, seen: number | undefined, changed: SettingsChange): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('homeroom settings'))`.execute(tx)
  const found = await findStoredSettings(tx)
  if (seen !== undefined && seen !== (found?.version ?? 0)) throw stale()
  const errors = await validateSettings(tx, changed)
  if (errors.length > 0) throw badFields(errors)
  const { programTypes: programs, ...own } = changed
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const isChanged = programs ? await saveProgramTypes(tx, programs) : false
  const value = JSON.stringify({
    ...EMPTY_SETTINGS,
    ...found?.value,
    ...given,
    programs: (found?.value.programs ?? 0) + (isChanged ? 1 : 0),
  })
  await sql`insert into setting (name, value) values (${SETTING_NAME}, ${value}::jsonb) on conflict (name) do update set value = excluded.value`.execute(
    tx,
  )
}
