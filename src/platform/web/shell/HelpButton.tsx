import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'

import { setHelpOpen, useHelpOpen } from '../help-window.ts'

/** Opens what the help says about the page, beside it. */
export const HelpButton = () => {
  const isOpen = useHelpOpen()
  return (
    <ActionIcon id="help-button" aria-label="Help" title="Help" aria-expanded={isOpen} onClick={() => setHelpOpen(!isOpen)}>
      <IconHelp size={20} stroke={1.75} />
    </ActionIcon>
  )
}
