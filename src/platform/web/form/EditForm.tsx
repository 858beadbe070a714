import type { ReactNode } from 'react'
import { useMemo } from 'react'

import type { ResponseOf } from '../../../contract/call.ts'
import { sendUntyped } from '../client.ts'
import { queryClient } from '../queries.ts'
import type { FieldPath, FieldsOf, FormValues, ParamsProp, SavingCall } from './body-fields.ts'
import type { CrossFieldRules, FieldsByPath } from './fields.ts'
import { FormPage, type FormSection } from './FormPage.tsx'
import type { FormPlan } from './plan.ts'
import type { RecordSnapshot } from './record-parts.ts'
import { showSaved } from './show-saved.ts'
import type { FormSuggestion } from './suggestion.ts'
import { SuggestionForm } from './SuggestionForm.tsx'
import type { FormOptions } from './use-edit-form.ts'
import type { Values } from './values.ts'

/** Common to forms of existing and new records: field names, values, rules and messages come from the body of `call`. */
export interface CommonFormProps<C extends SavingCall, Fields> extends Pick<FormOptions<ResponseOf<C>>, 'derivedValues' | 'confirm'> {
  readonly call: C
  readonly draftKey: string
  readonly title?: string
  /** Above the title, across the page. */
  readonly banner?: ReactNode
  readonly fields: FieldsOf<C, Fields>
  readonly sections: readonly FormSection<FieldPath<C>>[]
  readonly crossFieldRules?: CrossFieldRules
}

export interface VersionedRecord {
  readonly version: number
  readonly updatedBy: string | null
  readonly updatedAt: string
}

/** What a form has of one record. */
export type RecordOfForm<C extends SavingCall> = Pick<
  CommonFormProps<C, unknown>,
  'title' | 'banner' | 'derivedValues' | 'crossFieldRules'
> &
  ParamsProp<C> & {
    /** The record's name in notices: 'Juniper Schools', 'The facility'. */
    readonly name: string
    readonly back?: string
    readonly cancelLabel?: string
    readonly record: ResponseOf<C> & VersionedRecord
    /** Reads the record again after someone else has saved it. */
    readonly read: () => Promise<ResponseOf<C> & VersionedRecord>
    readonly onSaved: (saved: ResponseOf<C>) => void
    /** False for records without a history. */
    readonly canUndo?: boolean
    readonly onCancel: () => void
    /** Changes are suggested instead of saved. */
    readonly suggestion?: FormSuggestion
    /** Changes can be planned for a later day. */
    readonly plan?: FormPlan | null
  }

export type EditFormProps<C extends SavingCall, Fields> = CommonFormProps<C, Fields> &
  RecordOfForm<C> & { readonly toValues: (record: ResponseOf<C>) => FormValues<C> }

export const toSnapshot = ({ version, updatedBy, updatedAt }: VersionedRecord, values: object): RecordSnapshot => ({
  values: values as Values,
  version,
  updatedBy,
  updatedAt,
})

/** The edit form of a record: it saves, or suggests changes if `suggestion` is given. */
export const EditForm = <C extends SavingCall, Fields extends FieldsByPath>(props: EditFormProps<C, Fields>) => {
  const {
    call,
    params,
    name,
    draftKey,
    banner,
    record,
    toValues,
    read,
    onSaved,
    title = `Edit ${name}`,
    back = name,
    cancelLabel = 'Cancel Edit',
    canUndo = true,
    suggestion = null,
  } = props
  const snapshot = useMemo(() => toSnapshot(record, toValues(record)), [record, toValues])
  const reload = async () => {
    const now = await read()
    return toSnapshot(now, toValues(now))
  }
  if (suggestion === 'loading') return null
  if (suggestion)
    return (
      <SuggestionForm {...props} schema={call.body} back={back} banner={banner} record={snapshot} reload={reload} suggestion={suggestion} />
    )
  return (
    <FormPage
      {...props}
      name={draftKey}
      schema={call.body}
      title={title}
      back={back}
      saveLabel="Save Changes"
      cancelLabel={cancelLabel}
      record={snapshot}
      send={(edit) => sendUntyped(call, { ...(params ? { params } : {}), ...edit })}
      reload={reload}
      onSaved={(saved, mergedWith, saves) => {
        onSaved(saved)
        void queryClient.invalidateQueries()
        showSaved({ mergedWith, ...(canUndo ? { saves } : {}) })
      }}
    />
  )
}
