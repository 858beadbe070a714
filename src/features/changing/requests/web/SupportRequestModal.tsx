import { Modal, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'

import { toFieldErrors } from '../../../../contract/problem.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { DialogButtons } from '../../../../platform/web/kit/DialogButtons.tsx'
import { AnonymousSupportRequest, sendSupportRequest, SupportRequest } from '../contract.ts'
import { invalidateRequests } from './queries.ts'
import { SavedNotice } from './SavedNotice.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestModal.module.css'

type Draft = { request: string; name: string; email: string }
/** Unsent text survives closing the window. */
let kept: Draft = { request: '', name: '', email: '' }

const validateDraft = (draft: Draft, isSignedIn: boolean): Partial<Record<keyof Draft, string>> => {
  const checked = isSignedIn ? SupportRequest.safeParse({ request: draft.request }) : AnonymousSupportRequest.safeParse(draft)
  return checked.success ? {} : Object.fromEntries(toFieldErrors(checked.error).map(({ path, message }) => [path, message]))
}

/** The IS Support Request window. Without a session it also asks for name and email. */
export const SupportRequestModal = ({ onClose }: { onClose: () => void }) => {
  const user = useUser()
  const [draft, setDraft] = useState(kept)
  const [errors, setErrors] = useState<ReturnType<typeof validateDraft>>({})
  const sending = useMutation({
    mutationFn: () => {
      const { request, name, email } = draft
      // The session takes precedence over these; they are needed if it has expired in the meantime.
      return send(sendSupportRequest, { body: user ? { request, name: user.name, email: user.azureID } : { request, name, email } })
    },
    onSuccess: () => {
      kept = { request: '', name: '', email: '' }
      invalidateRequests()
    },
  })

  const getFieldProps = (field: keyof Draft) => ({
    name: field,
    required: true,
    value: draft[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const next = { ...draft, [field]: event.currentTarget.value }
      kept = next
      setDraft(next)
      setErrors({})
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = validateDraft(draft, user !== null)
    setErrors(found)
    const [bad] = Object.keys(found)
    if (bad) event.currentTarget.querySelector<HTMLElement>(`[name="${bad}"]`)?.focus()
    else sending.mutate()
  }

  return (
    <Modal opened onClose={onClose} title="IS Support Request" size={480}>
      {sending.data ? (
        <SavedNotice kept={sending.data} onClose={onClose} />
      ) : (
        <form noValidate onSubmit={submit} className={layoutClasses.stack}>
          <Textarea label="How can we help?" data-autofocus rows={5} {...getFieldProps('request')} />
          {user ? (
            <p className={textClasses.caption}>Your name, {user.name}, is sent with the request.</p>
          ) : (
            <>
              <TextInput label="Your name" autoComplete="name" {...getFieldProps('name')} />
              <TextInput label="Your email" type="email" autoComplete="email" {...getFieldProps('email')} />
            </>
          )}
          {sending.error ? (
            <p role="alert" className={`${layoutClasses.badGround} ${layoutClasses.rounded} ${textClasses.strong} ${classes.failed}`}>
              Error: {errorMessage(sending.error)}
            </p>
          ) : null}
          <DialogButtons
            className={`${layoutClasses.spaced} ${layoutClasses.atEnd} ${classes.buttons}`}
            submitLabel="Send Request"
            isBusy={sending.isPending}
            onClose={onClose}
          />
        </form>
      )}
    </Modal>
  )
}
