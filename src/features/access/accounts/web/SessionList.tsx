import { Button, Checkbox } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMomentDay } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import { getFirstName } from '../../../../contract/user.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { ConfirmDialog, SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { signOutWithoutConfirmation } from '../../session/web/queries.ts'
import { type AccountSession, endOwnSession, endSession, signOutAccount, signOutEverywhere } from '../contract.ts'
import { formatRelativeMoment, isHandheld } from '../rules.ts'
import { EndedList } from './EndedList.tsx'
import { type AccountScope, invalidateAccounts, useSessions } from './queries.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AccountPage.module.css'

interface SignOutEverywhereDialogProps {
  scope: AccountScope
  /** The name of the other person; null for the user's own sessions. */
  name: string | null
  onClose: () => void
}

/** Confirms ending all sessions of an account, optionally with its API tokens. */
const SignOutEverywhereDialog = ({ scope, name, onClose }: SignOutEverywhereDialogProps) => {
  const user = useUser()
  const [tokens, setTokens] = useState(false)
  const isOwn = scope === null || scope === user?._id
  return (
    <SendingDialog
      title={isOwn ? 'Sign out everywhere?' : `Sign ${name} out everywhere?`}
      confirmLabel="Sign Out Everywhere"
      isDestructive
      onSend={() =>
        scope === null ? send(signOutEverywhere, { body: { tokens } }) : send(signOutAccount, { params: { id: scope }, body: { tokens } })
      }
      onSent={(ended) => {
        if (isOwn) return signOutWithoutConfirmation()
        const removed = tokens ? ` ${formatCount(ended.tokens, 'API token')} removed.` : ''
        showSuccess({ text: `${name} is signed out: ${formatCount(ended.sessions, 'session')} ended.${removed}` })
        invalidateAccounts()
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        {isOwn
          ? 'All your sessions will end, including this one. You will have to sign in again.'
          : `All sessions of ${getFirstName(name ?? '')} will end right away, on every device.`}{' '}
        Programs keep working with {isOwn ? 'your' : 'the'} API tokens unless those are removed too.
      </p>
      <Checkbox
        label={isOwn ? 'Also remove my API tokens' : 'Also remove their API tokens'}
        checked={tokens}
        onChange={(event) => setTokens(event.currentTarget.checked)}
      />
    </SendingDialog>
  )
}

interface EndSessionDialogProps {
  scope: AccountScope
  session: AccountSession
  onClose: () => void
}

const EndSessionDialog = ({ scope, session, onClose }: EndSessionDialogProps) => {
  const { _id, browser, address, usedAt } = session
  return (
    <ConfirmDialog
      title="End this session?"
      confirmLabel="End Session"
      isDestructive
      onSend={() =>
        scope === null ? send(endOwnSession, { params: { id: _id } }) : send(endSession, { params: { id: scope, session: _id } })
      }
      doneText={`The session in ${browser} was ended.`}
      reload={invalidateAccounts}
      onClose={onClose}
    >
      <p>
        <strong>{browser}</strong>
        {address === null ? null : `, from ${address}`}, last used {formatRelativeMoment(usedAt, configuration.timeZone)}.
      </p>
      <p>
        This browser will have to sign in again. The work account may still be signed in on that device: if the device is lost, change the
        password of the work account too.
      </p>
    </ConfirmDialog>
  )
}

const { timeZone } = configuration

const formatCurrentSession = ({ isThis, isThisBrowser }: AccountSession): string | null => {
  if (isThis) return 'This session'
  return isThisBrowser ? 'This browser' : null
}

const SessionRow = ({ session, onEnd }: { session: AccountSession; onEnd: () => void }) => {
  const { browser, address, signedInAt, usedAt, copiedAt, isThis } = session
  return (
    <IconRow
      icon={isHandheld(browser) ? IconDeviceMobile : IconDeviceDesktop}
      name={browser}
      badge={formatCurrentSession(session)}
      lines={[
        [
          ...(address === null ? [] : [address]),
          `Last used ${formatRelativeMoment(usedAt, timeZone)}`,
          `Signed in ${formatRelativeMoment(signedInAt, timeZone)}`,
        ],
        ...(copiedAt === null ? [] : [[`Keeps the directory on this device, updated ${formatRelativeMoment(copiedAt, timeZone)}`]]),
      ]}
      actions={
        isThis ? null : (
          <Button variant="default" className={textClasses.bad} aria-label={`End the session in ${browser}`} onClick={onEnd}>
            End
          </Button>
        )
      }
    />
  )
}

interface SessionListProps {
  scope: AccountScope
  /** The owner's name, if they are not the user's own sessions. */
  name: string | null
}

/** A person's active sessions, with buttons to end one or all. */
export const SessionList = ({ scope, name }: SessionListProps) => {
  const query = useSessions(scope)
  const [ending, setEnding] = useState<AccountSession | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const live = query.data?.filter(({ endedAt }) => endedAt === null)
  return (
    <Section title={name === null ? 'Where You Are Signed In' : 'Sessions'} {...(live ? { count: live.length } : {})}>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(sessions) => (
          <>
            {live?.length === 0 ? (
              <p className={`${textClasses.detail} ${classes.none}`}>No active sessions.</p>
            ) : (
              <IconRows label="Sessions">
                {live?.map((session) => (
                  <SessionRow key={session._id} session={session} onEnd={() => setEnding(session)} />
                ))}
              </IconRows>
            )}
            {name === null || live?.length !== 0 ? (
              <Button variant="default" className={textClasses.bad} mt={16} onClick={() => setLeaving(true)}>
                Sign Out Everywhere
              </Button>
            ) : null}
            <EndedList
              title="Ended in the last 30 days"
              over={sessions.flatMap(({ _id, browser, address, endedAt, endedBy }) =>
                endedAt === null
                  ? []
                  : [
                      {
                        _id,
                        name: browser,
                        detail: address,
                        end: `Ended ${formatMomentDay(endedAt, timeZone)}${endedBy ? ` by ${endedBy}` : ''}`,
                      },
                    ],
              )}
            />
          </>
        )}
      </LoadedList>
      {ending ? <EndSessionDialog scope={scope} session={ending} onClose={() => setEnding(null)} /> : null}
      {isLeaving ? <SignOutEverywhereDialog scope={scope} name={name} onClose={() => setLeaving(false)} /> : null}
    </Section>
  )
}
