import { Button, Modal, TextInput, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './Directory.module.css'

interface NewScimTokenDialogProps {
  token: string
  onClose: () => void
}

/** Shows a new token, which is never shown again. A click outside does not close the window. */
export const NewScimTokenDialog = ({ token, onClose }: NewScimTokenDialogProps) => {
  const clipboard = useClipboard({ timeout: 3000 })
  const Sign = clipboard.copied ? IconCheck : IconCopy
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} withCloseButton={false} size={560} title="The Token for Your Directory">
      <div className={classes.shown}>
        <p className={classes.warning}>
          <strong>This token is shown only once.</strong> Copy it now into your directory. Anyone who has it can create and disable
          accounts, and put them into groups that give a level.
        </p>
        <TextInput
          label="Token"
          readOnly
          value={token}
          spellCheck={false}
          classNames={{ input: classes.secret ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={classes.buttons}>
          <Button
            data-autofocus
            variant="default"
            leftSection={<Sign size={17} stroke={1.75} aria-hidden />}
            onClick={() => clipboard.copy(token)}
          >
            {clipboard.copied ? 'Copied' : 'Copy Token'}
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
        <VisuallyHidden role="status">{clipboard.copied ? 'Copied the token' : ''}</VisuallyHidden>
      </div>
    </Modal>
  )
}
