import { Button } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'

import { Dialog } from '../kit/Dialog.tsx'
import { focusPage } from '../navigation.ts'
import { ChangesDialog } from './ChangesDialog.tsx'
import { ConflictView } from './ConflictView.tsx'
import { FormNews } from './FormNews.tsx'
import { isSignInRequested } from './open-forms.ts'
import { UnsavedChangesGuard } from './UnsavedChangesGuard.tsx'
import type { FormState } from './use-edit-form.ts'
import { useFieldInAddress } from './use-field-in-address.ts'

/** The actions that a form's frame provides to its page. */
export interface FormActions {
  readonly submit: (event?: FormEvent) => void
  readonly review: () => void
}

interface FormFrameProps {
  readonly form: FormState
  readonly title: string
  /** Leaves the form, after a confirmation if there are unsaved changes. */
  readonly onEscape?: (() => void) | undefined
  /** Changes are suggested, so others who edit the record need not know of the form. */
  readonly isSuggestion?: boolean
  readonly children: (frame: FormActions) => ReactNode
}

/**
 * Focuses the form's heading once the browser has painted it: focusing earlier would force layout of a long form in the middle of our script. If a
 * field has the focus by then, it keeps it. Returns a function that cancels this.
 */
const focusWhenDrawn = (): (() => void) => {
  const before = document.activeElement
  let later: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    later = setTimeout(() => {
      const now = document.activeElement
      if (now === before || now === document.body || !now?.isConnected) focusPage()
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(later)
  }
}

/** Common to all forms, whatever their layout: the window title, Ctrl S, the review, the confirmation before leaving and the conflict view. */
export const FormFrame = ({ form, title, onEscape, isSuggestion = false, children }: FormFrameProps) => {
  const { fields, values, base, changed } = form
  const [isReviewing, setReviewing] = useState(false)
  const review = useCallback(() => setReviewing(true), [])
  useEffect(() => {
    const before = document.title
    document.title = `${title} - Homeroom`
    return () => {
      document.title = before
    }
  }, [title])
  const isForm = form.conflict === null
  useEffect(() => (isForm ? focusWhenDrawn() : undefined), [isForm])
  useFieldInAddress()

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!form.conflict && !isSignInRequested()) void form.save()
  }
  const [isLeaving, setLeaving] = useState(false)
  const leave = onEscape && (() => (changed.length > 0 ? setLeaving(true) : onEscape()))
  const keys = useRef({ submit, leave })
  useEffect(() => {
    keys.current = { submit, leave }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Not while another dialog is open over the form.
      if (document.querySelector('[role="dialog"]') === null) keys.current.submit()
    }
    // Runs before an open dialog or dropdown handles the key, which then only closes itself.
    const onEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('[role="dialog"], [role="listbox"], [role="menu"]') === null) keys.current.leave?.()
    }
    document.addEventListener('keydown', onKey)
    window.addEventListener('keydown', onEscape, true)
    return () => {
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('keydown', onEscape, true)
    }
  }, [])

  return (
    <>
      <UnsavedChangesGuard changed={changed} fields={fields} base={base} values={values} />
      {form.conflict ? <ConflictView conflict={form.conflict} form={form} fields={fields} /> : children({ submit, review })}
      {isForm ? <FormNews form={form} isSuggestion={isSuggestion} /> : null}
      {isLeaving && onEscape ? (
        <Dialog
          title="Leave without sending?"
          confirmLabel="Leave"
          isBusy={false}
          error={null}
          focusesCancel
          onClose={() => setLeaving(false)}
          onConfirm={onEscape}
        >
          <p>What you typed is kept in this browser until you sign out.</p>
        </Dialog>
      ) : null}
      {isReviewing && isForm ? (
        <ChangesDialog
          title={changed.length === 1 ? 'One unsaved change' : `${changed.length} unsaved changes`}
          changed={changed}
          fields={fields}
          base={base}
          values={values}
          onClose={() => setReviewing(false)}
          onUndo={(path) => form.set(path, base[path] ?? null)}
        >
          <Button data-autofocus variant="default" onClick={() => setReviewing(false)}>
            Back to the Form
          </Button>
        </ChangesDialog>
      ) : null}
    </>
  )
}
