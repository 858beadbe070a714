import { Button, Modal, TextInput, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './NewSecretDialog.module.css'

interface NewSecretDialogProps {
  url: string
  secret: string
  onClose: () => void
}

/** Shows the secret of a webhook, which is never shown again. A click outside does not close the window. */
export const NewSecretDialog = ({ url, secret, onClose }: NewSecretDialogProps) => {
  const clipboard = useClipboard({ timeout: 3000 })
  const Sign = clipboard.copied ? IconCheck : IconCopy
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} withCloseButton={false} size={560} title="The Secret of Your Webhook">
      <div className={classes.shown}>
        <p className={classes.url}>{url}</p>
        <p className={classes.warning}>
          <strong>This secret is shown only once.</strong> Copy it now and give it to the other program, which verifies with it that
          messages come from here.
        </p>
        <TextInput
          label="Secret"
          readOnly
          value={secret}
          spellCheck={false}
          classNames={{ input: classes.secret ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={classes.buttons}>
          <Button
            data-autofocus
            variant="default"
            leftSection={<Sign size={17} stroke={1.75} aria-hidden />}
            onClick={() => clipboard.copy(secret)}
          >
            {clipboard.copied ? 'Copied' : 'Copy Secret'}
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
        <VisuallyHidden role="status">{clipboard.copied ? 'Copied the secret' : ''}</VisuallyHidden>
      </div>
    </Modal>
  )
}
