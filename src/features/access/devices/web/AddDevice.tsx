import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { createDevice, type NewDevice } from '../contract.ts'
import { MAX_DEVICE_NAME_LENGTH } from '../rules.ts'
import { invalidateDevices } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

// With the library of the QR code.
const NewDeviceWindow = lazy(() => import('./NewDeviceWindow.tsx').then((module) => ({ default: module.NewDeviceWindow })))

interface AddDeviceDialogProps {
  readonly onAdded: (added: { readonly name: string; readonly device: NewDevice }) => void
  readonly onClose: () => void
}

const AddDeviceDialog = ({ onAdded, onClose }: AddDeviceDialogProps) => {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  return (
    <SendingDialog
      title="Add a Device"
      confirmLabel="Add Device"
      isDisabled={name === ''}
      onSend={() => send(createDevice, { body: { name } })}
      onSent={(device) => {
        invalidateDevices()
        onAdded({ name, device })
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="For you to recognize it: “My iPhone”, “Thunderbird at home”. Each device gets a password of its own."
        required
        maxLength={MAX_DEVICE_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}

/** Opens the window that adds a device, then shows its password once. */
export const AddDevice = () => {
  const [step, setStep] = useState<'asking' | { readonly name: string; readonly device: NewDevice } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The first window is gone by then and cannot restore the focus.
  const close = () => {
    setStep(null)
    setTimeout(() => button.current?.focus())
  }
  return (
    <>
      <Button
        ref={button}
        className={layoutClasses.topMargin16}
        data-print="no"
        variant="default"
        leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
        onClick={() => setStep('asking')}
      >
        Add a Device
      </Button>
      {step === 'asking' ? <AddDeviceDialog onAdded={setStep} onClose={() => setStep(null)} /> : null}
      {step !== null && step !== 'asking' ? (
        <Suspense>
          <NewDeviceWindow {...step} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
