import { Button, Drawer, Skeleton, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { toFieldErrors } from '../../../../contract/problem.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { RequestAnswer, type RequestDetail, type RequestMail, type RequestRecord, type RequestState } from '../contract.ts'
import { formatSender, formatTitle, hasMailProblem, REQUEST_KIND_LABELS, REQUEST_STATE_LABELS } from '../rules.ts'
import type { ShowsCurrentValues } from './current-values.ts'
import { useAnswer, useRequest, useRetryMail } from './queries.ts'
import { StateBadge } from './StateBadge.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestDrawer.module.css'

/** Unsent messages survive closing the drawer. */
const unsentAnswers = new Map<string, string>()

const DONE_MESSAGES: Record<RequestState, string> = {
  open: 'The request was reopened.',
  done: 'The request was marked as done.',
  declined: 'The request was declined.',
}

/** Answers a request; declining requires a message. An answered request can be reopened. */
const AnswerForm = ({ request }: { request: RequestRecord }) => {
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
    <div role="alert">{answering.error ? <p className={textClasses.error}>Error: {errorMessage(answering.error)}</p> : null}</div>
  )
  if (request.state !== 'open')
    return (
      <div className={`${layoutClasses.stack} ${layoutClasses.lineAbove} ${classes.form}`}>
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
      className={`${layoutClasses.stack} ${layoutClasses.lineAbove} ${classes.form}`}
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

const formatWhen = (at: string | null): string => (at === null ? '' : ` ${formatMoment(at, configuration.timeZone, ', ')}`)

const formatMail = ({ state, sentAt, recipients }: RequestMail): string => {
  const to = recipients.length > 0 ? ` to ${recipients.join(', ')}` : ''
  switch (state) {
    case 'mailed':
      return `Emailed${to}${formatWhen(sentAt)}`
    case 'written':
      return `Written to a file${formatWhen(sentAt)}, because email is not set up`
    case 'waiting':
      return `Waiting to be emailed${to}`
    case 'unaddressed':
      return 'Not emailed: no one is set up to receive it'
    case 'failed':
      return `Could not be emailed${to}`
  }
}

/** The state of the emails about a request, with a button to retry failed ones. */
const MailStatus = ({ request, canAnswer }: { request: RequestRecord; canAnswer: boolean }) => {
  const again = useRetryMail(request)
  const canSet = useCan('change the settings')
  const { mail, answerMail } = request
  if (mail === null) return <>Not emailed: saved before email was set up</>
  const canRetry = [mail, answerMail].some((one) => hasMailProblem(one) && one?.state !== 'unaddressed')
  return (
    <div className={`${layoutClasses.topRow} ${layoutClasses.vertical} ${layoutClasses.gap6}`}>
      <span>{formatMail(mail)}</span>
      {mail.problem ? <span className={textClasses.bad}>{mail.problem}</span> : null}
      {canAnswer && mail.state === 'unaddressed' ? (
        canSet ? (
          <TextLink to="/settings">Choose who receives requests</TextLink>
        ) : (
          <span className={textClasses.note}>A level 5 administrator can choose who receives requests.</span>
        )
      ) : null}
      {answerMail && canAnswer ? (
        <>
          <span>Answer: {formatMail(answerMail).replace(/^./, (first) => first.toLowerCase())}</span>
          {answerMail.problem ? <span className={textClasses.bad}>{answerMail.problem}</span> : null}
        </>
      ) : null}
      {canAnswer && canRetry ? (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Try Again
        </Button>
      ) : null}
      <span role="alert" className={textClasses.bad}>
        {again.error ? `Error: ${errorMessage(again.error)}` : null}
      </span>
    </div>
  )
}

const Answers = ({ history }: Pick<RequestDetail, 'history'>) => (
  <section aria-labelledby="answers">
    <h3 id="answers" className={`${textClasses.lines} ${textClasses.strong} ${classes.heading}`}>
      Answers
    </h3>
    <ol className={classes.answers}>
      {history.map(({ at, by, state, word }) => (
        <li key={at}>
          <strong>{state === 'open' ? 'Reopened' : REQUEST_STATE_LABELS[state]}</strong> by {by ?? 'someone'}
          <span className={textClasses.note}> {formatMoment(at, configuration.timeZone, ', ')}</span>
          {word ? <p className={textClasses.preserved}>{word}</p> : null}
        </li>
      ))}
    </ol>
  </section>
)

const Request = ({ request, CurrentValues }: ShowsCurrentValues & { request: RequestDetail }) => {
  const canAnswer = useCan('answer requests')
  const { kind, state, text, site, email, isSignedIn, createdAt, history } = request
  return (
    <div className={`${layoutClasses.stack} ${layoutClasses.breakable} ${layoutClasses.gap20}`}>
      <p className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.line}`}>
        <StateBadge state={state} />
        <span>{REQUEST_KIND_LABELS[kind]}</span>
        <span>{formatMoment(createdAt, configuration.timeZone, ', ')}</span>
      </p>
      <p className={`${layoutClasses.rounded} ${layoutClasses.sunkenGround} ${textClasses.preserved} ${classes.question}`}>{text}</p>
      <Facts
        facts={[
          {
            label: 'From',
            value: (
              <>
                {formatSender(request)}
                {isSignedIn ? null : <span className={textClasses.note}> (was not signed in)</span>}
              </>
            ),
          },
          { label: 'Email', value: email && (isSignedIn ? <MailLink email={email} /> : email) },
          ...(kind === 'change'
            ? [
                {
                  label: 'About',
                  value: site ? (
                    <TextLink to="/location/$slug" params={{ slug: site.slug }}>
                      {site.displayName}
                    </TextLink>
                  ) : (
                    request.location
                  ),
                },
              ]
            : []),
          { label: 'Email sent', value: <MailStatus request={request} canAnswer={canAnswer} /> },
        ]}
      />
      {site && canAnswer ? (
        <section aria-labelledby="present">
          <h3 id="present" className={`${textClasses.lines} ${textClasses.strong} ${classes.heading}`}>
            Current information
          </h3>
          <CurrentValues slug={site.slug} />
        </section>
      ) : null}
      {history.length > 0 ? <Answers history={history} /> : null}
      {canAnswer ? <AnswerForm key={request._id} request={request} /> : null}
      {!canAnswer && state === 'open' ? <p className={textClasses.note}>You will get an email when it is answered.</p> : null}
    </div>
  )
}

/** One request, in a drawer beside the list. */
export const RequestDrawer = ({ id, onClose, CurrentValues }: ShowsCurrentValues & { id: string; onClose: () => void }) => {
  const query = useRequest(id)
  return (
    <Drawer opened onClose={onClose} position="right" size={600} title={query.data ? formatTitle(query.data) : 'Request'}>
      {query.data ? <Request request={query.data} CurrentValues={CurrentValues} /> : null}
      {query.isPending ? <Skeleton height={240} aria-hidden /> : null}
      {query.isError && !query.data ? (
        <div role="alert">
          <p className={textClasses.paragraph}>{errorMessage(query.error)}</p>
          <Button variant="default" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
    </Drawer>
  )
}
