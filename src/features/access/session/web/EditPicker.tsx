import { Button, Modal } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { openChangeWindow } from '../../../../platform/web/change-window.ts'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { useMay } from './queries.ts'

import classes from './SignInAgain.module.css'

interface EditPickerProps {
  /** 'charter', 'brand'. */
  what: string
  /** What it is called. */
  name: string
  onOpen: () => void
}

/** The edit button of charters and brands, which everybody sees: whose level is not enough asks for the change (D13). */
export const EditPicker = ({ what, name, onOpen }: EditPickerProps) => {
  const mayEdit = useMay('manage the network')
  const [isTold, setTold] = useState(false)
  return (
    <>
      <HeadAction icon={IconPencil} onClick={mayEdit ? onOpen : () => setTold(true)}>
        Edit
      </HeadAction>
      <Modal
        opened={isTold}
        onClose={() => setTold(false)}
        title="Only administrators can edit"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p className={classes.words}>You can view this {what}. An administrator can change it. Tell them what should be different.</p>
        <div className={classes.buttons}>
          <Button variant="default" data-autofocus onClick={() => setTold(false)}>
            Close
          </Button>
          <Button
            onClick={() => {
              setTold(false)
              openChangeWindow({ site: null, name })
            }}
          >
            Request a Change
          </Button>
        </div>
      </Modal>
    </>
  )
}
