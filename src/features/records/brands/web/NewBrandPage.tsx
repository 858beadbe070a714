import { useNavigate } from '@tanstack/react-router'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { newRecord } from '../../../../platform/web/form/use-edit-form.ts'
import { useGoBack } from '../../../../platform/web/form/use-go-back.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createBrand } from '../contract.ts'
import type { Brand } from '../contract.ts'
import { BRAND_SECTIONS, brandFields, newBrandValues } from './brand-fields.ts'

const NEW_BRAND = newRecord(newBrandValues)

/** `/addbrand`, behind the admin guard: creates a brand, then returns to the list. */
export const NewBrandPage = () => {
  const navigate = useNavigate()
  return (
    <EditForm
      name="new brand"
      call={createBrand}
      title="Add Brand"
      back="Back"
      saveLabel="Add Brand"
      cancelLabel="Cancel"
      fields={brandFields}
      sections={BRAND_SECTIONS}
      record={NEW_BRAND}
      send={({ body }) => send(createBrand, { body: body as BodyOf<typeof createBrand> })}
      onSaved={(answer) => {
        const { _id, brandName } = answer as Brand
        void queryClient.invalidateQueries()
        void navigate({ to: '/brand', ignoreBlocker: true }).then(() =>
          showSuccess({ text: `${brandName} was added.`, link: { to: `/brandview/${_id}`, label: 'Open' } }),
        )
      }}
      onCancel={useGoBack('/brand')}
    />
  )
}
