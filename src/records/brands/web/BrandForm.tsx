import { send } from '../../../platform/web/client.ts'
import { toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import { createRecordForm } from '../../pages/web/public/create-record-form.tsx'
import { useRecordForm } from '../../pages/web/public/use-record-form.ts'
import { updateBrand, viewBrand } from '../contract.ts'
import type { Brand } from '../contract.ts'
import { BRAND_FIELDS } from '../fields.ts'
import { BRAND_SECTIONS, brandFields } from './brand-fields.ts'

const toValues = (brand: Brand) => toDefinedValues(BRAND_FIELDS, brand)

/** The edit form of a brand. */
export const BrandForm = createRecordForm({
  call: updateBrand,
  fields: brandFields,
  sections: BRAND_SECTIONS,
  toValues,
  useForm: (brand: Brand, onClose) => ({
    ...useRecordForm({ kind: 'brand', _id: brand._id, name: brand.brandName, version: brand.version }, onClose),
    record: brand,
    read: () => send(viewBrand, { params: { id: brand._id } }),
    onSaved: (saved) => {
      for (const id of [brand._id, brand.slug]) queryClient.setQueryData(getQueryKey(viewBrand, { params: { id } }), saved)
      onClose()
    },
  }),
})
