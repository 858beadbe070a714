import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { signOutWithoutConfirmation, cancelSignOut } from './sign-in-navigation.ts'

export const SignOutDialog = () => (
  <Dialog
    title="Sign out without saving?"
    confirmLabel="Sign Out"
    isDestructive
    isBusy={false}
    error={null}
    onConfirm={() => {
      cancelSignOut()
      signOutWithoutConfirmation()
    }}
    onClose={cancelSignOut}
  >
    <p>You have unsaved changes. Signing out will delete them.</p>
  </Dialog>
)
