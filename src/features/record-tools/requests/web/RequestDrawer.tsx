import { Button, Drawer, Skeleton } from '@mantine/core'

import { formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { useCan } from '../../../access/session/web/queries.ts'
import type { RequestDetail } from '../contract.ts'
import { REQUEST_KIND_LABELS, formatSender, REQUEST_STATE_LABELS, formatTitle } from '../rules.ts'
import { AnswerForm } from './AnswerForm.tsx'
import type { ShowsCurrentValues } from './current-values.ts'
import { MailStatus } from './MailStatus.tsx'
import { useRequest } from './queries.ts'
import { StateBadge } from './StateBadge.tsx'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestDrawer.module.css'

const Answers = ({ history }: Pick<RequestDetail, 'history'>) => (
  <section aria-labelledby="answers">
    <h3 id="answers" className={classes.heading}>
      Answers
    </h3>
    <ol className={classes.answers}>
      {history.map(({ at, by, state, word }) => (
        <li key={at}>
          <strong>{state === 'open' ? 'Reopened' : REQUEST_STATE_LABELS[state]}</strong> by {by ?? 'someone'}
          <span className={textClasses.note}> {formatMoment(at, configuration.timeZone, ', ')}</span>
          {word ? <p className={classes.text}>{word}</p> : null}
        </li>
      ))}
    </ol>
  </section>
)

const Request = ({ request, CurrentValues }: ShowsCurrentValues & { request: RequestDetail }) => {
  const canAnswer = useCan('answer requests')
  const { kind, state, text, site, email, isSignedIn, createdAt, history } = request
  return (
    <div className={classes.request}>
      <p className={classes.line}>
        <StateBadge state={state} />
        <span>{REQUEST_KIND_LABELS[kind]}</span>
        <span>{formatMoment(createdAt, configuration.timeZone, ', ')}</span>
      </p>
      <p className={classes.question}>{text}</p>
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
          <h3 id="present" className={classes.heading}>
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
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={600}
      title={query.data ? formatTitle(query.data) : 'Request'}
    >
      {query.data ? <Request request={query.data} CurrentValues={CurrentValues} /> : null}
      {query.isPending ? <Skeleton height={240} aria-hidden /> : null}
      {query.isError && !query.data ? (
        <div role="alert">
          <p>{errorMessage(query.error)}</p>
          <Button variant="default" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
    </Drawer>
  )
}
