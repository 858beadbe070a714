import { Modal, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FormEvent } from 'react'

import { toFieldErrors } from '../../../../contract/problem.ts'
import type { ChangeTarget } from '../../../../platform/web/change-window.ts'
import { send } from '../../../../platform/web/client.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { registerOpenForm, withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { DialogButtons } from '../../../../platform/web/kit/DialogButtons.tsx'
import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import { useIsNarrow } from '../../../../platform/web/narrow.ts'
import { ChangeRequest, sendChangeRequest } from '../contract.ts'
import type { ShowsCurrentValues } from './current-values.ts'
import { invalidateRequests } from './queries.ts'
import { SavedNotice } from './SavedNotice.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestModal.module.css'

/** Unsent text for each site survives closing the window. */
const unsentTexts = new Map<string, string>()

/** The Request a Change window: the current values beside the field for the change. */
export const ChangeRequestModal = ({
  about: { site, name },
  onClose,
  CurrentValues,
}: ShowsCurrentValues & { about: ChangeTarget; onClose: () => void }) => {
  const key = site ?? name
  const narrow = useIsNarrow()
  const [text, setText] = useState(unsentTexts.get(key) ?? '')
  const [error, setError] = useState<string>()
  useEffect(registerOpenForm, [])
  useReturnFocus()
  const sending = useMutation({
    mutationFn: () => withSignIn(() => send(sendChangeRequest, { body: { location: name, site, correctText: text } })),
    onSuccess: () => {
      unsentTexts.delete(key)
      invalidateRequests()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.isPending) return
    const checked = ChangeRequest.safeParse({ location: name, site, correctText: text })
    setError(checked.success ? undefined : toFieldErrors(checked.error)[0]?.message)
    if (checked.success) sending.mutate()
    else event.currentTarget.querySelector('textarea')?.focus()
  }
  return (
    <Modal opened onClose={onClose} title="Request a Change" size={site && !sending.isSuccess ? 820 : 480}>
      {sending.data ? (
        <SavedNotice kept={sending.data} onClose={onClose} />
      ) : (
        <form noValidate onSubmit={submit} className={layoutClasses.stack}>
          <p>
            About <strong>{name}</strong>
          </p>
          <div className={site ? classes.columns : undefined}>
            <Textarea
              label="What should change?"
              description="For example: The phone number is now 209-555-0142."
              name="correctText"
              required
              data-autofocus
              rows={site && !narrow ? 9 : 5}
              value={text}
              onChange={({ currentTarget: { value } }) => {
                unsentTexts.set(key, value)
                setText(value)
                setError(undefined)
              }}
              error={error}
            />
            {site ? (
              <section aria-label="Current information" className={layoutClasses.content}>
                <h3 className={`${textClasses.lines} ${textClasses.smallFont} ${textClasses.strong} ${layoutClasses.bottomMargin4}`}>
                  Current information
                </h3>
                <CurrentValues slug={site} />
              </section>
            ) : null}
          </div>
          <div role="alert">
            {sending.error ? (
              <p className={`${layoutClasses.badGround} ${layoutClasses.rounded} ${textClasses.strong} ${classes.failed}`}>
                Error: {errorMessage(sending.error)}
              </p>
            ) : null}
          </div>
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
