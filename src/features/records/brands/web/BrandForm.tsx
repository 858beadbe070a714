import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { updateBrand, viewBrand } from '../contract.ts'
import type { Brand } from '../contract.ts'
import { BRAND_SECTIONS, brandFields, toBrandValues } from './brand-fields.ts'

const toSnapshot = (brand: Brand) => ({
  values: toBrandValues(brand),
  version: brand.version,
  updatedBy: brand.updatedBy,
  updatedAt: brand.updatedAt,
})

interface BrandFormProps {
  brand: Brand
  draftKey: string
  onClose: () => void
}

/** The edit form of a brand. */
export const BrandForm = ({ brand, draftKey, onClose }: BrandFormProps) => {
  const record = useMemo(() => toSnapshot(brand), [brand])
  return (
    <EditForm
      name={draftKey}
      call={updateBrand}
      title={`Edit ${brand.brandName}`}
      back={brand.brandName}
      fields={brandFields}
      sections={BRAND_SECTIONS}
      record={record}
      send={(edit) => send(updateBrand, { params: { id: brand._id }, ...edit })}
      reload={async () => toSnapshot(await send(viewBrand, { params: { id: brand._id } }))}
      onSaved={(answer, mergedWith) => {
        for (const id of [brand._id, brand.slug]) queryClient.setQueryData(getQueryKey(viewBrand, { params: { id } }), answer)
        void queryClient.invalidateQueries()
        showMergedNotice(brand.brandName, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
