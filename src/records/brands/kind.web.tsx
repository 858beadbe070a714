import { send } from '../../platform/web/client.ts'
import { type RecordKindWeb, withFields } from '../../platform/web/record-kinds.ts'
import { updateBrand, viewBrand } from './contract.ts'
import { brandFields } from './web/brand-fields.ts'

export const brandKind: RecordKindWeb = {
  groups: [
    {
      title: 'Brand',
      sheet: 'brands',
      schema: updateBrand.body,
      WithFields: withFields(brandFields),
      edit: { call: updateBrand, read: (id) => send(viewBrand, { params: { id } }) },
    },
  ],
}
