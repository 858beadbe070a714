import { useMemo } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { updateCharter, viewCharter } from '../contract.ts'
import type { Charter } from '../contract.ts'
import { buildDuplicateNameRule, CHARTER_SECTIONS, toCharterValues } from './charter-fields.ts'
import { type CharterLists, useCharterFields, WithCharterLists } from './WithCharterLists.tsx'

const toSnapshot = (charter: Charter) => ({
  values: toCharterValues(charter),
  version: charter.version,
  updatedBy: charter.updatedBy,
  updatedAt: charter.updatedAt,
})

interface CharterFormProps {
  charter: Charter
  draftKey: string
  onClose: () => void
}

const EditCharterForm = ({ charter, draftKey, onClose, brands, charters }: CharterFormProps & CharterLists) => {
  const record = useMemo(() => toSnapshot(charter), [charter])
  return (
    <EditForm
      name={draftKey}
      call={updateCharter}
      title={`Edit ${charter.name}`}
      back={charter.name}
      fields={useCharterFields(brands, false)}
      sections={CHARTER_SECTIONS}
      crossFieldRules={buildDuplicateNameRule(charters, charter._id)}
      record={record}
      send={(edit) => send(updateCharter, { params: { id: charter._id }, ...edit })}
      reload={async () => toSnapshot(await send(viewCharter, { params: { id: charter._id } }))}
      onSaved={(answer, mergedWith) => {
        for (const id of [charter._id, charter.slug]) queryClient.setQueryData(getQueryKey(viewCharter, { params: { id } }), answer)
        void queryClient.invalidateQueries()
        showMergedNotice(charter.name, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** The edit form of a charter. */
export const CharterForm = (props: CharterFormProps) => (
  <WithCharterLists>{(lists) => <EditCharterForm {...props} {...lists} />}</WithCharterLists>
)
