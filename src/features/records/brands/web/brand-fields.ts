import { keysOf } from '../../../../contract/field-definitions.ts'
import { getPictureId } from '../../../../contract/fields.ts'
import { buildFormFields, buildInitialValues, buildSection } from '../../../../platform/web/form/defined-fields.ts'
import { type FieldValue, type Values, toValues } from '../../../../platform/web/form/values.ts'
import { pictureField } from '../../../record-tools/pictures/web/PicturePicker.tsx'
import type { Brand } from '../contract.ts'
import { BRAND_FIELDS } from '../fields.ts'

export const brandFields = buildFormFields(BRAND_FIELDS, {
  brandPhoto: (label) => pictureField(label, true),
  brandIcon: (label) => pictureField(label, true),
})

export const BRAND_SECTIONS = [
  buildSection(BRAND_FIELDS, 'Brand', 'The name families know its schools by.'),
  buildSection(BRAND_FIELDS, 'Website', 'Where families find information and where they enroll.'),
  buildSection(BRAND_FIELDS, 'Pictures', 'The icon is shown next to the name in lists.'),
]

export const newBrandValues: Values = buildInitialValues(BRAND_FIELDS)
export const toBrandValues = (brand: Brand): Values => {
  const values: Record<keyof typeof BRAND_FIELDS, FieldValue> = {
    ...brand,
    brandPhoto: getPictureId(brand.brandPhoto),
    brandIcon: getPictureId(brand.brandIcon),
  }
  return toValues(keysOf(BRAND_FIELDS), (name) => values[name])
}
