import { useEffect, useState } from 'react'

import type { CheckedBody } from '../../../../contract/call.ts'
import { type FieldError, Problem, toFieldErrors } from '../../../../contract/problem.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { createWebhook } from '../contract.ts'
import { findContentErrors } from '../rules.ts'
import { WebhookFields, type WebhookValues } from './WebhookFields.tsx'

/** The error of a field, or of one entry of it. */
const findMessage = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find(({ path }) => path.split('.')[0] === field)?.message

interface WebhookDialogProps {
  title: string
  confirmLabel: string
  initial: WebhookValues
  isBusy: boolean
  /** From the last attempt to save. */
  error: unknown
  onSave: (values: CheckedBody<typeof createWebhook>) => void
  /** Called when an invalid value has been changed. */
  onChange: () => void
  onClose: () => void
}

/** The window with the fields of a webhook. They are validated here with the server's rules. */
export const WebhookDialog = ({ title, confirmLabel, initial, isBusy, error, onSave, onChange, onClose }: WebhookDialogProps) => {
  const [values, setValues] = useState(initial)
  const [invalid, setInvalid] = useState<readonly FieldError[]>([])
  const refused = error instanceof Problem ? (error.errors ?? []) : []
  const errors = invalid.length > 0 ? invalid : refused
  const hasErrors = errors.length > 0
  useEffect(() => {
    if (hasErrors) document.querySelector<HTMLElement>('[role="dialog"] [aria-invalid="true"]')?.focus()
  }, [hasErrors])
  const save = () => {
    const checked = createWebhook.body.safeParse(values)
    if (checked.success) onSave(checked.data)
    // The schema compares fields only once each of them is valid.
    else setInvalid([...toFieldErrors(checked.error), ...findContentErrors(values)])
  }
  return (
    <Dialog
      title={title}
      confirmLabel={confirmLabel}
      size={600}
      isBusy={isBusy}
      error={refused.length > 0 ? null : error}
      onConfirm={save}
      onClose={onClose}
    >
      <WebhookFields
        values={values}
        errorOf={(field) => findMessage(errors, field)}
        onChange={(next) => {
          setValues(next)
          setInvalid([])
          onChange()
        }}
      />
    </Dialog>
  )
}
