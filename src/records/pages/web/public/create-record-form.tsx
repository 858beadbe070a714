import type { Attributes } from 'react'

import type { SavingCall } from '../../../../platform/web/form/body-fields.ts'
import { EditForm, type EditFormProps } from '../../../../platform/web/form/EditForm.tsx'
import type { FieldsByPath } from '../../../../platform/web/form/fields.ts'
import type { RecordFormProps } from './RecordPage.tsx'

type FixedProps = 'call' | 'fields' | 'sections' | 'toValues'

interface FormDeclaration<T, C extends SavingCall, Fields extends FieldsByPath> extends Pick<EditFormProps<C, Fields>, FixedProps> {
  /** What depends on the record: its name, how it is read again, and what happens once it is saved. */
  readonly useForm: (record: T, onClose: () => void) => Omit<EditFormProps<C, Fields>, FixedProps | 'draftKey'>
}

/** The edit form of a record, or of a part of one, whose fields need no other records. */
export const createRecordForm = <T, C extends SavingCall, Fields extends FieldsByPath>({
  useForm,
  ...declaration
}: FormDeclaration<T, C, Fields>) => {
  const DeclaredForm = ({ record, draftKey, onClose }: RecordFormProps<T>) => {
    const props = { ...declaration, ...useForm(record, onClose), draftKey } as Attributes & EditFormProps<C, Fields>
    return <EditForm {...props} />
  }
  return DeclaredForm
}
