import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { toFieldErrors } from '../../../../contract/problem.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { RequestAnswer } from '../contract.ts'
import type { RequestRecord, RequestState } from '../contract.ts'
import { formatSender } from '../rules.ts'
import { useAnswer } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './RequestDrawer.module.css'

/** Unsent messages survive closing the drawer. */
const unsentAnswers = new Map<string, string>()

const DONE_MESSAGES: Record<RequestState, string> = {
  open: 'The request was reopened.',
  done: 'The request was marked as done.',
  declined: 'The request was declined.',
}

/** Answers a request; declining requires a message. An answered request can be reopened. */
export const AnswerForm = ({ request }: { request: RequestRecord }) => {
  const [word, setWord] = useState(unsentAnswers.get(request._id) ?? '')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const answering = useAnswer(request)
  useEffect(registerOpenForm, [])
  const send = (state: RequestState) => {
    const answer = { state, word: state === 'open' ? null : word.trim() || null }
    const checked = RequestAnswer.safeParse(answer)
    if (!checked.success) {
      setError(state === 'declined' && answer.word === null ? 'Please give a reason' : toFieldErrors(checked.error)[0]?.message)
      field.current?.focus()
      return
    }
    answering.mutate(answer, {
      onSuccess: () => {
        if (state !== 'open') {
          unsentAnswers.delete(request._id)
          setWord('')
        }
        showSuccess({ text: DONE_MESSAGES[state] })
      },
    })
  }
  const failure = (
    <div role="alert">{answering.error ? <p className={classes.failed}>Error: {errorMessage(answering.error)}</p> : null}</div>
  )
  if (request.state !== 'open')
    return (
      <div className={classes.form}>
        {failure}
        <div className={layoutClasses.buttons}>
          <Button variant="default" loading={answering.isPending} onClick={() => send('open')}>
            Reopen
          </Button>
        </div>
      </div>
    )
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!answering.isPending) send('done')
      }}
    >
      <Textarea
        ref={field}
        label={`Message to ${formatSender(request)}`}
        description={
          request.email
            ? `Your message is emailed to ${request.email} with the answer.`
            : 'No email address is on file, so no email will be sent.'
        }
        rows={3}
        value={word}
        onChange={({ currentTarget: { value } }) => {
          unsentAnswers.set(request._id, value)
          setWord(value)
          setError(undefined)
        }}
        error={error}
      />
      {failure}
      <div className={layoutClasses.buttons}>
        <Button variant="default" disabled={answering.isPending} onClick={() => send('declined')}>
          Decline
        </Button>
        <Button type="submit" loading={answering.isPending}>
          Mark as Done
        </Button>
      </div>
    </form>
  )
}
