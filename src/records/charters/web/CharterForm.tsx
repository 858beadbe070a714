import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import type { RecordFormProps } from '../../pages/web/public/RecordPage.tsx'
import { useRecordForm } from '../../pages/web/public/use-record-form.ts'
import { updateCharter, viewCharter } from '../contract.ts'
import type { Charter } from '../contract.ts'
import { buildDuplicateNameRule, CHARTER_SECTIONS, toCharterValues, withoutSlug } from './charter-fields.ts'
import { WithCharterLists } from './WithCharterLists.tsx'

/** The edit form of a charter. */
export const CharterForm = ({ record: charter, draftKey, onClose }: RecordFormProps<Charter>) => {
  const form = useRecordForm({ kind: 'charter', _id: charter._id, name: charter.name, version: charter.version }, onClose)
  return (
    <WithCharterLists>
      {(fields, charters) => (
        <EditForm
          call={updateCharter}
          draftKey={draftKey}
          fields={withoutSlug(fields)}
          sections={CHARTER_SECTIONS}
          crossFieldRules={buildDuplicateNameRule(charters, charter._id)}
          record={charter}
          toValues={toCharterValues}
          read={() => send(viewCharter, { params: { id: charter._id } })}
          onSaved={(saved) => {
            for (const id of [charter._id, charter.slug]) queryClient.setQueryData(getQueryKey(viewCharter, { params: { id } }), saved)
            onClose()
          }}
          {...form}
        />
      )}
    </WithCharterLists>
  )
}
