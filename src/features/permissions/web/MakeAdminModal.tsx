import { useMutation } from '@tanstack/react-query'

import { send } from '../../../platform/web/client.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { firstNameOf } from '../../session/rules.ts'
import { grantPermission } from '../contract.ts'
import type { Candidate, Permission } from '../contract.ts'
import { levelGrantedBy, NEW_ADMIN_LEVEL, NEW_ADMIN_NAME } from '../rules.ts'

import classes from './PermissionsPage.module.css'

/** Somebody with an address to grant to. */
export type Grantee = Candidate & { readonly azureID: string }

interface MakeAdminModalProps {
  whom: Grantee
  /** The level of whoever grants. */
  granter: number
  onMade: (made: Permission) => void
  onClose: () => void
}

/** Asks before somebody becomes an administrator, and says what they will be able to do (section 4, D14). */
export const MakeAdminModal = ({ whom, granter, onMade, onClose }: MakeAdminModalProps) => {
  const { azureID, name, personDbID } = whom
  const level = levelGrantedBy(granter)
  const granting = useMutation({
    mutationFn: () =>
      withSignIn(() =>
        send(grantPermission, {
          body: {
            applicationID: configuration.appId,
            userInfo: { azureID, name, personDbID, superAdmin: false, accessLevel: level, accessName: NEW_ADMIN_NAME },
          },
        }),
      ),
    onSuccess: onMade,
  })
  return (
    <Dialog
      title={`Make ${name} an administrator?`}
      action="Make Admin"
      startsAtCancel
      isBusy={granting.isPending}
      error={granting.error}
      onAct={() => granting.mutate()}
      onClose={onClose}
    >
      <div className={classes.whom}>
        <Avatar name={name} />
        <MailLink email={azureID} />
      </div>
      <div>
        <p className={classes.gets}>
          {firstNameOf(name)} gets{' '}
          <strong>
            level {level}, {NEW_ADMIN_NAME}
          </strong>
          , from the next click on. That means:
        </p>
        <ul className={classes.means}>
          <li>add and edit sites, charters, brands and people</li>
          <li>edit facility, enrollment, staff and SIS records</li>
          <li>
            {level > NEW_ADMIN_LEVEL ? 'read and export ' : 'read, edit and export '}
            <strong>charter affairs</strong>
            {level > NEW_ADMIN_LEVEL ? ', not edit them' : null}
          </li>
          <li>make and remove other administrators</li>
        </ul>
      </div>
      {level > NEW_ADMIN_LEVEL ? <p className={classes.note}>Nobody grants more than they hold: level {level} is your own.</p> : null}
    </Dialog>
  )
}
