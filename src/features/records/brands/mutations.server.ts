import { invalidFields } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { recordExists } from '../../../database/record-lookup.server.ts'
import { createSlug } from '../../../database/slugs.server.ts'
import { updateRecord } from '../../../database/update-record.server.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'
import type { BrandChange, NewBrand } from './contract.ts'
import { BrandInput } from './contract.ts'

const FIELDS = BrandInput.keyof().options

/** The stored values of the editable fields. */
export const toStoredBrand = (row: ModelRow<'brand'>): BrandChange => Object.fromEntries(FIELDS.map((field) => [field, row[field]]))

/** The columns of a change that changes no picture. */
export const toBrandColumns = (changed: BrandChange): BrandChange | undefined =>
  changed.brandPhoto || changed.brandIcon ? undefined : changed

const assertPicturesExist = async (tx: Tx, changed: Pick<BrandChange, 'brandPhoto' | 'brandIcon'>): Promise<void> => {
  for (const path of ['brandPhoto', 'brandIcon'] as const) {
    const _id = changed[path]
    if (_id && !(await recordExists(tx, 'picture', _id))) throw invalidFields([{ path, message: 'This picture does not exist' }])
  }
}

/** Updates a locked brand. */
export const saveBrand = async (tx: Tx, _id: string, changed: BrandChange): Promise<void> => {
  await assertPicturesExist(tx, changed)
  await updateRecord(tx, 'brand', _id, changed)
}

/** Inserts a brand; returns its `_id`. */
export const insertBrand = async (tx: Tx, brand: NewBrand): Promise<string> => {
  await assertPicturesExist(tx, brand)
  const slug = await createSlug(tx, 'brand', brand.brandName)
  const { _id } = await tx
    .insertInto('brand')
    .values({ ...brand, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}
