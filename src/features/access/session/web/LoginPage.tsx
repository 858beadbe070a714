import { Anchor, Button, Modal } from '@mantine/core'
import { IconBrandWindowsFilled } from '@tabler/icons-react'
import { useState } from 'react'

import { Logo } from '../../../../platform/web/shell/Logo.tsx'
import { openSupportWindow } from '../../../../platform/web/support-window.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { goToSignIn } from './places.ts'
import { signInFailed } from './session.ts'

import classes from './LoginPage.module.css'

/** The public login page (section 2), with its two windows. */
export const LoginPage = () => {
  useTitle('Login')
  const [failed, setFailed] = useState(signInFailed())
  const [leaving, setLeaving] = useState(false)

  return (
    <main className={classes.page}>
      <Logo size={56} />
      <h1 tabIndex={-1}>Homeroom</h1>
      <p>Sites, charters and people in one place.</p>
      <Button
        className={classes.button}
        leftSection={<IconBrandWindowsFilled size={20} aria-hidden />}
        loading={leaving}
        onClick={() => {
          setLeaving(true)
          goToSignIn()
        }}
      >
        Login Using O365
      </Button>
      <p className={classes.note}>
        Use your work account.
        <br />
        Trouble signing in?{' '}
        <Anchor component="button" type="button" inherit onClick={openSupportWindow}>
          Contact Information Services
        </Anchor>
      </p>

      <Modal opened={failed} onClose={() => setFailed(false)} title="Login failed" closeButtonProps={{ 'aria-label': 'Close' }}>
        <p className={classes.failed}>Error: Something has gone wrong loging you in.</p>
        <Anchor
          component="button"
          type="button"
          underline="always"
          onClick={() => {
            setFailed(false)
            openSupportWindow()
          }}
        >
          Please contact Information Services
        </Anchor>
      </Modal>
    </main>
  )
}
