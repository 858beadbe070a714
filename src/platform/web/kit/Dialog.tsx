import { Button, Modal } from '@mantine/core'
import { useEffect } from 'react'
import type { FormEvent, ReactNode } from 'react'

import { errorMessage } from '../failures.ts'
import { registerOpenForm } from '../form/open-forms.ts'
import { useReturnFocus } from './use-return-focus.ts'

import classes from './Dialog.module.css'

interface DialogProps {
  /** What it is about, or its question. */
  title: string
  /** What its button does, in the title's verb. */
  confirmLabel: string
  /** True while something is still to be chosen. */
  isDisabled?: boolean
  /** A question about much: focus starts on Cancel. What takes something away always does. */
  focusesCancel?: boolean
  /** A button that takes something away. */
  isDestructive?: boolean
  /** How wide it is at most. */
  size?: number
  /** What is worth knowing beside the buttons. */
  note?: ReactNode
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** A small window that does one thing: what fails is said in it, and nothing chosen is lost. */
export const Dialog = (props: DialogProps) => {
  const { title, confirmLabel, isDisabled = false, isDestructive = false, focusesCancel = isDestructive, size = 480 } = props
  const { note, isBusy, error, onConfirm, onClose, children } = props
  useEffect(registerOpenForm, [])
  useReturnFocus()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A window over a form is no part of it, though React sends its events there.
    event.stopPropagation()
    if (!isDisabled && !isBusy) onConfirm()
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }} size={size}>
      <form noValidate onSubmit={submit} className={classes.form}>
        {children}
        <div role="alert">{error ? <p className={classes.failed}>Error: {errorMessage(error)}</p> : null}</div>
        <div className={classes.buttons}>
          {note === undefined ? null : <p className={classes.note}>{note}</p>}
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
