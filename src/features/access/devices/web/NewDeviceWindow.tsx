import { Button, Modal, Skeleton } from '@mantine/core'
import { IconBrandApple, IconDeviceMobile, IconDownload, IconEyeOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

import { errorMessage } from '../../../../platform/web/failures.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { QrCode } from '../../../../platform/web/kit/QrCode.tsx'
import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import type { NewDevice } from '../contract.ts'
import { ADDRESS_BOOKS_PATH } from '../rules.ts'
import { CopyField } from './CopyField.tsx'
import { useDeviceProfile } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './NewDeviceWindow.module.css'

/** The configuration profile, as a link and as a code for the camera of a phone. */
const AppleProfile = ({ device }: { device: NewDevice }) => {
  const { data: profile, error } = useDeviceProfile(device)
  if (error) return <p className={textClasses.error}>Error: {errorMessage(error)}</p>
  return (
    <>
      <p className={textClasses.note}>
        Point the camera of the phone at this code and open the link, or download the profile on the device itself. Then install it in
        Settings. The link works for 15 minutes.
      </p>
      <div className={`${layoutClasses.flex} ${layoutClasses.justifyCenter} ${layoutClasses.fullWidth} ${classes.code}`}>
        {profile ? (
          <QrCode text={profile.url} label="QR code with the link to the configuration profile" />
        ) : (
          <Skeleton height={200} width={200} />
        )}
      </div>
      <Button
        component="a"
        href={profile?.url ?? '#'}
        variant="default"
        data-disabled={profile ? undefined : true}
        leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
      >
        Download profile
      </Button>
    </>
  )
}

interface NewDeviceWindowProps {
  readonly name: string
  readonly device: NewDevice
  readonly onClose: () => void
}

/** The password of a new device, which is never shown again, and how to set the device up. A click outside does not close the window. */
export const NewDeviceWindow = ({ name, device, onClose }: NewDeviceWindowProps) => {
  const heading = useRef<HTMLSpanElement>(null)
  useEffect(registerOpenForm, [])
  useReturnFocus()
  useEffect(() => heading.current?.focus(), [])
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={760}
      title={
        <span ref={heading} tabIndex={-1} data-autofocus>
          Set up {name}
        </span>
      }
    >
      <div className={layoutClasses.stack}>
        <div className={`${layoutClasses.rounded} ${layoutClasses.waitGround} ${layoutClasses.spaced} ${classes.warning}`}>
          <IconEyeOff size={20} stroke={1.75} aria-hidden />
          <p>
            <strong>This password is shown only now.</strong> It opens nothing but the contacts. Lost it? End this device and add it again.
          </p>
        </div>
        <div className={classes.ways}>
          <section className={classes.way} aria-labelledby="device-apple">
            <h3 id="device-apple" className={classes.title}>
              <IconBrandApple size={20} stroke={1.75} aria-hidden />
              iPhone, iPad or Mac
            </h3>
            <AppleProfile device={device} />
          </section>
          <section className={classes.way} aria-labelledby="device-other">
            <h3 id="device-other" className={classes.title}>
              <IconDeviceMobile size={20} stroke={1.75} aria-hidden />
              Android, Thunderbird and others
            </h3>
            <p className={textClasses.note}>Enter these in the program, such as DAVx5 on Android, as a CardDAV account.</p>
            <CopyField label="Address" text={`${window.location.origin}${ADDRESS_BOOKS_PATH}`} />
            <CopyField label="User name" text={device.username} />
            <CopyField label="Password" text={device.password} />
          </section>
        </div>
        <div className={layoutClasses.buttons}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Modal>
  )
}
