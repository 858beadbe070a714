import { Button } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'

import { formatDaysAgo } from '../../../../contract/dates.ts'
import { type User, getFirstName } from '../../../../contract/user.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { DEFAULT_ADMIN_LEVEL } from '../../levels/rules.ts'
import { reloadUser } from '../../session/web/queries.ts'
import { type Permission, removePermission } from '../contract.ts'
import { isAdministrator } from '../rules.ts'
import { CandidateSearch } from './CandidateSearch.tsx'
import { type Grantee, MakeAdminModal } from './MakeAdminModal.tsx'
import { useGroupAdministrators, usePermissions } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

interface RemoveAdminModalProps {
  permission: Permission
  isOwn: boolean
  onRemoved: () => void
  onClose: () => void
}

const RemoveAdminModal = ({ permission, isOwn, onRemoved, onClose }: RemoveAdminModalProps) => {
  const { name, azureID } = permission.personID
  return (
    <SendingDialog
      title={isOwn ? 'Remove yourself as an administrator?' : `Remove ${name} as an administrator?`}
      confirmLabel="Remove Admin"
      isDestructive
      onSend={() => send(removePermission, { params: { id: permission._id } })}
      onSent={onRemoved}
      onClose={onClose}
    >
      <div className={layoutClasses.iconAndText}>
        <Avatar name={name} />
        <MailLink email={azureID} />
      </div>
      <p>
        {isOwn ? 'You will lose' : `${getFirstName(name)} will lose`}{' '}
        <strong>
          level {permission.accessLevel} ({permission.accessName})
        </strong>{' '}
        access right away, on every device. {isOwn ? 'You' : 'They'} will still be able to view the directory.
      </p>
      {isOwn ? <p className={textClasses.note}>Only another administrator can make you an administrator again.</p> : null}
    </SendingDialog>
  )
}

interface AdministratorRowProps {
  name: string
  azureID: string
  /** The slug of their page in the directory. */
  person?: string | null
  isOwn?: boolean
  level: string
  /** When and by whom it was granted, or the group that gives it. */
  origin: ReactNode
  /** The button to remove the administrator, or why they cannot be removed. */
  action?: ReactNode
}

const AdministratorRow = ({ name, azureID, person = null, isOwn = false, level, origin, action }: AdministratorRowProps) => (
  <li className={`${layoutClasses.grid} ${layoutClasses.lineAbove} ${classes.row}`}>
    <Avatar name={name} />
    <span className={`${layoutClasses.column} ${textClasses.lines}`}>
      <span className={`${layoutClasses.wrappingRow} ${classes.nameLine}`}>
        {person === null ? (
          <span className={textClasses.name}>{name}</span>
        ) : (
          <Link to="/staff/$slug" params={{ slug: person }} className={textClasses.name}>
            {name}
          </Link>
        )}
        {isOwn ? (
          <span className={`${textClasses.label} ${layoutClasses.sunkenGround} ${textClasses.smallLines} ${classes.you}`}>You</span>
        ) : null}
      </span>
      {name === azureID ? null : <span className={`${textClasses.detail} ${classes.detail}`}>{azureID}</span>}
    </span>
    <span className={`${textClasses.detail} ${layoutClasses.column} ${classes.level}`}>
      <span>{level}</span>
      <span className={`${textClasses.smallerFont} ${textClasses.smallerLines}`}>{origin}</span>
    </span>
    {action === undefined ? null : (
      <span className={`${layoutClasses.atEnd} ${classes.action}`} data-print="no">
        {action}
      </span>
    )}
  </li>
)

/** Administrators through a directory group, who are added and removed in the directory. Renders nothing if there are none. */
const GroupAdministrators = () => {
  const { data = [] } = useGroupAdministrators()
  const administrators = data.filter(({ accessLevel }) => isAdministrator(accessLevel))
  if (administrators.length === 0) return null
  return (
    <Section title="From groups of the directory" count={administrators.length}>
      <p className={`${textClasses.detail} ${classes.about}`}>
        They have their level as long as they are in the group. The more privileged of a group and a permission record counts.
      </p>
      <ul aria-label="Administrators from groups">
        {administrators.map(({ _id, name, azureID, group, accessLevel }) => (
          <AdministratorRow
            key={`${_id} ${group}`}
            name={name}
            azureID={azureID}
            level={`Level ${accessLevel}`}
            origin={`From the group ${group}`}
          />
        ))}
      </ul>
    </Section>
  )
}

const formatGrant = ({ grantedAt, grantedBy }: Permission): string =>
  `${formatDaysAgo(grantedAt, configuration.timeZone)}${grantedBy ? ` by ${grantedBy}` : ''}`
const isOwn = ({ personID }: Permission, { azureID }: User): boolean => personID.azureID.toLowerCase() === azureID.toLowerCase()

const hasMoreAccess = ({ accessLevel }: Permission, user: User): boolean => accessLevel < user.accessLevel
/** Whether this seems to be the last record, which the server does not delete. The server does not count people in SUPER_ADMINS. */
const isLast = ({ accessLevel }: Permission, all: readonly Permission[]): boolean =>
  accessLevel <= DEFAULT_ADMIN_LEVEL && all.filter((one) => one.accessLevel <= DEFAULT_ADMIN_LEVEL).length === 1

const Permissions = ({ user }: { user: User }) => {
  const query = usePermissions()
  const [grantee, setGrantee] = useState<Grantee | null>(null)
  const [removing, setRemoving] = useState<Permission | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const count = query.data?.filter(({ accessLevel }) => isAdministrator(accessLevel)).length

  const finish = (message: string, next: HTMLElement | null) => {
    showSuccess({ text: message })
    setGrantee(null)
    setRemoving(null)
    void queryClient.invalidateQueries()
    // The pressed button disappears with its row, so the focus moves on.
    requestAnimationFrame(() => next?.focus())
  }
  const onMade = ({ personID, accessLevel }: Permission) =>
    finish(`${personID.name} is now a level ${accessLevel} administrator.`, field.current)
  const onRemoved = (removed: Permission) => {
    finish(
      isOwn(removed, user) ? 'You are no longer an administrator.' : `${removed.personID.name} is no longer an administrator.`,
      list.current,
    )
    if (isOwn(removed, user)) void reloadUser()
  }

  const renderAction = (permission: Permission, all: readonly Permission[]): ReactNode => {
    if (hasMoreAccess(permission, user)) return null
    if (isLast(permission, all))
      return <span className={`${textClasses.detail} ${classes.state}`}>Last level {DEFAULT_ADMIN_LEVEL} administrator</span>
    return (
      <Button
        variant="default"
        className={textClasses.bad}
        aria-label={`Remove Admin: ${permission.personID.name}`}
        onClick={() => setRemoving(permission)}
      >
        Remove Admin
      </Button>
    )
  }

  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead
        title="Permissions"
        summary={count === undefined ? undefined : `${count} ${count === 1 ? 'administrator' : 'administrators'} of this application`}
        failed={query.isError}
      />
      <CandidateSearch ownAddress={user.azureID} inputRef={field} onChoose={setGrantee} />
      <div ref={list} tabIndex={-1} className={classes.list}>
        <Section title="Administrators">
          <LoadedList query={query} skeleton={<RowSkeleton />}>
            {(permissions) =>
              permissions.length === 0 ? (
                <EmptyState icon={IconUserShield} title="No administrators to display">
                  <p>Search above to make someone an administrator.</p>
                </EmptyState>
              ) : (
                <>
                  {permissions.some((permission) => hasMoreAccess(permission, user)) ? (
                    <p className={`${textClasses.detail} ${classes.about}`}>
                      People with more access than you can only be removed by someone at their level.
                    </p>
                  ) : null}
                  <ul aria-label="Administrators">
                    {permissions.map((permission) => (
                      <AdministratorRow
                        key={permission._id}
                        name={permission.personID.name}
                        azureID={permission.personID.azureID}
                        person={permission.personID._id}
                        isOwn={isOwn(permission, user)}
                        level={`Level ${permission.accessLevel}, ${permission.accessName}`}
                        origin={formatGrant(permission)}
                        action={renderAction(permission, permissions)}
                      />
                    ))}
                  </ul>
                </>
              )
            }
          </LoadedList>
        </Section>
      </div>
      <GroupAdministrators />
      {grantee ? (
        <MakeAdminModal candidate={grantee} ownLevel={user.accessLevel} onGranted={onMade} onClose={() => setGrantee(null)} />
      ) : null}
      {removing ? (
        <RemoveAdminModal
          permission={removing}
          isOwn={isOwn(removing, user)}
          onRemoved={() => onRemoved(removing)}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </div>
  )
}

/** `/permissions`: lists, adds and removes the administrators of the application. */
export const PermissionsPage = () => {
  const user = useUser()
  return user ? <Permissions user={user} /> : null
}
