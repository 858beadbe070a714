import { getRecordFormPath } from '../../../contract/records.ts'
import { buildInitialValues } from '../../../platform/web/form/defined-fields.ts'
import { NewRecordPage } from '../../../platform/web/form/NewRecordForm.tsx'
import { createBrand } from '../contract.ts'
import { BRAND_FIELDS } from '../fields.ts'
import { BRAND_SECTIONS, brandFields } from './brand-fields.ts'

const INITIAL_VALUES = buildInitialValues(BRAND_FIELDS)

/** `/addbrand`, behind the admin guard: creates a brand, then returns to the list. */
export const NewBrandPage = () => (
  <NewRecordPage
    call={createBrand}
    draftKey="new brand"
    kind="brand"
    title="Add Brand"
    fields={brandFields}
    sections={BRAND_SECTIONS}
    initialValues={INITIAL_VALUES}
    list="/brand"
    getLink={({ _id, brandName }) => ({ name: brandName, to: getRecordFormPath({ kind: 'brand', _id }) })}
  />
)
