import { Button, Modal } from '@mantine/core'
import { useState } from 'react'

import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import { clearSession } from './session.ts'
import { goToSignIn, openSignInWindow, saveReturnPath } from './sign-in-navigation.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** Shown over a form whose session has ended. Signing in happens in another window, so that the form keeps what was entered. */
export const SignInAgain = ({ onLeave }: { onLeave: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  useReturnFocus()
  const signIn = () => {
    if (openSignInWindow()) return setOpen(true)
    // The browser blocked the window: the form's draft is saved, and offered again after signing in.
    saveReturnPath(location.pathname + location.search)
    goToSignIn()
  }
  const leave = () => {
    onLeave()
    clearSession()
  }
  return (
    <Modal opened onClose={leave} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false} title="Your session has ended">
      <p className={layoutClasses.bottomMargin8}>Sign in again to continue. Your changes are still here.</p>
      <p className={layoutClasses.bottomMargin8} role="status">
        {isOpen ? 'Waiting for you to sign in in the other window.' : null}
      </p>
      <div className={`${layoutClasses.buttons} ${layoutClasses.topMargin16}`}>
        <Button variant="default" onClick={leave}>
          Leave
        </Button>
        <Button data-autofocus onClick={signIn}>
          {isOpen ? 'Open the Window Again' : 'Sign In Again'}
        </Button>
      </div>
    </Modal>
  )
}
