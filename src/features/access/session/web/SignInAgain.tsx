import { Button, Modal } from '@mantine/core'
import { useState } from 'react'

import { useFocusBack } from '../../../../platform/web/kit/useFocusBack.ts'
import { goToSignIn, openSignInWindow, rememberPlace } from './places.ts'
import { clearSession } from './session.ts'

import classes from './SignInAgain.module.css'

/** Over a form whose session has ended (D36): signs in in a window beside it, and the form goes on as it was. */
export const SignInAgain = ({ onLeave }: { onLeave: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  useFocusBack()
  const signIn = () => {
    if (openSignInWindow()) return setOpen(true)
    // No window may be opened here: what was typed is kept, and offered back after signing in.
    rememberPlace(location.pathname + location.search)
    goToSignIn()
  }
  const leave = () => {
    onLeave()
    clearSession()
  }
  return (
    <Modal opened onClose={leave} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false} title="Your session has ended">
      <p className={classes.words}>Sign in again to continue. Your changes are still here.</p>
      <p className={classes.words} role="status">
        {isOpen ? 'Waiting for you to sign in in the other window.' : null}
      </p>
      <div className={classes.buttons}>
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
