import { useNavigate } from '@tanstack/react-router'

import type { ResponseOf } from '../../../contract/call.ts'
import type { PlainPath } from '../../../contract/pages.ts'
import type { DuplicateKind } from '../../../contract/records.ts'
import { sendUntyped } from '../client.ts'
import { queryClient } from '../queries.ts'
import { DuplicateHint } from '../record-features.tsx'
import { showSuccess } from '../success-notice.ts'
import type { FormValues, SavingCall } from './body-fields.ts'
import type { CommonFormProps } from './EditForm.tsx'
import type { FieldsByPath } from './fields.ts'
import { FormPage } from './FormPage.tsx'
import { useGoBack } from './use-go-back.ts'
import type { Values } from './values.ts'

interface NewRecordFormProps<C extends SavingCall, Fields> extends CommonFormProps<C, Fields> {
  readonly title: string
  readonly initialValues: FormValues<C>
  /** The kind of record, of which duplicates are named. */
  readonly kind?: DuplicateKind
}

interface NewRecordInPageProps<C extends SavingCall, Fields> extends NewRecordFormProps<C, Fields> {
  readonly saveLabel: string
  readonly back: string
  readonly onSaved: (saved: ResponseOf<C>) => void
  readonly onCancel: () => void
}

/** The form of a new record inside a page that stays open. */
export const NewRecordForm = <C extends SavingCall, Fields extends FieldsByPath>(props: NewRecordInPageProps<C, Fields>) => {
  const { call, draftKey, initialValues, kind, onSaved } = props
  return (
    <FormPage
      {...props}
      name={draftKey}
      schema={call.body}
      cancelLabel="Cancel"
      {...(kind === undefined ? {} : { renderHint: (values: Values) => <DuplicateHint kind={kind} values={values} /> })}
      record={{ values: initialValues as Values, version: null, updatedBy: null, updatedAt: '' }}
      send={({ body }) => sendUntyped(call, { body })}
      onSaved={(saved) => {
        void queryClient.invalidateQueries()
        onSaved(saved)
      }}
    />
  )
}

interface NewRecordPageProps<C extends SavingCall, Fields> extends NewRecordFormProps<C, Fields> {
  /** The page that opens afterward, and on Cancel if there is no previous page. */
  readonly list: PlainPath
  /** The name and link in its notice. */
  readonly getLink: (saved: ResponseOf<C>) => { readonly name: string; readonly to: string }
}

/** A page that creates a record, then opens its list with a notice. */
export const NewRecordPage = <C extends SavingCall, Fields extends FieldsByPath>({
  list,
  getLink,
  ...form
}: NewRecordPageProps<C, Fields>) => {
  const navigate = useNavigate()
  return (
    <NewRecordForm
      {...form}
      back="Back"
      saveLabel={form.title}
      onSaved={(saved) => {
        const { name, to } = getLink(saved)
        // After the navigation, which would close the notice.
        void navigate({ to: list, ignoreBlocker: true }).then(() =>
          showSuccess({ text: `${name} was added.`, link: { to, label: 'Open' } }),
        )
      }}
      onCancel={useGoBack(list)}
    />
  )
}
