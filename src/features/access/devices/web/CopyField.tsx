import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './NewDeviceWindow.module.css'

/** A text to enter elsewhere, with a button that copies it. */
export const CopyField = ({ label, text }: { label: string; text: string }) => {
  const clipboard = useClipboard({ timeout: 3000 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <div className={classes.field}>
      <TextInput
        label={label}
        readOnly
        value={text}
        spellCheck={false}
        classNames={{ input: classes.text ?? '' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        aria-label={`Copy the ${label.toLowerCase()}`}
        className={classes.copy}
        onClick={() => clipboard.copy(text)}
      >
        <Icon size={18} stroke={1.75} aria-hidden />
      </Button>
      <VisuallyHidden role="status">{clipboard.copied ? `Copied the ${label.toLowerCase()}` : ''}</VisuallyHidden>
    </div>
  )
}
