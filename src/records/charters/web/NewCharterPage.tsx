import { getRecordFormPath } from '../../../contract/records.ts'
import { NewRecordPage } from '../../../platform/web/form/NewRecordForm.tsx'
import { createCharter } from '../contract.ts'
import { buildDuplicateNameRule, NEW_CHARTER_SECTIONS, newCharterValues, suggestSlug } from './charter-fields.ts'
import { WithCharterLists } from './WithCharterLists.tsx'

/** `/addcharter`, behind the admin guard: creates a charter, then returns to the list. */
export const NewCharterPage = () => (
  <WithCharterLists>
    {(fields, charters) => (
      <NewRecordPage
        call={createCharter}
        draftKey="new charter"
        kind="charter"
        title="Add Charter"
        fields={fields}
        sections={NEW_CHARTER_SECTIONS}
        crossFieldRules={buildDuplicateNameRule(charters, null)}
        derivedValues={suggestSlug}
        initialValues={newCharterValues}
        list="/charters"
        getLink={({ slug, name }) => ({ name, to: getRecordFormPath({ kind: 'charter', slug }) })}
      />
    )}
  </WithCharterLists>
)
