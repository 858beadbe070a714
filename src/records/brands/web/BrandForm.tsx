import { send } from '../../../platform/web/client.ts'
import { toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import type { RecordFormProps } from '../../pages/web/public/RecordPage.tsx'
import { useRecordForm } from '../../pages/web/public/use-record-form.ts'
import { updateBrand, viewBrand } from '../contract.ts'
import type { Brand } from '../contract.ts'
import { BRAND_FIELDS } from '../fields.ts'
import { BRAND_SECTIONS, brandFields } from './brand-fields.ts'

const toValues = (brand: Brand) => toDefinedValues(BRAND_FIELDS, brand)

/** The edit form of a brand. */
export const BrandForm = ({ record: brand, draftKey, onClose }: RecordFormProps<Brand>) => (
  <EditForm
    call={updateBrand}
    draftKey={draftKey}
    fields={brandFields}
    sections={BRAND_SECTIONS}
    record={brand}
    toValues={toValues}
    read={() => send(viewBrand, { params: { id: brand._id } })}
    onSaved={(saved) => {
      for (const id of [brand._id, brand.slug]) queryClient.setQueryData(getQueryKey(viewBrand, { params: { id } }), saved)
      onClose()
    }}
    {...useRecordForm({ kind: 'brand', _id: brand._id, name: brand.brandName, version: brand.version }, onClose)}
  />
)
