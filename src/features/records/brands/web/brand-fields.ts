import { getPictureId } from '../../../../platform/contract/fields.ts'
import { STATUS_CHOICES } from '../../../../platform/web/form/fields.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { pictureField } from '../../../record-tools/pictures/web/PicturePicker.tsx'
import type { Brand, BrandChange } from '../contract.ts'
import { brandLabels } from '../rules.ts'

type Path = keyof BrandChange

/** The fields of the form; a missing field does not compile. */
export const brandFields: Record<Path, FormField> = {
  brandName: { kind: 'line', label: 'Brand name' },
  status: { kind: 'choice', label: brandLabels.status, choices: STATUS_CHOICES },
  websiteUrl: { kind: 'line', label: brandLabels.websiteUrl, keyboard: 'url', hint: 'At most 50 characters' },
  EnrollmentsUrl: { kind: 'line', label: brandLabels.EnrollmentsUrl, keyboard: 'url', hint: 'At most 50 characters' },
  brandPhoto: pictureField('Photo', true),
  brandIcon: pictureField(brandLabels.brandIcon, true),
}

const buildSection = (title: string, about: string, fields: readonly Path[]) => ({ title, about, fields })
export const BRAND_SECTIONS = [
  buildSection('Brand', 'The name families know its schools by.', ['brandName', 'status']),
  buildSection('Website', 'Where families find information and where they enroll.', ['websiteUrl', 'EnrollmentsUrl']),
  buildSection('Pictures', 'The icon is shown next to the name in lists.', ['brandPhoto', 'brandIcon']),
]

const valuesFrom = (values: Record<Path, FieldValue>): Values => values

export const newBrandValues: Values = valuesFrom({
  brandName: '',
  status: 'ACTIVE',
  websiteUrl: '',
  EnrollmentsUrl: '',
  brandPhoto: null,
  brandIcon: null,
})
export const toBrandValues = (brand: Brand): Values =>
  valuesFrom({
    brandName: brand.brandName,
    status: brand.status,
    websiteUrl: brand.websiteUrl ?? '',
    EnrollmentsUrl: brand.EnrollmentsUrl ?? '',
    brandPhoto: getPictureId(brand.brandPhoto),
    brandIcon: getPictureId(brand.brandIcon),
  })
