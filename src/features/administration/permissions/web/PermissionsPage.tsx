import { Button } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { DEFAULT_ADMIN_LEVEL } from '../../../access/levels/rules.ts'
import type { User } from '../../../access/session/contract.ts'
import { reloadUser, useUser } from '../../../access/session/web/queries.ts'
import type { Permission } from '../contract.ts'
import { isAdministrator } from '../rules.ts'
import { AdministratorRow } from './AdministratorRow.tsx'
import { CandidateSearch } from './CandidateSearch.tsx'
import { GroupAdministrators } from './GroupAdministrators.tsx'
import { MakeAdminModal } from './MakeAdminModal.tsx'
import type { Grantee } from './MakeAdminModal.tsx'
import { usePermissions } from './queries.ts'
import { RemoveAdminModal } from './RemoveAdminModal.tsx'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

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
        className={classes.remove}
        aria-label={`Remove Admin: ${permission.personID.name}`}
        onClick={() => setRemoving(permission)}
      >
        Remove Admin
      </Button>
    )
  }

  return (
    <div className={classes.page}>
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
                        permission={permission}
                        isOwn={isOwn(permission, user)}
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
