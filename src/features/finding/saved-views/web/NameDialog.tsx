import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'

import { Problem } from '../../../../contract/problem.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { DialogButtons } from '../../../../platform/web/kit/DialogButtons.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './public/ViewMenu.module.css'

interface NameDialogProps {
  title: string
  name: string
  /** The list and filters that the name is for. */
  about: string
  save: string
  isSaving: boolean
  error: unknown
  onSave: (name: string) => void
  /** Clears the error when the name changes. */
  onChange: () => void
  onClose: () => void
}

const getNameError = (error: unknown): string | undefined =>
  error instanceof Problem ? error.errors?.find(({ path }) => path === 'name')?.message : undefined

/** Asks for the name of a view. Errors are shown at the field, and nothing typed is lost. */
export const NameDialog = ({ title, name: before, about, save, isSaving, error, onSave, onChange, onClose }: NameDialogProps) => {
  const [name, setName] = useState(before)
  const [isMissing, setMissing] = useState(false)
  const wrong = isMissing ? 'Enter a name for the view' : getNameError(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const trimmedName = name.trim()
    setMissing(trimmedName === '')
    if (trimmedName === '') event.currentTarget.querySelector<HTMLElement>('input')?.focus()
    else onSave(trimmedName)
  }
  return (
    <Modal opened onClose={onClose} title={title} size={440}>
      <form noValidate onSubmit={submit} className={layoutClasses.stack}>
        <TextInput
          label="Name"
          required
          data-autofocus
          autoComplete="off"
          maxLength={60}
          value={name}
          error={wrong}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setMissing(false)
            onChange()
          }}
        />
        <p className={`${layoutClasses.breakable} ${textClasses.caption}`}>{about}</p>
        {error && wrong === undefined ? (
          <p role="alert" className={`${layoutClasses.badGround} ${layoutClasses.fullWidth} ${layoutClasses.rounded} ${classes.failed}`}>
            Error: {errorMessage(error)}
          </p>
        ) : null}
        <DialogButtons
          className={`${layoutClasses.spaced} ${layoutClasses.atEnd}`}
          submitLabel={save}
          isBusy={isSaving}
          onClose={onClose}
        />
      </form>
    </Modal>
  )
}
