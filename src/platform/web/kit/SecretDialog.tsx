import { Button, Modal, TextInput, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import layoutClasses from './Layout.module.css'
import classes from './SecretDialog.module.css'

interface SecretDialogProps {
  title: string
  noun: 'Token' | 'Secret'
  secret: string
  /** What to do with it, and what it gives access to. */
  children: ReactNode
  onClose: () => void
}

/** Shows a new secret, which is never shown again. A click outside does not close the window. */
export const SecretDialog = ({ title, noun, secret, children, onClose }: SecretDialogProps) => {
  const clipboard = useClipboard({ timeout: 3000 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  const word = noun.toLowerCase()
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} withCloseButton={false} size={560} title={title}>
      <div className={layoutClasses.stack}>
        <p className={`${layoutClasses.rounded} ${layoutClasses.waitGround} ${classes.warning}`}>
          <strong>This {word} is shown only once.</strong> {children}
        </p>
        <TextInput
          label={noun}
          readOnly
          value={secret}
          spellCheck={false}
          classNames={{ input: classes.secret ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={layoutClasses.buttons}>
          <Button
            data-autofocus
            variant="default"
            leftSection={<Icon size={17} stroke={1.75} aria-hidden />}
            onClick={() => clipboard.copy(secret)}
          >
            {clipboard.copied ? 'Copied' : `Copy ${noun}`}
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
        <VisuallyHidden role="status">{clipboard.copied ? `Copied the ${word}` : ''}</VisuallyHidden>
      </div>
    </Modal>
  )
}
