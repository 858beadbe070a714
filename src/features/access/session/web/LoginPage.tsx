import { Anchor, Button, Modal } from '@mantine/core'
import { IconBrandWindowsFilled } from '@tabler/icons-react'
import { useState } from 'react'

import { Logo } from '../../../../platform/web/shell/Logo.tsx'
import { openSupportWindow } from '../../../../platform/web/support-window.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { isSignInFailed } from './session.ts'
import { goToSignIn } from './sign-in-navigation.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './LoginPage.module.css'

export const LoginPage = () => {
  useTitle('Login')
  const [isFailureShown, setFailureShown] = useState(isSignInFailed())
  const [isLeaving, setLeaving] = useState(false)

  return (
    <main className={`${layoutClasses.vertical} ${layoutClasses.railGround} ${textClasses.centeredText} ${classes.page}`}>
      <Logo size={56} />
      <h1 tabIndex={-1}>Homeroom</h1>
      <p>Sites, charters and people in one place.</p>
      <Button
        className={classes.button}
        leftSection={<IconBrandWindowsFilled size={20} aria-hidden />}
        loading={isLeaving}
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

      <Modal opened={isFailureShown} onClose={() => setFailureShown(false)} title="Login failed">
        <p className={`${textClasses.strong} ${layoutClasses.bottomMargin12}`}>Error: Something has gone wrong loging you in.</p>
        <Anchor
          component="button"
          type="button"
          underline="always"
          onClick={() => {
            setFailureShown(false)
            openSupportWindow()
          }}
        >
          Please contact Information Services
        </Anchor>
      </Modal>
    </main>
  )
}
