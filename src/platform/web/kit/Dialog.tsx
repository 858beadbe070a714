import { Button, Modal } from '@mantine/core'
import { useEffect } from 'react'
import type { FormEvent, ReactNode } from 'react'

import { errorMessage } from '../failures.ts'
import { registerOpenForm } from '../form/open-forms.ts'
import { useReturnFocus } from './use-return-focus.ts'

import classes from './Dialog.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface DialogProps {
  /** The title or question. */
  title: string
  /** The label of its button, with the title's verb. */
  confirmLabel: string
  /** True while a required choice is missing. */
  isDisabled?: boolean
  /** Puts the initial focus on Cancel, for far-reaching actions. Always so for destructive ones. */
  focusesCancel?: boolean
  /** Whether the action is destructive. */
  isDestructive?: boolean
  /** The maximum width. */
  size?: number
  /** A remark next to the buttons. */
  note?: ReactNode
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** A small dialog for one action: it shows the action's failures and keeps the user's input. */
export const Dialog = (props: DialogProps) => {
  const { title, confirmLabel, isDisabled = false, isDestructive = false, focusesCancel = isDestructive, size = 480 } = props
  const { note, isBusy, error, onConfirm, onClose, children } = props
  useEffect(registerOpenForm, [])
  useReturnFocus()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles events from a dialog to the form below it in the component tree.
    event.stopPropagation()
    if (!isDisabled && !isBusy) onConfirm()
  }
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form noValidate onSubmit={submit} className={layoutClasses.stack}>
        {children}
        <div role="alert">{error ? <p className={textClasses.error}>Error: {errorMessage(error)}</p> : null}</div>
        <div className={`${layoutClasses.buttons} ${layoutClasses.alignCenter}`}>
          {note === undefined ? null : <p className={`${textClasses.note} ${classes.note}`}>{note}</p>}
          <Button variant="default" onClick={onClose} {...(focusesCancel ? { 'data-autofocus': true } : {})}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={isDisabled} {...(isDestructive ? { color: 'red' } : {})}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
