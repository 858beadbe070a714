import { sql } from 'kysely'

import type { CheckedBody } from '../../contract/call.ts'
import type { FieldError } from '../../contract/problem.ts'
import { invalidFields } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import { findReferenceError } from '../../database/record-lookup.server.ts'
import { assertVersion } from '../../database/update-record.server.ts'
import type { saveRolesOfType, SettingsChange } from './contract.ts'
import { SETTING_NAME, EMPTY_SETTINGS, findStoredSettings } from './queries.server.ts'

const validateSettings = async (
  tx: Tx,
  { defaultRegion, defaultCharter, logo, changeRequestsTo = [] }: SettingsChange,
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  const checkReference = async (path: string, kind: 'region' | 'charter' | 'picture', _id: string | null | undefined): Promise<void> => {
    const message = _id ? await findReferenceError(tx, kind, _id) : undefined
    if (message !== undefined) errors.push({ path, message })
  }
  await checkReference('defaultRegion', 'region', defaultRegion)
  await checkReference('defaultCharter', 'charter', defaultCharter)
  await checkReference('logo', 'picture', logo)
  for (const [at, { region }] of changeRequestsTo.entries()) {
    await checkReference(`changeRequestsTo.${at}.region`, 'region', region)
    if (changeRequestsTo.findIndex((one) => one.region === region) < at)
      errors.push({ path: `changeRequestsTo.${at}.region`, message: 'This region is listed twice' })
  }
  return errors
}

/** Replaces the list of program types; returns whether it changed. */
const saveProgramTypes = async (tx: Tx, wanted: NonNullable<SettingsChange['programTypes']>): Promise<boolean> => {
  const errors: FieldError[] = []
  const known = new Map((await tx.selectFrom('program_type').select(['_id', 'name']).execute()).map(({ _id, name }) => [_id, name]))
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
  if (errors.length > 0) throw invalidFields(errors)
  await sql`delete from program_type where _id = any(${gone}::text[])`.execute(tx)
  // Temporary names, because two program types may swap names.
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

/** Updates the settings; throws 412 if they were saved in between. */
export const updateSettings = async (tx: Tx, ifMatchVersion: number | undefined, changed: SettingsChange): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('homeroom settings'))`.execute(tx)
  const found = await findStoredSettings(tx)
  assertVersion(found ?? { version: 0 }, ifMatchVersion)
  const errors = await validateSettings(tx, changed)
  if (errors.length > 0) throw invalidFields(errors)
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

/** Changes which roles sites of a facility type have. */
export const updateRolesOfType = async (tx: Tx, { type, roles }: CheckedBody<typeof saveRolesOfType>): Promise<void> => {
  const known = new Set((await tx.selectFrom('role').select('_id').orderBy('_id').forUpdate().execute()).map(({ _id }) => _id))
  const unknown = Object.keys(roles).filter((_id) => !known.has(_id))
  if (unknown.length > 0) throw invalidFields(unknown.map((_id) => ({ path: `roles.${_id}`, message: 'This role does not exist' })))
  for (const [_id, isHad] of Object.entries(roles))
    await sql`update role set "notAt" = array_remove("notAt", ${type}) || ${isHad ? [] : [type]}::text[] where _id = ${_id}`.execute(tx)
}
