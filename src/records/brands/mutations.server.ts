import type { Tx } from '../../database/connection.server.ts'
import { assertReferences } from '../../database/record-lookup.server.ts'
import { createSlug } from '../../database/slugs.server.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { BrandChange, NewBrand } from './contract.ts'
import { BrandInput } from './contract.ts'

const FIELDS = BrandInput.keyof().options

/** The stored values of the editable fields. */
export const toStoredBrand = (row: ModelRow<'brand'>): BrandChange => Object.fromEntries(FIELDS.map((field) => [field, row[field]]))

/** The tables of the records that a brand refers to. */
export const BRAND_REFERENCES = { brandPhoto: 'picture', brandIcon: 'picture' } as const

/** Inserts a brand; returns its `_id`. */
export const insertBrand = async (tx: Tx, brand: NewBrand): Promise<string> => {
  await assertReferences(tx, BRAND_REFERENCES, brand)
  const slug = await createSlug(tx, 'brand', brand.brandName)
  const { _id } = await tx
    .insertInto('brand')
    .values({ ...brand, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}
