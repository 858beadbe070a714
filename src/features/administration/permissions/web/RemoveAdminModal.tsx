
import { send } from '../../../../platform/web/client.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { getFirstName } from '../../../access/session/rules.ts'
import { removePermission } from '../contract.ts'
import type { Permission } from '../contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './PermissionsPage.module.css'

interface RemoveAdminModalProps {
  permission: Permission
  isOwn: boolean
  onRemoved: () => void
  onClose: () => void
}

export const RemoveAdminModal = ({ permission, isOwn, onRemoved, onClose }: RemoveAdminModalProps) => {
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
      <p className={classes.change}>
        {isOwn ? 'You will lose' : `${getFirstName(name)} will lose`}{' '}
        <strong>
          level {permission.accessLevel} ({permission.accessName})
        </strong>{' '}
        access right away, on every device. {isOwn ? 'You' : 'They'} will still be able to view the directory.
      </p>
      {isOwn ? <p className={classes.note}>Only another administrator can make you an administrator again.</p> : null}
    </SendingDialog>
  )
}
