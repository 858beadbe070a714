import type { SavingCall } from '../../../../platform/web/form/body-fields.ts'
import { EditForm, type EditFormProps, type RecordOfForm } from '../../../../platform/web/form/EditForm.tsx'
import type { FieldsByPath } from '../../../../platform/web/form/fields.ts'
import type { RecordFormProps } from './RecordPage.tsx'

interface FormDeclaration<T, C extends SavingCall, Fields extends FieldsByPath> extends Pick<
  EditFormProps<C, Fields>,
  'call' | 'fields' | 'sections' | 'toValues'
> {
  /** What depends on the record: its name, how it is read again, and what happens once it is saved. */
  readonly useForm: (record: T, onClose: () => void) => RecordOfForm<C>
}

/** The edit form of a record, or of a part of one, whose fields need no other records. */
export const createRecordForm = <T, C extends SavingCall, Fields extends FieldsByPath>({
  call,
  fields,
  sections,
  toValues,
  useForm,
}: FormDeclaration<T, C, Fields>) => {
  const DeclaredForm = ({ record, draftKey, onClose }: RecordFormProps<T>) => (
    <EditForm<C, Fields>
      {...useForm(record, onClose)}
      call={call}
      fields={fields}
      sections={sections}
      toValues={toValues}
      draftKey={draftKey}
    />
  )
  return DeclaredForm
}
