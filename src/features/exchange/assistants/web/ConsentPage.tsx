import { Button } from '@mantine/core'
import { IconCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { useUser } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { answerConsentRequest, type ConsentRequest } from '../contract.ts'
import { SCOPES } from '../rules.ts'
import { useConsentRequest } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ConsentPage.module.css'

const RequestOver = () => (
  <EmptyState icon={IconPlugConnectedX} title="This request has ended" isPage>
    <p>It was answered already, took too long, or began in another browser. Start again in your assistant.</p>
    <EmptyStateActions>
      <TextLink to="/">Go to Homeroom</TextLink>
    </EmptyStateActions>
  </EmptyState>
)

/** What the assistant may do, at whose level, and where the answer goes. */
const Consent = ({ id, request: { name, destination, scopes } }: { id: string; request: ConsentRequest }) => {
  const user = useUser()
  const answering = useMutation({
    mutationFn: (allow: boolean) => send(answerConsentRequest, { params: { id }, body: { allow } }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const isOver = answering.isPending || answering.isSuccess
  return (
    <div className={`${layoutClasses.card} ${layoutClasses.breakable} ${classes.card}`}>
      <h1 tabIndex={-1}>Let “{name}” use Homeroom?</h1>
      <p className={`${textClasses.dimmed} ${layoutClasses.topMargin8}`}>
        It will see what you see, {user?.name}, as level {user?.accessLevel}, and nothing else.
      </p>
      <ul className={classes.facts} aria-label="What it may do">
        {scopes.map((scope) => (
          <li key={scope} className={classes.fact}>
            <IconCheck size={16} stroke={2} aria-hidden className={textClasses.ok} />
            <span className={`${layoutClasses.column} ${textClasses.lines}`}>
              <strong>{SCOPES[scope].name}</strong>
              <span className={textClasses.detail}>{SCOPES[scope].about}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className={`${textClasses.small} ${classes.destination}`}>
        The answer goes to <strong>{destination}</strong>. What it looks up leaves Homeroom. You can end this on My account at any time. The
        name is what the program calls itself: allow it only if you have just connected it yourself.
      </p>
      {answering.error ? (
        <Notice tone="bad" live>
          {errorMessage(answering.error)}
        </Notice>
      ) : null}
      <div className={classes.buttons}>
        <Button disabled={isOver} onClick={() => answering.mutate(true)}>
          Allow
        </Button>
        <Button variant="default" disabled={isOver} onClick={() => answering.mutate(false)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** `/assistant/{id}`: an assistant asks to be let in. */
export const ConsentPage = () => {
  const { id } = useParams({ from: '/assistant/$id' })
  const query = useConsentRequest(id)
  useTitle('Let an assistant in')
  return (
    <main id="main" className={`${layoutClasses.railGround} ${classes.page}`}>
      {query.data ? <Consent id={id} request={query.data} /> : query.isError ? <RequestOver /> : null}
    </main>
  )
}
