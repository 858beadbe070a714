import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMomentDay } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import type { AccountSession } from '../contract.ts'
import { isHandheld, formatRelativeMoment } from '../rules.ts'
import { EndedList } from './EndedList.tsx'
import { EndSessionDialog } from './EndSessionDialog.tsx'
import { useSessions } from './queries.ts'
import type { AccountScope } from './queries.ts'
import { SignOutEverywhereDialog } from './SignOutEverywhereDialog.tsx'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AccountPage.module.css'

const { timeZone } = configuration

const formatCurrentSession = ({ isThis, isThisBrowser }: AccountSession): string | null => {
  if (isThis) return 'This session'
  return isThisBrowser ? 'This browser' : null
}

const SessionRow = ({ session, onEnd }: { session: AccountSession; onEnd: () => void }) => {
  const { browser, address, signedInAt, usedAt, isThis } = session
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
      ]}
      actions={
        isThis ? null : (
          <Button variant="default" className={classes.destructive} aria-label={`End the session in ${browser}`} onClick={onEnd}>
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
              <Button variant="default" className={classes.destructive} mt={16} onClick={() => setLeaving(true)}>
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
