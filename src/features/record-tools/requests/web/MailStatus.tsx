import { Button } from '@mantine/core'

import { formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { useCan } from '../../../access/session/web/queries.ts'
import type { RequestMail, RequestRecord } from '../contract.ts'
import { hasMailProblem } from '../rules.ts'
import { useRetryMail } from './queries.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestDrawer.module.css'

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
export const MailStatus = ({ request, canAnswer }: { request: RequestRecord; canAnswer: boolean }) => {
  const again = useRetryMail(request)
  const canSet = useCan('change the settings')
  const { mail, answerMail } = request
  if (mail === null) return <>Not emailed: saved before email was set up</>
  const canRetry = [mail, answerMail].some((one) => hasMailProblem(one) && one?.state !== 'unaddressed')
  return (
    <div className={classes.mail}>
      <span>{formatMail(mail)}</span>
      {mail.problem ? <span className={classes.problem}>{mail.problem}</span> : null}
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
          {answerMail.problem ? <span className={classes.problem}>{answerMail.problem}</span> : null}
        </>
      ) : null}
      {canAnswer && canRetry ? (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Try Again
        </Button>
      ) : null}
      <span role="alert" className={classes.problem}>
        {again.error ? `Error: ${errorMessage(again.error)}` : null}
      </span>
    </div>
  )
}
