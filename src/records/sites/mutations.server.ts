import { invalidFields } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import { assertReferences } from '../../database/record-lookup.server.ts'
import { createSlug } from '../../database/slugs.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { NewSite, SiteChange } from './contract.ts'
import { AddressInput, SiteInput } from './contract.ts'
import { validateHours } from './rules.ts'

const ADDRESS_FIELDS = AddressInput.keyof().options
const SITE_FIELDS = SiteInput.keyof().options

/** The stored values of the editable fields. */
export const toStoredSite = (row: ModelRow<'site'>) => {
  const pick = <K extends keyof typeof row>(keys: readonly K[]) =>
    Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<typeof row, K>
  return { ...pick(SITE_FIELDS), address: pick(ADDRESS_FIELDS) }
}

/** The tables of the records that a site refers to. */
export const SITE_REFERENCES = { charter: 'charter', region: 'region', photo: 'picture' } as const

type Hours = { readonly start_time?: string | null | undefined; readonly end_time?: string | null | undefined }
/** Throws 422 if the hours of a changed site end before they start. */
export const validateSite = ({ address }: Pick<SiteChange, 'address'>, stored: Hours): void => {
  if (address?.start_time === undefined && address?.end_time === undefined) return
  const errors = validateHours(address.start_time ?? stored.start_time, address.end_time ?? stored.end_time)
  if (errors.length > 0) throw invalidFields(errors)
}

/** Inserts a site with its facility and enrollment records; returns its `_id`. */
export const insertSite = async (tx: Tx, { address, enrollment_info, ...own }: NewSite): Promise<string> => {
  validateSite({ address }, {})
  await assertReferences(tx, SITE_REFERENCES, own)
  const slug = await createSlug(tx, 'site', own.displayName)
  const { _id } = await tx
    .insertInto('site')
    .values({ ...IMPORTED_FIELDS, ...own, ...address, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
  // A trigger has inserted the enrollment record.
  await updateRecord(tx, 'enrollment', _id, enrollment_info)
  return _id
}

const IMPORTED_FIELDS = { latitude: null, longitude: null, directory_id: null }
