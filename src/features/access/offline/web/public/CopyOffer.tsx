import { Button } from '@mantine/core'
import { useState } from 'react'

import { showError } from '../../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { dismissOffer } from '../copy-offer.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './CopyOffer.module.css'

/** Offers once, after the app was installed, to keep the directory on this device. */
export const CopyOffer = () => {
  const [isSaving, setSaving] = useState(false)
  const keep = async () => {
    setSaving(true)
    const { startCopy } = await import('../copy.ts')
    await startCopy().catch((error: unknown) => showError(errorMessage(error)))
    dismissOffer()
  }
  return (
    <section className={`${layoutClasses.card} ${classes.offer}`} aria-label="Keep the directory on this device">
      <p className={textClasses.strong}>Keep the directory on this device?</p>
      <p className={`${textClasses.detail} ${classes.text}`}>
        Then you can find and call people without a network. Choose it only if this device is yours. You can change it on your account page.
      </p>
      <div className={layoutClasses.buttons}>
        <Button variant="default" disabled={isSaving} onClick={dismissOffer}>
          Not Now
        </Button>
        <Button loading={isSaving} onClick={() => void keep()}>
          Keep It
        </Button>
      </div>
    </section>
  )
}
