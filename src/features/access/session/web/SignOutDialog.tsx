import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { signOutNow, staySignedIn } from './places.ts'

/** Asks before a sign-out wipes what was typed. */
export const SignOutDialog = () => (
  <Dialog
    title="Sign out without saving?"
    action="Sign Out"
    isTaking
    isBusy={false}
    error={null}
    onAct={() => {
      staySignedIn()
      signOutNow()
    }}
    onClose={staySignedIn}
  >
    <p>You have unsaved changes. Signing out will delete them.</p>
  </Dialog>
)
