import { useNavigate } from '@tanstack/react-router'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { newRecord } from '../../../../platform/web/form/use-edit-form.ts'
import { useGoBack } from '../../../../platform/web/form/use-go-back.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createCharter } from '../contract.ts'
import type { Charter } from '../contract.ts'
import { buildDuplicateNameRule, NEW_CHARTER_SECTIONS, newCharterValues, suggestSlug } from './charter-fields.ts'
import { type CharterLists, useCharterFields, WithCharterLists } from './WithCharterLists.tsx'

const NEW_CHARTER = newRecord(newCharterValues)

const NewCharterForm = ({ brands, charters }: CharterLists) => {
  const navigate = useNavigate()
  return (
    <EditForm
      name="new charter"
      call={createCharter}
      title="Add Charter"
      back="Back"
      saveLabel="Add Charter"
      cancelLabel="Cancel"
      fields={useCharterFields(brands, true)}
      sections={NEW_CHARTER_SECTIONS}
      crossFieldRules={buildDuplicateNameRule(charters, null)}
      derivedValues={suggestSlug}
      record={NEW_CHARTER}
      send={({ body }) => send(createCharter, { body: body as BodyOf<typeof createCharter> })}
      onSaved={(answer) => {
        const { slug, name } = answer as Charter
        void queryClient.invalidateQueries()
        void navigate({ to: '/charters', ignoreBlocker: true }).then(() =>
          showSuccess({ text: `${name} was added.`, link: { to: `/charterview/${encodeURIComponent(slug)}`, label: 'Open' } }),
        )
      }}
      onCancel={useGoBack('/charters')}
    />
  )
}

/** `/addcharter`, behind the admin guard: creates a charter, then returns to the list. */
export const NewCharterPage = () => <WithCharterLists>{(lists) => <NewCharterForm {...lists} />}</WithCharterLists>
