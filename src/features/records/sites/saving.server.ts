import type { Tx } from '../../../database/connection.server.ts'
import { isThere } from '../../../database/lookup.server.ts'
import { write } from '../../../database/saving.server.ts'
import { newSlug } from '../../../database/slugs.server.ts'
import type { FieldError } from '../../../platform/contract/problem.ts'
import { badFields } from '../../../platform/contract/problem.ts'
import type { NewSite, SiteChange } from './contract.ts'
import { WrittenAddress, WrittenSite } from './contract.ts'
import { hoursErrors } from './rules.ts'

const ADDRESS = WrittenAddress.keyof().options
const OWN = WrittenSite.keyof().options

/** A site as it is written: what an edit is compared with (D33). */
export const storedSite = async (tx: Tx, _id: string) => {
  const row = await tx
    .selectFrom('site')
    .select([...OWN, ...ADDRESS])
    .where('_id', '=', _id)
    .executeTakeFirstOrThrow()
  const pick = <K extends keyof typeof row>(keys: readonly K[]) =>
    Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<typeof row, K>
  return { ...pick(OWN), address: pick(ADDRESS) }
}

const REFERENCES = {
  charter: 'This charter does not exist',
  region: 'This region does not exist',
  photo: 'This picture does not exist',
} as const

/** The records a site points at have to be there. */
const referenceErrors = async (tx: Tx, changed: Pick<SiteChange, keyof typeof REFERENCES>): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const path of ['charter', 'region', 'photo'] as const) {
    const _id = changed[path]
    if (_id && !(await isThere(tx, path === 'photo' ? 'picture' : path, _id))) errors.push({ path, message: REFERENCES[path] })
  }
  return errors
}

type Hours = { readonly start_time?: string | null | undefined; readonly end_time?: string | null | undefined }
const errorsOfHours = (changed: Hours | undefined, stored: Hours): FieldError[] =>
  changed?.start_time === undefined && changed?.end_time === undefined
    ? []
    : hoursErrors(changed.start_time ?? stored.start_time, changed.end_time ?? stored.end_time)

/** Writes what was changed of a claimed site. */
export const saveSite = async (
  tx: Tx,
  _id: string,
  stored: { readonly address: Hours },
  { address, ...own }: SiteChange,
): Promise<void> => {
  const errors = [...(await referenceErrors(tx, own)), ...errorsOfHours(address, stored.address)]
  if (errors.length > 0) throw badFields(errors)
  await write(tx, 'site', _id, { ...own, ...address })
}

/** Makes a site with its parts; gives its `_id`. */
export const addSite = async (tx: Tx, { address, enrollment_info, ...own }: NewSite): Promise<string> => {
  const errors = [...(await referenceErrors(tx, own)), ...errorsOfHours(address, {})]
  if (errors.length > 0) throw badFields(errors)
  const slug = await newSlug(tx, 'site', own.displayName)
  const { _id } = await tx
    .insertInto('site')
    .values({ ...blank, ...own, ...address, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
  // The trigger of the table has made the enrollment record.
  await write(tx, 'enrollment', _id, enrollment_info)
  return _id
}

const blank = { latitude: null, longitude: null, directory_id: null }
