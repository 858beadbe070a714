import { Button } from '@mantine/core'

import { formatMomentDay, formatMomentTime } from '../../../../platform/contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { useCan } from '../../../access/session/web/queries.ts'
import type { RequestMail, RequestRecord } from '../contract.ts'
import { isStuck } from '../rules.ts'
import { useMailAgain } from './queries.ts'

import classes from './RequestDrawer.module.css'

const when = (at: string | null): string =>
  at === null ? '' : ` ${formatMomentDay(at, configuration.timeZone)}, ${formatMomentTime(at, configuration.timeZone)}`

const wordsOf = ({ state, sentAt, recipients }: RequestMail): string => {
  const to = recipients.length > 0 ? ` to ${recipients.join(', ')}` : ''
  switch (state) {
    case 'mailed':
      return `Emailed${to}${when(sentAt)}`
    case 'written':
      return `Written to a file${when(sentAt)}, because email is not set up`
    case 'waiting':
      return `Waiting to be emailed${to}`
    case 'unaddressed':
      return 'Not emailed: no one is set up to receive it'
    case 'failed':
      return `Could not be emailed${to}`
  }
}

/** How it stands with the mails about a request; what does not go out by itself can be tried again. */
export const MailWords = ({ request, mayAnswer }: { request: RequestRecord; mayAnswer: boolean }) => {
  const again = useMailAgain(request)
  const maySet = useCan('change the settings')
  const { mail, answerMail } = request
  if (mail === null) return <>Not emailed: saved before email was set up</>
  const canBeTried = [mail, answerMail].some((one) => isStuck(one) && one?.state !== 'unaddressed')
  return (
    <div className={classes.mail}>
      <span>{wordsOf(mail)}</span>
      {mail.problem ? <span className={classes.problem}>{mail.problem}</span> : null}
      {mayAnswer && mail.state === 'unaddressed' ? (
        maySet ? (
          <TextLink to="/settings">Choose who receives requests</TextLink>
        ) : (
          <span className={classes.note}>A level 5 administrator can choose who receives requests.</span>
        )
      ) : null}
      {answerMail && mayAnswer ? (
        <>
          <span>Answer: {wordsOf(answerMail).replace(/^./, (first) => first.toLowerCase())}</span>
          {answerMail.problem ? <span className={classes.problem}>{answerMail.problem}</span> : null}
        </>
      ) : null}
      {mayAnswer && canBeTried ? (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Try Again
        </Button>
      ) : null}
      <span role="alert" className={classes.problem}>
        {again.error ? `Error: ${sayFailure(again.error)}` : null}
      </span>
    </div>
  )
}
