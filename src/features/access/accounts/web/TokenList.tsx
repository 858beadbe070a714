import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { formatMomentDay } from '../../../../contract/dates.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { ConfirmDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { type ApiToken, removeOwnToken, removeToken } from '../contract.ts'
import { formatLevel, formatRelativeMoment } from '../rules.ts'
import { EndedList } from './EndedList.tsx'
import { type AccountScope, invalidateAccounts, useTokens } from './queries.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AccountPage.module.css'

interface RemoveTokenDialogProps {
  scope: AccountScope
  token: ApiToken
  onClose: () => void
}

/** Asks before an API token is removed. */
const RemoveTokenDialog = ({ scope, token: { _id, name }, onClose }: RemoveTokenDialogProps) => (
  <ConfirmDialog
    title={`Remove the token ${name}?`}
    confirmLabel="Remove Token"
    isDestructive
    onSend={() =>
      scope === null ? send(removeOwnToken, { params: { id: _id } }) : send(removeToken, { params: { id: scope, token: _id } })
    }
    doneText={`The token ${name} was removed.`}
    reload={invalidateAccounts}
    onClose={onClose}
  >
    <p>Programs that use this token will stop working. It cannot be restored, but you can create a new one.</p>
  </ConfirmDialog>
)

const { timeZone } = configuration

const TokenRow = ({ token, onRemove }: { token: ApiToken; onRemove: () => void }) => {
  const { name, accessLevel, madeAt, expiresAt, usedAt } = token
  return (
    <IconRow
      icon={IconKey}
      name={name}
      lines={[
        [
          `Level ${accessLevel}, ${formatLevel(accessLevel)}`,
          usedAt === null ? 'Never used' : `Last used ${formatRelativeMoment(usedAt, timeZone)}`,
          `Created ${formatMomentDay(madeAt, timeZone)}`,
          `Expires ${formatMomentDay(expiresAt, timeZone)}`,
        ],
      ]}
      actions={
        <Button variant="default" className={textClasses.bad} aria-label={`Remove the token ${name}`} onClick={onRemove}>
          Remove
        </Button>
      }
    />
  )
}

const formatEnd = ({ end, endedAt, endedBy }: ApiToken): string => {
  const day = formatMomentDay(endedAt ?? '', timeZone)
  if (end === 'expired') return `Expired ${day}`
  if (end === 'removed') return `Removed ${day}${endedBy === null ? '' : ` by ${endedBy}`}`
  return `Ended ${day}: the account was disabled in the directory`
}

interface TokenListProps {
  scope: AccountScope
  description: ReactNode
  action?: ReactNode
}

export const TokenList = ({ scope, description: about, action: way }: TokenListProps) => {
  const query = useTokens(scope)
  const [removing, setRemoving] = useState<ApiToken | null>(null)
  const live = query.data?.filter(({ endedAt }) => endedAt === null)
  return (
    <Section title="API tokens" {...(live ? { count: live.length } : {})}>
      <p className={`${textClasses.detail} ${classes.about}`}>{about}</p>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(tokens) => (
          <>
            {live?.length === 0 ? null : (
              <IconRows label="API tokens">
                {live?.map((token) => (
                  <TokenRow key={token._id} token={token} onRemove={() => setRemoving(token)} />
                ))}
              </IconRows>
            )}
            {way ? (
              <div className={classes.below} data-print="no">
                {way}
              </div>
            ) : null}
            <EndedList
              title="Expired or removed in the last 30 days"
              over={tokens.flatMap((token) =>
                token.endedAt === null
                  ? []
                  : [{ _id: token._id, name: token.name, detail: `Level ${token.accessLevel}`, end: formatEnd(token) }],
              )}
            />
          </>
        )}
      </LoadedList>
      {removing ? <RemoveTokenDialog scope={scope} token={removing} onClose={() => setRemoving(null)} /> : null}
    </Section>
  )
}
