import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { formatCount } from '../../../../../contract/format.ts'
import { getResumeSearch } from '../../../../../platform/web/form/use-edit-mode.ts'
import type { WaitingMessage } from '../../../../../platform/web/offline-storage.ts'
import { useIsOffline } from '../../../../../platform/web/offline.ts'
import {
  discardSuggestion,
  loadWaitingSuggestions,
  reopenSuggestion,
  sendWaitingSuggestions,
  useWaitingSuggestions,
} from '../waiting-suggestions.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './WaitingSuggestions.module.css'

/** A suggestion that was not accepted when it was sent: its form opens again with what was typed. */
const RefusedSuggestion = ({ message }: { message: WaitingMessage }) => {
  const { id = 0, about, path, refusal, draft } = message
  const navigate = useNavigate()
  return (
    <section className={classes.card} aria-label={`Suggestion for ${about}`}>
      <p className={textClasses.strong}>
        Your suggestion for{' '}
        <Link to={path} className={textClasses.linkColor}>
          {about}
        </Link>{' '}
        was not accepted
      </p>
      <p className={textClasses.detail}>{refusal}</p>
      <div className={`${layoutClasses.spaced} ${layoutClasses.topMargin8}`}>
        {draft ? (
          <Button
            onClick={() => void reopenSuggestion(message).then(() => navigate({ to: path, search: getResumeSearch(draft.name) as never }))}
          >
            Change It
          </Button>
        ) : null}
        <Button variant="default" onClick={() => void discardSuggestion(id)}>
          Discard It
        </Button>
      </div>
    </section>
  )
}

/** The suggestions that wait for a connection, and those that were not accepted when they were sent. */
export const WaitingSuggestions = () => {
  const all = useWaitingSuggestions()
  const isOffline = useIsOffline()
  useEffect(() => void (isOffline ? loadWaitingSuggestions() : sendWaitingSuggestions()).catch(() => undefined), [isOffline]) // read again with the next change
  const waiting = all.filter(({ refusal }) => refusal === undefined)
  const refused = all.filter(({ refusal }) => refusal !== undefined)
  return (
    <>
      {waiting.length === 0 ? null : (
        <section className={classes.card} aria-label="Suggestions that wait for a connection">
          <p className={textClasses.strong}>
            {formatCount(waiting.length, 'suggestion')} {waiting.length === 1 ? 'waits' : 'wait'} for a connection
          </p>
          <ul>
            {waiting.map(({ id, about, path }) => (
              <li key={id} className={textClasses.detail}>
                <Link to={path} className={textClasses.linkColor}>
                  {about}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {refused.map((message) => (
        <RefusedSuggestion key={message.id} message={message} />
      ))}
    </>
  )
}
