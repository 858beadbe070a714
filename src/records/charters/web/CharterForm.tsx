import { usePlan } from '../../../features/record-tools/changesets/web/queries.ts'
import { useSuggestion } from '../../../features/record-tools/requests/web/queries.ts'
import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import { updateCharter, viewCharter } from '../contract.ts'
import type { Charter } from '../contract.ts'
import { buildDuplicateNameRule, CHARTER_SECTIONS, toCharterValues, withoutSlug } from './charter-fields.ts'
import { WithCharterLists } from './WithCharterLists.tsx'

interface CharterFormProps {
  charter: Charter
  draftKey: string
  onClose: () => void
}

/** The edit form of a charter. */
export const CharterForm = ({ charter, draftKey, onClose }: CharterFormProps) => {
  const suggestion = useSuggestion({ kind: 'charter', _id: charter._id, name: charter.name, version: charter.version })
  const plan = usePlan({ kind: 'charter', _id: charter._id })
  return (
    <WithCharterLists>
      {(fields, charters) => (
        <EditForm
          call={updateCharter}
          params={{ id: charter._id }}
          name={charter.name}
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
          onCancel={onClose}
          suggestion={suggestion}
          plan={plan}
        />
      )}
    </WithCharterLists>
  )
}
