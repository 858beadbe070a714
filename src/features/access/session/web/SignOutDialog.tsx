import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { signOutWithoutConfirmation, cancelSignOut } from './sign-in-navigation.ts'

export const SignOutDialog = () => (
  <Dialog
    title="Sign out without saving?"
    action="Sign Out"
    isTaking
    isBusy={false}
    error={null}
    onAct={() => {
      cancelSignOut()
      signOutWithoutConfirmation()
    }}
    onClose={cancelSignOut}
  >
    <p>You have unsaved changes. Signing out will delete them.</p>
  </Dialog>
)
