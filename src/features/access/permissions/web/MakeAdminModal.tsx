import { Checkbox, Radio } from '@mantine/core'
import { useState } from 'react'

import { getFirstName } from '../../../../contract/user.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { DEFAULT_ADMIN_LEVEL } from '../../levels/rules.ts'
import { grantPermission, type Candidate, type Permission } from '../contract.ts'
import { ADMIN_LEVELS, getAbilities, getGrantableLevels, NEW_ADMIN_NAME } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

/** A candidate with an email address, which a grant needs. */
export type Grantee = Candidate & { readonly azureID: string }

interface MakeAdminModalProps {
  candidate: Grantee
  ownLevel: number
  /** Whether an invitation is suggested. */
  isInvitation?: boolean
  onGranted: (made: Permission) => void
  onClose: () => void
}

const joinWords = (words: readonly string[], last: 'and' | 'or'): string => words.join(` ${last} `)

/** How a level differs from the others: what it lacks, otherwise what it adds. */
export const formatDifference = (level: number, levels: readonly number[]): string => {
  const own = getAbilities(level)
  const all = new Set(levels.flatMap(getAbilities))
  const missing = [...all].filter((ability) => !own.includes(ability))
  const extra = own.filter((ability) => levels.some((other) => !getAbilities(other).includes(ability)))
  return missing.length > 0 ? `Cannot ${joinWords(missing, 'or')}.` : `Can also ${joinWords(extra, 'and')}.`
}

/** Where an invitation goes while no mail server is connected. */
export const getMailNote = (): string | undefined =>
  configuration.hasMail
    ? undefined
    : `No mail server is connected, so it would reach no one. Tell them yourself to sign in at ${location.origin}.`

/** Asks for confirmation and the level, and shows what the new administrator will be able to do. */
export const MakeAdminModal = (props: MakeAdminModalProps) => {
  const { candidate: grantee, ownLevel: granter, isInvitation = false, onGranted: onMade, onClose } = props
  const { azureID, name, personDbID } = grantee
  const levels = getGrantableLevels(granter)
  const [level = DEFAULT_ADMIN_LEVEL, setLevel] = useState(levels[0])
  const [invites, setInvites] = useState(isInvitation && configuration.hasMail)
  return (
    <SendingDialog
      title={`Make ${name} an administrator?`}
      confirmLabel="Make Admin"
      focusesCancel
      onSend={() =>
        send(grantPermission, {
          body: {
            applicationID: configuration.appId,
            userInfo: {
              azureID,
              name,
              personDbID,
              superAdmin: false,
              accessName: NEW_ADMIN_NAME,
              accessLevel: ADMIN_LEVELS.find((one) => one === level),
            },
            invite: invites,
          },
        })
      }
      onSent={onMade}
      onClose={onClose}
    >
      <div className={layoutClasses.iconAndText}>
        <Avatar name={name} />
        <MailLink email={azureID} />
      </div>
      {levels.length > 1 ? (
        <Radio.Group label="Level" value={String(level)} onChange={(value) => setLevel(Number(value))}>
          <div className={`${layoutClasses.stack} ${layoutClasses.topMargin8} ${layoutClasses.gap12}`}>
            {levels.map((one) => (
              <Radio key={one} value={String(one)} label={`Level ${one}`} description={formatDifference(one, levels)} />
            ))}
          </div>
        </Radio.Group>
      ) : null}
      <div>
        <p>
          {getFirstName(name)} will have{' '}
          <strong>
            level {level} ({NEW_ADMIN_NAME})
          </strong>{' '}
          access right away. {getFirstName(name)} will be able to:
        </p>
        <ul className={classes.abilities}>
          {getAbilities(level).map((ability) => (
            <li key={ability}>{ability}</li>
          ))}
        </ul>
      </div>
      <Checkbox
        label="Send an invitation by email"
        description={getMailNote()}
        checked={invites}
        onChange={(event) => setInvites(event.currentTarget.checked)}
      />
      {levels.length > 1 ? null : <p className={textClasses.note}>You can’t give more access than you have (level {level}).</p>}
    </SendingDialog>
  )
}
