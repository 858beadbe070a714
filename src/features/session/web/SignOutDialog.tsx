import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
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
    <p>What you typed is not saved. Signing out wipes it from this browser.</p>
  </Dialog>
)
