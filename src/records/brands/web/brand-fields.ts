import { buildFormFields, buildSection } from '../../../platform/web/form/defined-fields.ts'
import { pictureField } from '../../../platform/web/form/picture-field.tsx'
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
