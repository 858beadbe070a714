import { Button } from '@mantine/core'

import { showMomentDay, showMomentTime } from '../../../platform/contract/dates.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { sayFailure } from '../../../platform/web/failures.ts'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { useMay } from '../../session/web/queries.ts'
import type { RequestMail, RequestRecord } from '../contract.ts'
import { isStuck } from '../rules.ts'
import { useMailAgain } from './queries.ts'

import classes from './RequestDrawer.module.css'

const when = (at: string | null): string =>
  at === null ? '' : ` ${showMomentDay(at, configuration.timeZone)}, ${showMomentTime(at, configuration.timeZone)}`

const wordsOf = ({ state, sentAt, recipients }: RequestMail): string => {
  const to = recipients.length > 0 ? ` to ${recipients.join(', ')}` : ''
  switch (state) {
    case 'mailed':
      return `Mailed${to}${when(sentAt)}`
    case 'written':
      return `Written to a file${when(sentAt)}, because no mail server is set`
    case 'waiting':
      return `Waiting to be mailed${to}`
    case 'unaddressed':
      return 'Not mailed: nobody is set to get it'
    case 'failed':
      return `Could not be mailed${to}`
  }
}

/** How it stands with the mails about a request; what does not go out by itself can be tried again. */
export const MailWords = ({ request, mayAnswer }: { request: RequestRecord; mayAnswer: boolean }) => {
  const again = useMailAgain(request)
  const maySet = useMay('change the settings')
  const { mail, answerMail } = request
  if (mail === null) return <>Not mailed: it was kept before mails were sent</>
  const canBeTried = [mail, answerMail].some((one) => isStuck(one) && one?.state !== 'unaddressed')
  return (
    <div className={classes.mail}>
      <span>{wordsOf(mail)}</span>
      {mail.problem ? <span className={classes.problem}>{mail.problem}</span> : null}
      {mayAnswer && mail.state === 'unaddressed' ? (
        maySet ? (
          <TextLink to="/settings">Set who gets requests</TextLink>
        ) : (
          <span className={classes.note}>An administrator of level 5 can set who gets requests.</span>
        )
      ) : null}
      {answerMail && mayAnswer ? (
        <>
          <span>The answer: {wordsOf(answerMail).replace(/^./, (first) => first.toLowerCase())}</span>
          {answerMail.problem ? <span className={classes.problem}>{answerMail.problem}</span> : null}
        </>
      ) : null}
      {mayAnswer && canBeTried ? (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Try again
        </Button>
      ) : null}
      <span role="alert" className={classes.problem}>
        {again.error ? `Error: ${sayFailure(again.error)}` : null}
      </span>
    </div>
  )
}
