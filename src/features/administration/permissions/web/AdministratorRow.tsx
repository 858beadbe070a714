import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatDaysAgo } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import type { Permission } from '../contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

interface AdministratorRowProps {
  permission: Permission
  isOwn: boolean
  /** The button to remove the administrator, or why they cannot be removed. */
  action: ReactNode
}

export const AdministratorRow = ({ permission, isOwn, action: way }: AdministratorRowProps) => {
  const { personID, accessLevel, accessName, grantedAt, grantedBy } = permission
  return (
    <li className={classes.row}>
      <Avatar name={personID.name} />
      <span className={`${layoutClasses.column} ${classes.text}`}>
        <span className={classes.nameLine}>
          {personID._id === null ? (
            <span className={textClasses.name}>{personID.name}</span>
          ) : (
            <Link to="/staff/$slug" params={{ slug: personID._id }} className={textClasses.name}>
              {personID.name}
            </Link>
          )}
          {isOwn ? <span className={`${textClasses.label} ${classes.you}`}>You</span> : null}
        </span>
        {personID.name === personID.azureID ? null : <span className={`${textClasses.detail} ${classes.detail}`}>{personID.azureID}</span>}
      </span>
      <span className={`${textClasses.detail} ${layoutClasses.column} ${classes.level}`}>
        <span>
          Level {accessLevel}, {accessName}
        </span>
        <span className={classes.since}>
          {formatDaysAgo(grantedAt, configuration.timeZone)}
          {grantedBy ? ` by ${grantedBy}` : null}
        </span>
      </span>
      <span className={classes.action}>{way}</span>
    </li>
  )
}
